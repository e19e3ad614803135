"""Looking back: as a seat, as nobody, as everybody; never more than the caller may know (B6, O27 to O31)."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from domain.ending import adjudication
from domain.events import AnyEvent, decode
from domain.evolve import fold
from domain.evolve import replay as replayed
from domain.highlights import highlights
from domain.redaction import Viewer, redact
from domain.statistics import statistics
from domain.telling import tell
from domain.views import encode_view
from service.commands import Command
from service.running import Service
from service.settings import Settings
from tests.service.http.conftest import running
from tests.service.http.patience import until
from tests.service.http.tables import Headers, Table, guest, problem
from tests.service.http.test_worlds import POSITION, WORLDS, normal

NAMES = [f"Seat {seat}" for seat in range(6)]
PUBLIC_WATCH = {"who": "anyone"}


async def asked(table: Table, path: str, headers: Headers | None = None, code: bool = False) -> httpx.Response:
    if code:
        path += f"{'&' if '?' in path else '?'}code={table.code}"
    return await table.client.get(table.path + path, headers=headers or {})


async def recorded(table: Table) -> list[AnyEvent]:
    """Every event of a finished game, from its record."""
    record = (await table.get("/record")).content.splitlines()
    return [decode(line) for line in record[1:-1]]


async def finished(client: httpx.AsyncClient, requests: int = 12, **terms: Any) -> Table:
    """A listed game that was given up after some turns."""
    table = await Table.of(client, **({"visibility": "public", "watch": PUBLIC_WATCH} | terms))
    await table.start()
    await table.play(requests)
    assert (await table.move({"type": "resign"}, 1)).status_code == 201
    return table


async def broken_off(service: Service, table: Table) -> None:
    """End a game, its deals not yet revealed."""

    def decide(state: Any) -> Any:
        happened = adjudication(state, None, "ruling")
        return happened, fold(state, happened)

    live = await service.games.fresh(table.id)
    await service.games.perform(live, Command(actor="director", decide=decide))


# --- what is shown ---


async def test_a_moment_is_what_the_seat_saw_then(game: Table) -> None:
    seen: dict[tuple[int, int], Any] = {}
    for _ in range(5):
        for seat in range(4):
            shown = (await game.get(seat=seat)).json()
            seen[seat, shown["version"]] = shown["view"]
        await game.play(1)
    for (seat, version), view in seen.items():
        moment = (await game.get(f"/replay/{version}", seat=seat)).json()
        assert moment["view"] == view
        assert (moment["n"], moment["seat"], moment["all_hands"]) == (version, seat, False)
    await game.move({"type": "resign"}, 0)
    for (seat, version), view in seen.items():
        for path in (f"/replay/{version}", f"/replay/{version}?seat={seat}"):
            assert (await game.get(path, seat=seat)).json()["view"] == view


async def test_every_moment_of_a_finished_game_is_the_fold_of_its_record(client: httpx.AsyncClient) -> None:
    table = await finished(client, 60)
    happened = await recorded(table)
    stranger = await guest(client)
    for n in [1, 5, 6, 7, *range(8, len(happened) + 1, 9), len(happened)]:
        state = replayed(happened[:n])
        eyes: list[tuple[str, Viewer]] = [("?all_hands=true", "everyone"), ("", "watcher"), ("?seat=2", 2)]
        for query, viewer in eyes:
            answer = await asked(table, f"/replay/{n}{query}", stranger)
            moment = answer.json()
            assert msgspec.json.encode(moment["view"]) == msgspec.json.encode(
                msgspec.json.decode(encode_view(state, viewer))
            )
            event = redact(happened[n - 1], viewer)
            assert moment["event"] == msgspec.json.decode(msgspec.json.encode(event))
            assert moment["text"] == tell(event, NAMES)
            assert moment["last"] == len(happened)
            assert moment["previous"] == (n - 1 if n > 1 else None)
            assert moment["next"] == (n + 1 if n < len(happened) else None)


async def test_all_hands_can_be_looked_at_from_a_seat(client: httpx.AsyncClient) -> None:
    table = await finished(client, 4)
    moment = (await asked(table, "/replay/9?seat=2&all_hands=true")).json()
    assert (moment["seat"], moment["all_hands"], moment["view"]["seat"]) == (2, True, 2)
    assert all(held["cards"] for held in moment["view"]["holdings"])
    moment = (await table.get("/replay/9?all_hands=true")).json()
    assert (moment["seat"], moment["view"]["seat"]) == (None, None)


async def test_the_links_of_a_moment_lead_on(client: httpx.AsyncClient) -> None:
    table = await finished(client, 4)
    moment = (await asked(table, "/replay/3?seat=1", code=True)).json()
    for name, n in (("previous", 2), ("next", 4), ("first", 1), ("last", moment["last"])):
        found = (await client.get(moment["links"][name])).json()
        assert (found["n"], found["seat"]) == (n, 1)
    index = (await client.get(moment["links"]["index"])).json()
    assert (index["seat"], index["last"]) == (1, moment["last"])
    first = (await client.get(moment["links"]["first"])).json()
    last = (await client.get(moment["links"]["last"])).json()
    assert first["links"]["previous"] is None
    assert last["links"]["next"] is None


@pytest.mark.parametrize("n", ["0", "9999", "-1", "x", "1.0", "01", "٣", "99999999999999999999"])
async def test_an_event_that_is_not_there_is_told_so(game: Table, n: str) -> None:
    last = (await game.view())["version"]
    document = problem(await game.get(f"/replay/{n}"), "event_not_found")
    assert document["params"] == {"n": n, "last": last}


async def test_the_index_has_the_highlights_and_every_sentence_once(client: httpx.AsyncClient) -> None:
    table = await finished(client, 60)
    happened = await recorded(table)
    seen = [redact(event, 2) for event in happened]
    path: str | None = f"{table.path}/replay?seat=2&limit=50"
    texts: list[Any] = []
    pages = []
    while path is not None:
        answer = await client.get(path)
        page = answer.json()
        pages.append(page)
        texts += page["texts"]
        link = answer.links.get("next")
        assert (link is not None) == (page["next"] is not None)
        path = None if link is None else link["url"]
    assert texts == [
        {"n": event.n, "at": event.at, "type": event.__struct_config__.tag, "text": tell(event, NAMES)}
        for event in seen
    ]
    assert all(page["highlights"] is None for page in pages[1:])
    expected = msgspec.json.decode(msgspec.json.encode(highlights(seen)))
    assert [{**each, "text": texts[each["n"] - 1]["text"]} for each in expected] == pages[0]["highlights"]
    kinds = [each["kind"] for each in pages[0]["highlights"]]
    assert kinds[0] == "hand_start"
    assert kinds[-1] == "game_end"


async def test_statistics_are_those_of_the_record(client: httpx.AsyncClient) -> None:
    table = await finished(client, 30)
    expected = msgspec.json.decode(msgspec.json.encode(statistics(await recorded(table))))
    assert (await asked(table, "/statistics", await guest(client))).json() == expected


async def test_no_name_is_in_what_may_be_kept(client: httpx.AsyncClient) -> None:
    table = await finished(client, 4)
    for path in ("/replay/9?all_hands=true", "/replay?all_hands=true", "/statistics"):
        answer = await asked(table, path, table.seats[0])
        assert answer.headers["cache-control"] == "public, max-age=86400, immutable"
        assert "Player" not in answer.text


# --- who may see it ---

PATHS = ("/replay/8", "/replay", "/statistics")
OTHERS = ("?seat=2", "?all_hands=true")


async def test_a_running_game_shows_a_seat_its_own_and_nothing_else(game: Table) -> None:
    await game.play(3)
    for path in PATHS:
        assert (await game.get(path, seat=1)).status_code == 200
    assert (await game.get("/replay/8?seat=1", seat=1)).status_code == 200
    assert (await game.get("/replay?seat=1", seat=1)).status_code == 200
    for path in ("/replay/8", "/replay"):
        for query in OTHERS:
            document = problem(await game.get(path + query, seat=1), "record_not_public")
            assert document["params"] == {"status": "playing", "needed": "ended"}
        problem(await game.get(f"{path}?seat=4", seat=1), "unknown_seat")
        problem(await game.get(f"{path}?seat=1&all_hands=true", seat=1), "record_not_public")
        problem(await game.get(f"{path}?seat=4&all_hands=true", seat=1), "unknown_seat")
        problem(await game.get(f"{path}?seat=6", seat=1), "invalid_parameter")
    moment = (await game.get("/replay/8", seat=1)).json()
    assert [held["cards"] is not None for held in moment["view"]["holdings"]] == [False, True, False, False]


async def test_a_watcher_sees_what_lies_open_and_a_stranger_nothing(client: httpx.AsyncClient, game: Table) -> None:
    await game.play(3)
    stranger = await guest(client)
    for path in PATHS:
        problem(await asked(game, path), "game_not_found")
        problem(await asked(game, path, stranger), "game_not_found")
        assert (await asked(game, path, stranger, code=True)).status_code == 200
    for path in ("/replay/8", "/replay"):
        for query in OTHERS:
            problem(await asked(game, path + query, stranger, code=True), "record_not_public")
    moment = (await asked(game, "/replay/8", code=True)).json()
    assert (moment["seat"], moment["all_hands"]) == (None, False)
    assert not any(held["cards"] for held in moment["view"]["holdings"])


async def test_a_table_that_shows_itself_to_nobody_is_looked_back_at_by_its_seats(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, visibility="public", watch={"who": "nobody"})
    await table.start()
    for path in PATHS[1:]:
        problem(await asked(table, path), "watching_not_allowed")
        assert (await table.get(path)).status_code == 200
    problem(await asked(table, "/replay/1?seat=0"), "watching_not_allowed")
    await table.move({"type": "resign"}, 1)
    assert (await asked(table, "/replay/8?all_hands=true")).status_code == 200


async def test_who_opened_a_table_without_sitting_there_is_a_watcher(client: httpx.AsyncClient) -> None:
    owner = await guest(client)
    bots = [{"kind": "bot", "level": "random"}] * 2
    made = await client.post("/v1/games", json={"players": 2, "seats": bots}, headers=owner)
    path = f"/v1/games/{made.json()['id']}"
    await client.post(f"{path}/start", headers=owner)
    moment = await client.get(f"{path}/replay/6", headers=owner)
    assert not any(held["cards"] for held in moment.json()["view"]["holdings"])
    assert moment.json()["event"]["type"] == "dealt"
    assert "deck" not in moment.json()["event"]


async def test_before_the_reveal_an_ended_game_tells_no_more_than_a_running_one(settings: Settings) -> None:
    async with running(replace(settings, deadline_poll_seconds=60)) as (app, client):
        table = await Table.of(client, visibility="public", watch=PUBLIC_WATCH)
        await table.start()
        await table.play(2)
        await broken_off(app.state.service, table)
        assert (await table.view())["status"] == "ended"
        for headers in ({}, table.seats[0]):
            for path in ("/replay/8", "/replay"):
                for query in OTHERS:
                    document = problem(await asked(table, path + query, headers), "record_not_public")
                    assert document["params"] == {"status": "ended", "needed": "revealed"}
        moment = await asked(table, "/replay/8", table.seats[0])
        assert [held["cards"] is not None for held in moment.json()["view"]["holdings"]] == [True, False, False, False]
        assert moment.headers["cache-control"] == "no-store"
        body = {"n": 8, "seats": [{"kind": "you"}, *[{"kind": "open"}] * 3]}
        problem(await client.post(f"{table.path}/forks", json=body, headers=table.seats[0]), "record_not_public")


async def test_a_practice_game_is_open_to_all_who_may_see_it_once_it_has_ended(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, practice={"kind": "seed", "seed": "07"})
    await table.start()
    await table.play(2)
    problem(await table.get("/replay/8?all_hands=true"), "record_not_public")
    await table.move({"type": "resign"}, 1)
    for query in OTHERS:
        answer = await asked(table, f"/replay/8{query}", code=True)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "no-store"
        problem(await asked(table, f"/replay/8{query}"), "game_not_found")


async def test_a_sealed_game_is_looked_back_at_by_its_seats_only(client: httpx.AsyncClient) -> None:
    until = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    table = await Table.of(client, visibility="public", watch=PUBLIC_WATCH, sealed_until=until)
    await table.start()
    await table.play(2)
    for ended in (False, True):
        if ended:
            await table.move({"type": "resign"}, 1)
        for path in ("/replay/8", "/replay"):
            problem(await asked(table, path), "game_sealed")
            assert (await table.get(path)).status_code == 200
            for query in OTHERS:
                problem(await table.get(path + query), "game_sealed")
                problem(await asked(table, path + query), "game_sealed")
        problem(await asked(table, "/statistics"), "game_sealed")
        problem(await table.get("/statistics"), "game_sealed")
        body = {"n": 8, "seats": [{"kind": "you"}, *[{"kind": "open"}] * 3]}
        problem(await client.post(f"{table.path}/forks", json=body, headers=table.seats[0]), "game_sealed")


async def test_a_delayed_watcher_looks_back_no_further_than_they_may_see(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, visibility="public", watch={"who": "anyone", "delay_seconds": 600})
    await table.start()
    await table.play(3)
    first = await asked(table, "/replay/1")
    assert (first.json()["last"], first.json()["next"], first.headers["etag"]) == (1, None, '"1"')
    document = problem(await asked(table, "/replay/2"), "event_not_found")
    assert document["params"] == {"n": "2", "last": 1}
    index = (await asked(table, "/replay")).json()
    assert (index["last"], [told["type"] for told in index["texts"]], index["highlights"]) == (1, ["created"], [])
    assert (await asked(table, "/statistics")).json()["events"] == 1
    assert (await table.get("/replay/8")).status_code == 200
    await table.move({"type": "resign"}, 1)
    assert (await asked(table, "/replay/8?all_hands=true")).status_code == 200


async def test_who_takes_over_a_seat_sees_what_the_seat_saw_and_who_left_it_does_not(
    client: httpx.AsyncClient, game: Table
) -> None:
    await game.play(4)
    before = (await game.get("/replay/9", seat=3)).json()
    assert (await client.delete(f"{game.path}/seats/3", headers=game.seats[3])).status_code == 204
    newcomer = await guest(client, "Newcomer")
    joined = await client.post(f"{game.path}/seats", json={"code": game.code, "seat": 3}, headers=newcomer)
    assert joined.status_code == 201
    after = (await asked(game, "/replay/9", newcomer)).json()
    assert after["view"] == before["view"]
    assert after["event"] == before["event"]
    problem(await asked(game, "/replay/9", game.seats[3]), "game_not_found")
    watching = (await asked(game, "/replay/9", game.seats[3], code=True)).json()
    assert not any(held["cards"] for held in watching["view"]["holdings"])
    problem(await asked(game, "/replay/9?seat=3", game.seats[3], code=True), "record_not_public")


async def test_the_turn_of_a_stand_in_is_seen_as_the_seat_saw_it(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, players=2, clock={"move_seconds": 1}, visibility="public", watch=PUBLIC_WATCH)
    await table.start()
    async with asyncio.timeout(60):
        while not (stood_in := [told for told in await sentences(table) if told["type"] == "stood_in"]):
            await asyncio.sleep(0.1)
        n = stood_in[0]["n"]
        seat = (await table.get(f"/replay/{n}")).json()["event"]["seat"]
        assert stood_in[0]["text"] == f"A stand-in plays for Seat {seat} (absence)"
        while (await table.view())["version"] <= n:
            await asyncio.sleep(0.1)
    for holder in range(2):
        moment = (await table.get(f"/replay/{n + 1}", seat=holder)).json()
        assert moment["event"]["seat"] == seat
        if moment["event"]["type"] == "drew":
            assert isinstance(moment["event"]["cards"], list) == (holder == seat)
        assert [held["cards"] is not None for held in moment["view"]["holdings"]] == [holder == 0, holder == 1]
    watching = (await asked(table, f"/replay/{n}")).json()
    assert watching["view"]["stood_in"]
    assert watching["text"] == stood_in[0]["text"]


async def sentences(table: Table) -> list[Any]:
    found: list[Any] = (await table.get("/replay")).json()["texts"]
    return found


# --- entity tags and keeping ---


async def test_what_the_caller_has_already_is_not_sent_again(client: httpx.AsyncClient, game: Table) -> None:
    for path in PATHS:
        answer = await game.get(path)
        assert answer.headers["cache-control"] == "no-store"
        tag = answer.headers["etag"]
        again = await game.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    tag = (await game.get("/statistics")).headers["etag"]
    await game.move({"type": "draw"})
    for path in PATHS:
        assert (await game.get(path, headers={"If-None-Match": tag})).status_code == 200


async def test_only_an_address_that_says_all_may_be_kept_by_everybody(client: httpx.AsyncClient) -> None:
    listed = await finished(client, 3)
    unlisted = await finished(client, 3, visibility="unlisted")
    for path in ("/replay/7", "/replay"):
        own = await listed.get(path)
        named = await listed.get(f"{path}?seat=0")
        assert own.headers["cache-control"] == "no-store"
        assert named.headers["cache-control"] == "public, max-age=86400, immutable"
        assert own.json()["seat"] == 0
        # The same for whoever asks.
        assert (await asked(listed, f"{path}?seat=0")).content == named.content
        assert (await listed.get(f"{path}?seat=0", seat=2)).content == named.content
        assert (await asked(listed, f"{path}?seat=0", code=True)).headers["cache-control"] == "no-store"
        assert (await unlisted.get(f"{path}?seat=0")).headers["cache-control"] == "no-store"


async def test_nothing_of_a_game_under_way_may_be_kept(client: httpx.AsyncClient) -> None:
    table = await Table.of(client, visibility="public", watch=PUBLIC_WATCH)
    await table.start()
    for path in ("/replay/7?seat=0", "/replay?seat=0", "/statistics"):
        assert (await table.get(path)).headers["cache-control"] == "no-store"
    assert (await asked(table, "/statistics")).headers["cache-control"] == "no-store"


async def test_a_game_that_is_too_long_is_told_so(settings: Settings) -> None:
    async with running(replace(settings, review_events_max=10)) as (_, client):
        table = await finished(client, 6)
        for path in ("/replay", "/statistics"):
            document = problem(await asked(table, path), "game_too_long")
            assert document["params"]["limit"] == 10
        assert (await asked(table, "/replay?after=12")).status_code == 200
        assert (await asked(table, "/replay/12")).status_code == 200
        body = {"n": 8, "seats": [{"kind": "you"}, *[{"kind": "open"}] * 3]}
        problem(await client.post(f"{table.path}/forks", json=body, headers=table.seats[0]), "game_too_long")


async def test_one_game_is_gone_through_at_a_time_and_only_so_many_requests_wait(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(replace(settings, reviews_max=2)) as (app, client):
        table = await finished(client, 6)
        n = (await table.view())["version"] - 6
        body = {"n": n, "seats": [{"kind": "you"}, *[{"kind": "open"}] * 3]}
        reads: list[str] = []
        service: Service = app.state.service
        stored = service.games.stored

        async def counted(*arguments: Any) -> Any:
            reads.append("begun")
            return await stored(*arguments)

        monkeypatch.setattr(service.games, "stored", counted)
        async with service.reviews.turn():
            waiting = [
                asyncio.create_task(table.get("/statistics")),
                asyncio.create_task(client.post(f"{table.path}/forks", json=body, headers=table.seats[0])),
            ]
            await until(lambda: service.reviews._waiting == 2)
            document = problem(await table.get("/replay"), "busy")
            assert document["params"] == {"limit": 2}
            assert (await table.get("/replay/3")).status_code == 200
            assert reads == [], "nothing is read before its turn"
        assert [answer.status_code for answer in await asyncio.gather(*waiting)] == [200, 201]
        assert (await table.get("/replay")).status_code == 200
        assert len(reads) == 3


# --- two worlds ---


def timeless(text: str) -> str:
    """The text without what is drawn at random, and without how long things took."""
    return re.sub(r'milliseconds":\d+', 'milliseconds":TIME', normal(text))


@pytest.mark.parametrize("viewer", ["seat", "watcher"])
async def test_looking_back_shows_hidden_cards_in_no_byte(client: httpx.AsyncClient, viewer: str) -> None:
    tables = []
    for world in WORLDS:
        table = await Table.of(client, practice={"kind": "position", "position": POSITION | world})
        await table.start()
        tables.append(table)
    visible: list[tuple[int, Any]] = [
        (1, {"type": "draw"}), (1, {"type": "discard", "cards": ["5C"]}), (2, {"type": "draw"}),
        (2, {"type": "discard", "cards": ["8H"]}), (3, {"type": "draw"}), (3, {"type": "discard", "cards": ["4S"]}),
    ]  # fmt: skip
    for seat, body in visible:
        for table in tables:
            answer = await table.move(body, seat)
            assert answer.status_code == 201, answer.text
    last = (await tables[0].view())["version"]
    paths = [*(f"/replay/{n}" for n in range(last + 2)), "/replay", "/replay?after=7&limit=3", "/statistics"]
    paths += [f"/replay/{last}{query}" for query in ("?seat=2", "?seat=3", "?all_hands=true", "?seat=0")]
    for path in paths:
        answers = [
            await asked(table, path, table.seats[0] if viewer == "seat" else {}, code=viewer == "watcher")
            for table in tables
        ]
        shown = [(answer.status_code, answer.headers.get("etag"), timeless(answer.text)) for answer in answers]
        assert shown[0] == shown[1], path
    holders = [normal((await asked(table, f"/replay/{last}", table.seats[2])).text) for table in tables]
    assert holders[0] != holders[1]
