"""The stream of a tournament: commands once only, states as of any event, texts that can be forgotten."""

import asyncio
from datetime import UTC, datetime
from typing import Any
from zoneinfo import available_timezones

import pytest

from domain.tournaments.acts import Announce, CloseRegistration
from domain.tournaments.events import AnyTournamentEvent, Retitled
from domain.tournaments.fold import replayed
from domain.tournaments.formats import Danish
from domain.tournaments.given import Given
from domain.tournaments.state import Tournament
from service.commands import KeyConflict, StaleVersion
from service.store.append import EVENTS_MAX
from service.tournaments.commands import (
    TournamentCommand,
    TournamentTooLarge,
    TournamentUnknown,
    VersionNotReached,
)
from service.tournaments.ids import is_tournament, new_tournament_id
from service.tournaments.opening import open_tournament
from service.tournaments.texts import new_text, texts_of
from tests.service.tournaments.checks import stream_of
from tests.service.tournaments.conftest import Open
from tests.service.tournaments.hall import ORGANISER, SECONDS_MAX, Hall, terms_of

DIGEST = "a" * 64


async def test_a_repeated_command_has_its_first_answer_on_every_worker(open_hall: Open) -> None:
    hall = await open_hall(2)
    live = await hall.announce(terms_of(Danish(rounds=1)))
    await hall.until(live, lambda state: state.status == "registration")
    first = await hall.act(live, CloseRegistration(), key="once", digest=DIGEST)
    await hall.settle(live)
    for service in hall.workers:
        again = await hall.act(live, CloseRegistration(), service, key="once", digest=DIGEST)
        assert (again.replayed, again.first_version) == (True, first.first_version)
        assert again.state == first.state
    with pytest.raises(KeyConflict):
        await hall.act(live, CloseRegistration(), key="once", digest="b" * 64)


async def test_a_tournament_announced_twice_is_one(hall: Hall) -> None:
    tournament = new_tournament_id()
    done = [
        await open_tournament(
            hall.service.tournaments, tournament_id=tournament, organiser=ORGANISER, title=title,
            terms=terms_of(Danish(rounds=1)), now=datetime.now(UTC), zones=available_timezones(),
            key="once", digest=DIGEST,
        )
        for title in ("The cup", "The cup")
    ]  # fmt: skip
    assert [each.replayed for each in done] == [False, True]
    assert done[0].state.commitment == done[1].state.commitment
    assert await hall.pool.fetchval("select count(*) from secret where game = $1", tournament) == 1


async def test_who_saw_an_older_version_is_told(hall: Hall) -> None:
    live = await hall.announce(terms_of(Danish(rounds=1)))
    await hall.until(live, lambda state: state.status == "registration")
    with pytest.raises(StaleVersion) as stale:
        await hall.act(live, CloseRegistration(), expected=1)
    assert stale.value.current == live.state.version


async def test_the_state_as_of_any_event_is_that_of_its_events(open_hall: Open) -> None:
    hall = await open_hall(2)
    live = await hall.begin(terms_of(Danish(rounds=1)), 4)
    await hall.play_round(live)
    await hall.until(live, lambda state: state.revealed)
    happened = await stream_of(hall, live)
    other = hall.workers[1].tournaments
    cold = await other.find(live.id)
    for n in [*range(len(happened), 0, -3), 1, 2]:
        assert await other.at(cold, n) == replayed(live.id, happened[:n])
    assert (await hall.fresh(live)) == (await other.fresh(live.id)).state


@pytest.mark.parametrize("ahead", [-100, 1, 1000])
async def test_a_version_that_there_is_not_is_no_state(hall: Hall, ahead: int) -> None:
    live = await hall.announce(terms_of(Danish(rounds=1)))
    await hall.until(live, lambda state: state.status == "registration")
    await hall.settle(live)
    version = live.state.version + ahead
    async with asyncio.timeout(SECONDS_MAX):
        with pytest.raises(VersionNotReached) as missing:
            await hall.service.tournaments.at(live, version)
    assert (missing.value.tournament, missing.value.version) == (live.id, version)


async def test_no_command_is_larger_than_an_append(hall: Hall) -> None:
    live = await hall.announce(terms_of(Danish(rounds=1)))

    def titles(state: Tournament, _now: datetime, _draw: Any) -> list[AnyTournamentEvent]:
        text, _ = new_text("title", "x", ORGANISER)
        return [Retitled(n=state.version + n, by="x", title=text) for n in range(1, EVENTS_MAX + 2)]

    with pytest.raises(TournamentTooLarge) as large:
        await hall.service.tournaments.perform(live, TournamentCommand(actor="x", decide=titles))
    assert (large.value.limit, large.value.most) == ("events", EVENTS_MAX)


async def test_what_is_previewed_is_not_stored(hall: Hall) -> None:
    live = await hall.announce(terms_of(Danish(rounds=1)))
    await hall.until(live, lambda state: state.status == "registration")
    await hall.settle(live)
    stored = len(await stream_of(hall, live))

    def titled(state: Tournament, _now: datetime, _draw: Any) -> list[AnyTournamentEvent]:
        return [Retitled(n=state.version + 1, by="x", title=new_text("title", "x", ORGANISER)[0])]

    before, happened, after = await hall.service.tournaments.preview(live, titled)
    assert (before.version, after.version, len(happened)) == (stored, stored + 1, 1)
    assert len(await stream_of(hall, live)) == stored


async def test_everybody_is_rung_for_what_one_worker_appends(open_hall: Open) -> None:
    hall = await open_hall(2)
    live = await hall.announce(terms_of(Danish(rounds=1)))
    await hall.until(live, lambda state: state.status == "registration")
    await hall.settle(live)
    await asyncio.sleep(0.3)
    with hall.workers[1].bell.listen(live.id) as listener:
        done = await hall.act(live, CloseRegistration())
        async with asyncio.timeout(SECONDS_MAX):
            while await listener.wait(done.first_version - 1, SECONDS_MAX) < done.first_version:
                pass


async def test_texts_stand_beside_the_log_and_can_be_erased(hall: Hall) -> None:
    live = await hall.announce(terms_of(Danish(rounds=1)))
    await hall.until(live, lambda state: state.status == "registration")
    text, kept = new_text("announcement", "Grüße an alle", ORGANISER)
    await hall.act(live, Announce(text="Grüße an alle"), given=Given(text=text), writes=(kept,))
    bodies = b"".join(event.body for event in await hall.service.store.read(live.id, 0, 100))
    assert "Grüße".encode() not in bodies
    assert b"The cup" not in bodies
    title = live.state.title.id
    assert await texts_of(hall.pool, live.id, [title, text.id]) == {title: "The cup", text.id: "Grüße an alle"}
    await hall.pool.execute("update tournament_text set key = null, body = null where id = $1", text.id)
    assert await texts_of(hall.pool, live.id, [title, text.id]) == {title: "The cup"}


async def test_only_ids_of_tournaments_are_tournaments(hall: Hall) -> None:
    tournament = new_tournament_id()
    assert is_tournament(tournament)
    for other in ("g" + tournament[1:], tournament[:-1], tournament + "0", tournament.upper(), "t-bench", ""):
        assert not is_tournament(other)
        with pytest.raises(TournamentUnknown):
            await hall.service.tournaments.find(other)
    with pytest.raises(TournamentUnknown):
        await hall.service.tournaments.find(tournament)
