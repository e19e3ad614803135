"""Files of tournaments over HTTP, and as programs for tables read them."""

import csv
import io
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.tournaments.cells import cell, csv_of, plain
from service.tournaments.exporting import FORMAT, TournamentOut
from service.tournaments.one_line import one_line
from service.trf.reading import read_trf
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import Event, stage_of

BY_WINS = stage_of(
    score={"kind": "win_draw_loss"},
    unplayed={"bye": 100, "forfeit_win": 100, "forfeit_loss": 0},
    tie_breaks=["direct_encounter", "buchholz_cut_1", "buchholz"],
)
HOSTILE = ['=HYPERLINK("http://x","y")', "+1+1", "-cmd|' /C calc'!A0", "@SUM(A1)", 'a "quoted", comma', "'=1", "％1"]


async def file(event: Event, **params: Any) -> httpx.Response:
    answer = await event.get("/export", params=params)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"].startswith('attachment; filename="the-cup')
    return answer


async def rows(event: Event, what: str, **params: Any) -> list[dict[str, str]]:
    answer = await file(event, format="csv", what=what, **params)
    assert answer.headers["content-type"].startswith("text/csv; charset=utf-8")
    return [*csv.DictReader(io.StringIO(answer.text, newline=""))]


@pytest.fixture
async def event(client: httpx.AsyncClient) -> Event:
    """A round over, another one paired, names that tables could take for formulas."""
    event = await Event.open(client, BY_WINS)
    for number in range(5):
        await event.enter(name=HOSTILE[number])
    await event.act("start")
    await event.play_round(1)
    await event.act("close_round", round=1)
    await event.act("pair")
    return event


async def test_json_has_everything_that_the_standings_follow_from(event: Event) -> None:
    answer = await file(event)
    read = msgspec.json.decode(answer.content, type=TournamentOut)
    assert (read.format, read.id, read.title, len(read.entrants), len(read.rounds)) == (
        FORMAT,
        event.id,
        "The cup",
        5,
        2,
    )
    shown = await event.shown("/standings")
    assert [(row.rank, row.entrant, row.score) for row in read.standings[0].rows] == [
        (row["rank"], row["entrant"], row["score"]) for row in shown["rows"]
    ]
    assert [each.name for each in read.entrants] == HOSTILE[:5]
    assert all(each.over and each.results for each in read.rounds[0].matches)
    earlier = msgspec.json.decode((await file(event, at=4)).content, type=TournamentOut)
    assert (earlier.version, earlier.rounds) == (4, ())


async def test_tables_have_the_rows_of_the_tournament(event: Event) -> None:
    standings = await rows(event, "standings")
    assert (standings[0]["rank"], standings[0]["score"]) == ("1", "1.0")
    entrants = await rows(event, "entrants")
    assert [plain(row["name"]) for row in entrants] == HOSTILE[:5]
    assert [row["player_names"] for row in entrants] == [f"Player {number}" for number in range(1, 6)]
    pairings = await rows(event, "pairings")
    assert [row["round"] for row in pairings] == ["1"] * 3 + ["2"] * 3
    assert [row["bye"] for row in pairings].count("bye") == 2
    results = await rows(event, "results")
    assert len(results) == 4
    assert sorted(row["score"] for row in results) == ["0.0", "0.0", "1.0", "1.0"]
    nothing = await rows(event, "standings", at=3)
    assert nothing == []


async def test_the_standings_as_a_table_have_no_heading_twice(event: Event) -> None:
    every = ["wins", "margin", "lot", "direct_encounter", "buchholz", "progressive", "koya", "opponents_match_win"]
    other = await Event.begun(event.client, 2, stage_of({"kind": "swiss", "rounds": 1}, tie_breaks=every))
    (heads, *_) = csv.reader(io.StringIO((await file(other, format="csv")).text, newline=""))
    assert len(set(heads)) == len(heads)
    assert heads[-4:] == ["played", "won", "drawn", "lost"]
    told = [tuple(int(row[each]) for each in heads[-4:]) for row in await rows(event, "standings")]
    # Two have won, two have lost, and one had the bye.
    assert sorted(told) == [(0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 0, 1), (1, 1, 0, 0), (1, 1, 0, 0)]


async def test_the_standings_as_a_table_tell_what_was_carried_and_penalties(client: httpx.AsyncClient) -> None:
    last = stage_of({"kind": "round_robin"}, carry={"what": "score", "percent": 50})
    event = await Event.begun(client, 2, stage_of({"kind": "swiss", "rounds": 1}), last)
    await event.play_round(1)
    await event.act("advance")
    await event.act("penalty", entrant="e1", score=150, reason="slow_play")
    await event.act("penalty", entrant="e2", score=-50, reason="technical")
    shown = {row["entrant"]: row for row in (await event.shown("/standings"))["rows"]}
    told = {row["entrant"]: row for row in await rows(event, "standings")}
    assert {each: row["penalty"] for each, row in told.items()} == {"e1": "1.50", "e2": "-0.50"}
    for entrant, row in told.items():
        assert shown[entrant]["carried"] > 0
        assert float(row["carried"]) == shown[entrant]["carried"] / 100
        assert float(row["score"]) == float(row["carried"]) - float(row["penalty"])


async def test_no_cell_is_a_formula(event: Event) -> None:
    for what in ("standings", "entrants", "pairings", "results"):
        text = (await file(event, format="csv", what=what)).text
        for row in csv.reader(io.StringIO(text, newline="")):
            for each in row:
                assert not each.startswith(("=", "+", "@", "\t", "\r"))
                assert not each.startswith("-") or float(each) <= 0


async def test_the_report_file_of_fide_is_told_or_refused(client: httpx.AsyncClient, event: Event) -> None:
    read = read_trf((await file(event, format="trf")).content)
    assert (len(read.competitors), read.paired, read.rounds) == (5, 1, 2)
    points = await Event.begun(client, 4)
    told = problem(await points.get("/export", params={"format": "trf"}), "export_not_possible")
    assert "not scored by them" in told["detail"]
    problem(await event.get("/export", params={"format": "xml"}), "invalid_parameter")
    problem(await event.get("/export", params={"at": 9999}), "event_not_found")


async def test_a_file_that_has_not_changed_is_not_sent_again(event: Event) -> None:
    first = await event.get("/export")
    again = await event.get("/export", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(table=st.lists(st.lists(TEXTS, min_size=2, max_size=4), min_size=1, max_size=5))
def test_every_table_reads_back_as_it_was_written(table: list[list[str]]) -> None:
    written = csv_of(table).decode()
    assert "\n" not in written.replace("\r\n", "")
    assert [*csv.reader(io.StringIO(written, newline=""))] == [[cell(each) for each in row] for row in table]


@given(text=TEXTS)
def test_what_marks_a_cell_can_be_taken_away_again(text: str) -> None:
    marked = cell(text)
    assert not marked.startswith(("=", "+", "@"))
    assert cell(plain(marked)) == marked
    assert plain(marked).replace("−", "-") == one_line(text).replace("−", "-")
