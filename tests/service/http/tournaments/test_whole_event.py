"""A whole event through the interface: the podium, the records, the archive and the ratings are right afterwards.

Held with 16 pairs; `MELDHOUSE_EVENT_PAIRS=64` holds it with as many as one likes.
"""

import asyncio
import math
import os
from typing import Any, Final

import httpx
from openskill.models import PlackettLuce

from service.audit.run import Audit, Options
from service.settings import Settings
from tests.service.http.patience import eventually
from tests.service.http.tournaments.whole_event import LATE_ROUND, ROUNDS, WholeEvent

PAIRS: Final = int(os.environ.get("MELDHOUSE_EVENT_PAIRS", "16"))
POOL: Final = "canasta-4"
FORFEIT: Final = (1400, 600)
BYE: Final = 1200
MISSED: Final = 800
"""What a round before the first of a late pair counts: 40 % of a match, once."""

MARGIN: Final = 3000
TOLERANCE: Final = 1e-6


def victory_points(margin: int) -> int:
    """Hundredths for a margin after one hand, worked out from the published formula and nothing of the service."""
    ratio = ((math.sqrt(5) - 1) / 2) ** 3
    part = min(abs(margin) / MARGIN, 1.0)
    winner = math.floor((10 + 10 * (1 - math.pow(ratio, part)) / (1 - ratio)) * 100 + 0.5)
    return winner if margin >= 0 else 2000 - winner


async def scores(whole: WholeEvent) -> dict[str, int]:
    """Hundredths by entrant, from what was played at the tables, the rulings and the byes."""
    event = whole.event
    found = dict.fromkeys(event.teams, 0)
    found[whole.late] += MISSED * (LATE_ROUND - 1)
    for number in range(1, ROUNDS + 1):
        shown = await event.round(number)
        for entrant, bye in shown["byes"].items():
            found[entrant] += BYE if bye == "bye" else 0
        for match in shown["matches"]:
            (north,), (east,) = match["sides"]
            if match["ruling"] is not None and match["ruling"]["adjustment"]["kind"] == "forfeit":
                found[north] += FORFEIT[0]
                found[east] += FORFEIT[1]
                continue
            (result,) = match["results"]
            own, other = (sum(hand[side] for hand in result["hands"]) for side in (0, 1))
            if match["id"] == whole.ruled:
                own, other = other, own
            found[north] += victory_points(own - other)
            found[east] += victory_points(other - own)
    return found


async def test_a_whole_event_is_right_in_the_end(client: httpx.AsyncClient, settings: Settings) -> None:
    whole = await WholeEvent.held(client, PAIRS)
    event = whole.event
    shown = await event.shown()
    assert (shown["status"], shown["obstacle"]) == ("finished", None)
    assert len(event.teams) == PAIRS + 1
    await _podium(whole, shown)
    await _boards(whole)
    await _records(whole)
    await _ratings(whole)
    await _log(whole)
    assert settings.database_url is not None
    report = await asyncio.to_thread(Audit(Options(url=settings.database_url, rules=False)).run)
    assert report.ok, report.findings
    assert report.counts.tournaments == 1


async def _podium(whole: WholeEvent, shown: dict[str, Any]) -> None:
    standings = await whole.event.shown("/standings")
    assert standings["complete"]
    reckoned = await scores(whole)
    assert {row["entrant"]: row["score"] for row in standings["rows"]} == reckoned
    order = [row["entrant"] for row in standings["rows"]]
    assert shown["order"] == order
    assert [reckoned[each] for each in order] == sorted(reckoned.values(), reverse=True)
    best = sorted(reckoned.values(), reverse=True)[:3]
    assert [reckoned[each] for each in order[:3]] == best
    rows = {row["entrant"]: row for row in standings["rows"]}
    assert rows[whole.left]["status"] == "withdrawn"
    assert rows[whole.late]["played"] == ROUNDS - LATE_ROUND + 1 or rows[whole.late]["status"] == "withdrawn"
    # What stood before the ruling can still be seen, and whom the ruling moved.
    ruling = (await whole.event.shown(f"/matches/{whole.ruled}"))["ruling"]
    match = await whole.event.shown(f"/matches/{whole.ruled}", at=ruling["n"] - 1)
    assert (match["ruling"], match["points"]) == (None, [*reversed(ruling["adjustment"]["points"])])
    before, after = [
        {row["entrant"]: row["score"] for row in (await whole.event.shown("/standings", at=version))["rows"]}
        for version in (ruling["n"] - 1, ruling["n"])
    ]
    (north,), (east,) = match["sides"]
    won = match["score"][0] - match["score"][1]
    assert {each: after[each] - before[each] for each in after if after[each] != before[each]} == (
        {north: -won, east: won} if won else {}
    )


