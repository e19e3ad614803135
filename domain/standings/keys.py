"""The tie-breaks that an event may declare, with their names and how their values are written."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.standings.lines import Scale


class Key(Struct, frozen=True, kw_only=True):
    """A tie-break: its code, its name, and how many decimals its integer values stand for.

    `low` and `high` are how many of the lowest and highest rounds are cut.
    """

    code: str
    name: str
    places: int = 2
    low: int = 0
    high: int = 0
    lower_is_better: bool = False

    @property
    def family(self) -> str:
        """The code without its cuts."""
        return self.code.partition("-")[0]


_LIST: Final = (
    Key(code="SCORE", name="Score"),
    Key(code="DE", name="Direct encounter"),
    Key(code="BH", name="Buchholz"),
    Key(code="BH-C1", name="Buchholz cut 1", low=1),
    Key(code="BH-C2", name="Buchholz cut 2", low=2),
    Key(code="BH-M1", name="Median Buchholz", low=1, high=1),
    Key(code="BH-M2", name="Median Buchholz 2", low=2, high=2),
    Key(code="SB", name="Sonneborn-Berger", places=4),
    Key(code="SB-C1", name="Sonneborn-Berger cut 1", places=4, low=1),
    Key(code="PS", name="Progressive score"),
    Key(code="PS-C1", name="Progressive score cut 1", low=1),
    Key(code="KOYA", name="Koya"),
    Key(code="WIN", name="Wins", places=0),
    Key(code="WON", name="Wins that were played", places=0),
    Key(code="MPD", name="Match point difference", places=0),
    Key(code="OMW", name="Opponents' match wins", places=6),
    Key(code="ARO", name="Average rating of opponents", places=0),
    Key(code="ARO-C1", name="Average rating of opponents cut 1", places=0, low=1),
    Key(code="SEED", name="Seed", places=0, lower_is_better=True),
    Key(code="LOT", name="Lot", places=0, lower_is_better=True),
)

KEYS: Final = {key.code: key for key in _LIST}


def check_keys(codes: Sequence[str]) -> tuple[Key, ...]:
    """The tie-breaks of a declared list. Raises `ValueError` if it is empty, one is unknown, or one stands twice."""
    unknown = [code for code in codes if code not in KEYS]
    if unknown:
        raise ValueError(f"There is no tie-break {unknown[0]!r}; there are {', '.join(KEYS)}.")
    if not codes or len(set(codes)) != len(codes):
        raise ValueError("A list of tie-breaks has at least one, and each only once.")
    return tuple(KEYS[code] for code in codes)


def shown(code: str, value: int | None, scale: Scale) -> str:
    """A value as it is written in a table: an em dash for None, and no more noughts at the end than the scale asks.

    Raises `KeyError` for an unknown code.
    """
    places = KEYS[code].places
    return "—" if value is None else decimal_text(value, places, min(places, scale.decimals))


def decimal_text(value: int, places: int, least: int) -> str:
    """An integer that stands for so many decimals, written with at least `least` of them."""
    whole, rest = divmod(abs(value), 10**places)
    sign = "−" if value < 0 else ""
    if not places:
        return f"{sign}{whole}"
    digits = f"{rest:0{places}}".rstrip("0").ljust(least, "0")
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"
