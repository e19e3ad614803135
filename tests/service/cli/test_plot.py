"""The course of a game as a figure."""

import struct
import subprocess
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from domain.events import GameEnded
from domain.highlights import highlights
from domain.statistics import statistics
from service.cli.plot import COLOURS, draw
from tests.domain.golden_games import NAMES, events_of
from tests.service.cli.running import RECORD, edited, refused, told

PLAYERS = ["Ada", "Ben $x$ & <Sons>", "小林 明美", "\\frac{1}{0}", "E" * 60, "Fay"]
SVG = "{http://www.w3.org/2000/svg}"


def drawn(name: str, form: str = "svg", length: int | None = None) -> bytes:
    happened = events_of(name)[:length]
    assert form in ("svg", "png")
    return draw(statistics(happened), highlights(happened), PLAYERS, f"{name} $", "svg" if form == "svg" else "png")


def texts(svg: bytes) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(svg).iter(f"{SVG}text")]


def chunks(png: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a PNG, their checksums being right."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    found = []
    at = 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + data)
        found.append((kind, data))
        at += 12 + length
    return found


@pytest.mark.parametrize("name", NAMES)
def test_the_figure_of_every_game_is_svg_with_its_names_hands_and_totals(name: str) -> None:
    written = texts(drawn(name))
    ended = next(event for event in events_of(name) if isinstance(event, GameEnded))
    assert f"{name} $" in written
    legend = "\n".join(written)
    for total in ended.totals:
        assert f": {total}" in legend
    assert "Ada" in legend
    hands = statistics(events_of(name)).hands
    assert sum(text.removeprefix("hand ") in {str(hand.hand) for hand in hands} for text in written) >= len(hands)
    kinds = {each.set.replace("_", " ") for each in highlights(events_of(name)) if each.set is not None}
    assert kinds <= set(written)


def test_every_side_has_a_colour_of_its_own() -> None:
    svg = drawn("g2-samba-official-6p").decode()
    assert len(set(COLOURS)) == 6
    assert all(colour in svg for colour in COLOURS[:3])


@pytest.mark.parametrize("form", ["svg", "png"])
def test_the_same_game_gives_the_same_bytes(form: str, tmp_path: Path) -> None:
    here = drawn(NAMES[0], form)
    assert drawn(NAMES[0], form) == here
    one, two = tmp_path / f"one.{form}", tmp_path / f"two.{form.upper()}"
    for path, seed in ((one, "1"), (two, "2")):
        subprocess.run(
            [sys.executable, "-m", "service.cli", "replay", RECORD, "--plot", path],
            env={"PYTHONHASHSEED": seed, "HOME": str(tmp_path)},
            check=True,
        )
    assert one.read_bytes() == two.read_bytes()


def test_a_figure_carries_no_date_and_no_place() -> None:
    svg = drawn(NAMES[0]).decode()
    assert "dc:date" not in svg
    assert "/usr" not in svg
    assert [kind for kind, _ in chunks(drawn(NAMES[0], "png"))][:1] == [b"IHDR"]


def test_a_png_is_a_picture_of_the_size_told() -> None:
    (_, header), *rest = chunks(drawn(NAMES[0], "png"))
    assert struct.unpack(">II", header[:8]) == (1440, 900)
    assert zlib.decompress(b"".join(data for kind, data in rest if kind == b"IDAT"))
    assert rest[-1][0] == b"IEND"


@pytest.mark.parametrize("length", [1, 30, 200])
def test_a_game_that_is_not_over_can_be_drawn_as_far_as_it_went(length: int) -> None:
    written = texts(drawn("g1-samba-official-4p", length=length))
    assert any("Ada" in text for text in written)
    assert ("no turn was ended in this game" in written) == (length == 1)


def test_what_is_asked_for_is_written_by_its_suffix(tmp_path: Path) -> None:
    svg, png = tmp_path / "game.SVG", tmp_path / "game.png"
    said = told("replay", RECORD, "--plot", svg, "--plot", png)
    assert [line.split()[-1] for line in said.splitlines()] == [str(svg), str(png)]
    assert ET.parse(svg).getroot().tag == f"{SVG}svg"
    assert chunks(png.read_bytes())
    assert sorted(tmp_path.iterdir()) == sorted([svg, png])


@pytest.mark.parametrize("name", ["game.jpg", "game", ".svg.txt", "game.pdf"])
def test_another_suffix_is_refused_before_anything_is_read(name: str, tmp_path: Path) -> None:
    line = refused("replay", tmp_path / "no-record", "--plot", tmp_path / name)
    assert "*.svg or *.png" in line
    assert name in line


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    assert "cannot be written" in refused("replay", RECORD, "--plot", tmp_path / "nowhere" / "game.svg")


def test_a_record_that_is_wrong_is_not_drawn(tmp_path: Path) -> None:
    bad = edited(RECORD, 40, b'"n":39', b'"n":38', tmp_path / "bad")
    refused("replay", bad, "--plot", tmp_path / "game.svg", exit_code=1)
    assert not (tmp_path / "game.svg").exists()


def test_the_drawing_library_is_loaded_for_a_plot_only() -> None:
    code = "import sys, service.cli.replay; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