async def _boards(whole: WholeEvent) -> None:
    """Everybody played the same boards, and each of them once."""
    listed = (await whole.event.shown("/boards"))["boards"]
    assert [each["status"] for each in listed] == ["told"] * ROUNDS
    for number in range(1, ROUNDS + 1):
        matches = (await whole.event.round(number))["matches"]
        assert {tuple(match["boards"]) for match in matches} == {(number,)}
        board = await whole.event.shown(f"/boards/{number}")
        played = {table["match"]: table["points"] for table in board["tables"] if table["points"] is not None}
        assert played == {
            match["id"]: match["points"] for match in matches if match["how"] is None or match["id"] == whole.ruled
        }


async def _records(whole: WholeEvent) -> None:
    client = whole.event.client
    games = [game for match in await whole.matches() for table in match["tables"] for game in table["games"]]
    assert len(games) == len(set(games))
    for game in games:
        # The deals of each game are revealed by a timer of its own, once the boards are.
        await eventually(lambda game=game: _is_revealed(whole, game))  # type: ignore[misc]
        answer = await client.get(f"/v1/games/{game}/verification", headers=whole.event.director)
        assert answer.status_code == 200, answer.text
        verdict = answer.json()
        assert verdict["ok"], verdict


async def _is_revealed(whole: WholeEvent, game: str) -> bool:
    answer = await whole.event.client.get(f"/v1/games/{game}/record", headers=whole.event.director)
    return answer.status_code == 200


async def _ratings(whole: WholeEvent) -> None:
    """Every match that was played moved four ratings once, as the model says."""
    played = {match["id"]: match for match in await whole.matches() if match["id"] in await _rated(whole)}

    async def are_rated() -> bool:
        return len(await _changes(whole)) == len(played)

    await eventually(are_rated)
    changes = await _changes(whole)
    told = [next(iter(each.values()))["match"] for each in changes.values()]
    assert sorted(told) == sorted(played)
    model = PlackettLuce(mu=25, sigma=25 / 3, beta=25 / 6, kappa=0.0001, tau=25 / 300)
    known = {person.id: model.rating() for team in whole.event.teams.values() for person in team.persons}
    for sequence in sorted(changes):
        moved = changes[sequence]
        match = played[next(iter(moved.values()))["match"]]
        (table,) = match["tables"]
        sides = [[seat["player"] for seat in table["seats"] if [seat["entrant"]] == side] for side in match["sides"]]
        ranks = [1 + sum(other > own for other in match["points"]) for own in match["points"]]
        assert {*moved} == {player for side in sides for player in side}
        rated = model.rate([[known[player] for player in side] for side in sides], ranks=ranks)
        for side, after in zip(sides, rated, strict=True):
            known |= dict(zip(side, after, strict=True))
        for player, change in moved.items():
            assert math.isclose(change["after"]["mu"], known[player].mu, abs_tol=TOLERANCE)
            assert math.isclose(change["after"]["sigma"], known[player].sigma, abs_tol=TOLERANCE)


async def _changes(whole: WholeEvent) -> dict[int, dict[str, dict[str, Any]]]:
    """What each result has changed, by its place in the pool and by player."""
    changes: dict[int, dict[str, dict[str, Any]]] = {}
    for team in whole.event.teams.values():
        for person in team.persons:
            answer = await whole.event.client.get(f"/v1/players/{person.id}/ratings/{POOL}/changes?limit=200")
            for change in answer.json()["changes"] if answer.is_success else ():
                changes.setdefault(change["sequence"], {})[person.id] = change
    return changes


async def _rated(whole: WholeEvent) -> set[str]:
    return {match["id"] for match in await whole.matches() if match["how"] is None or match["id"] == whole.ruled}


async def _log(whole: WholeEvent) -> None:
    acts: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = await whole.event.shown("/acts", after=after, limit=1000)
        acts += page["acts"]
        after = page["next"]
    told = [each["event"] for each in acts if each["by"] == whole.event.organiser.id]
    assert told.count("round_paired") == told.count("round_started") == told.count("round_closed") == ROUNDS
    assert told.count("ruling_issued") == 2
    assert [each["reason"] for each in acts if each["event"] == "ruling_issued"] == ["absence", "scoring_error"]
    assert [each["by"] for each in acts if each["event"] == "withdrawn"] == [
        whole.event.teams[whole.left].persons[0].id
    ]
