"""The templates of the pages, loaded once; everything that is put into them is escaped."""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER: Final = files("service.http.tournaments").joinpath("templates")


def rendered(template: str, **values: Any) -> bytes:
    """A page. Values that a template needs and does not get are an error."""
    return _environment().get_template(template).render(**values).encode()


@cache
def style() -> bytes:
    """The style sheet of all pages."""
    return FOLDER.joinpath("tournament.css").read_bytes()


@cache
def _environment() -> "Environment":
    # The library takes a tenth of a second to load, which no start should wait for.
    from jinja2 import DictLoader, Environment, StrictUndefined

    templates = {
        file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir() if file.name.endswith(".html")
    }
    return Environment(
        loader=DictLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
