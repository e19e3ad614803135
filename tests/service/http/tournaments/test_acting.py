"""Directing: each act once, looked at beforehand, done, told in the log."""

import asyncio
from datetime import datetime
from typing import Any, get_args

import httpx
from msgspec import json

from domain.tournaments import directing
from domain.tournaments.acts import Act, Enter
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import fold
from domain.tournaments.given import Draw
from domain.tournaments.state import Tournament
from service.automata import bot_player
from service.running import Service
from service.tournaments.commands import TournamentCommand
from tests.service.http.tables import problem
from tests.service.http.tournaments.event import BY_HAND, Event, Person, rows, stage_of

DANISH = {"kind": "danish", "rounds": 4}
CLOCKED = {"length": {"kind": "hands", "hands": 1}, "minutes": 60}


class Desk:
    """A long day at a director's desk, on which everything happens that can."""

    def __init__(self, event: Event) -> None:
        self.event = event

    async def registration(self) -> None:
        event = self.event
        opened = await event.tried("open_registration")
        assert (opened["changes"]["status_old"], opened["changes"]["status_new"]) == ("announced", "registration")
        for _ in range(5):
            await event.enter()
        preview = await event.tried("enter", bots=["greedy"], name="The machine")
        assert rows(preview["changes"]["entrants"], "entrant", "old", "new") == [("e6", None, "entered")]
        assert (await event.shown("/entrants/e6"))["name"] == "The machine"
        person = await Person.new(event.client, "Grace")
        await event.tried("enter", players=[person.id])
        assert not (await event.shown("/entrants/e7"))["agreed"]
        await event.done("POST", "/entrants/e7/consent", person.headers)
        await event.tried("check_in", entrants=["e1", "e2"])
        await event.tried("withdraw", entrant="e2", reason="request", note="Ill, may be back")
        await event.tried("return", entrant="e2")
        await event.tried("disqualify", entrant="e3", reason="conduct")
        await event.tried("return", entrant="e3")
        other = await Person.new(event.client, "Hedy")
        await event.tried("enter", players=[other.id])
        await event.done("POST", "/entrants/e8/consent", other.headers)
        preview = await event.tried("admit", entrant="e8")
        assert rows(preview["changes"]["entrants"], "entrant", "old", "new") == [("e8", "waiting", "entered")]
        await event.tried("give_bye", entrant="e4", rounds=[1], bye="half_bye")
        machine = (await event.shown("/entrants/e6"))["members"][0]["player"]
        human = await Person.new(event.client, "Joan")
        await event.tried("substitute", entrant="e6", outgoing=machine, incoming=human.id)
        await event.done("POST", "/entrants/e6/consent", human.headers)
        await event.tried("close_registration")
        preview = await event.tried("seed", by="drawn")
        assert preview["lots"] == ["seeds"]
        await event.tried("open_registration")
        for by in ("rating", "entry"):
            await event.tried("seed", by=by)
        order = ["e8", "e7", "e6", "e5", "e4", "e3", "e2", "e1"]
        preview = await event.tried("seed", by="order", order=order)
        assert {(each["entrant"], each["seed_new"]) for each in preview["changes"]["entrants"]} >= {
            ("e8", 1),
            ("e1", 8),
        }
        await event.tried("forbid_pairing", pair=["e1", "e2"])
        await event.tried("allow_pairing", pair=["e1", "e2"])
        await event.tried("close_registration")
        await event.until(lambda shown: "lots" in shown["lots"])

    async def pairing(self) -> None:
        event = self.event
        preview = await event.tried("start")
        assert preview["changes"]["status_new"] == "running"
        preview = await event.tried("pair", pinned=[["e1", "e8"]], byes={"e7": "bye"})
        sides = [each["new"] for each in preview["changes"]["pairings"]]
        assert [["e1"], ["e8"]] in sides
        assert rows(preview["changes"]["byes"], "entrant", "new") == [("e7", "bye"), ("e4", "half_bye")]
        preview = await event.tried("undo_pairing", round=1)
        assert all(each["new"] is None for each in preview["changes"]["pairings"])
        matches = [{"sides": [["e1"], ["e2"]]}, {"sides": [["e3"], ["e5"]]}, {"sides": [["e6"], ["e8"]]}]
        await event.tried("pair_by_hand", matches=matches, byes={"e4": "half_bye", "e7": "bye"})
        preview = await event.tried("swap", round=1, entrants=["e2", "e3"])
        assert [each["new"] for each in preview["changes"]["pairings"]] == [[["e1"], ["e3"]], [["e2"], ["e5"]]]

    async def first_round(self) -> None:
        event = self.event
        preview = await event.tried("start_round", round=1)
        assert rows(preview["changes"]["rounds"], "round", "old", "new") == [(1, "paired", "started")]
        first = await event.dealt(1)
        preview = await event.tried("change_clock", round=1, minutes=15)
        assert {each["match"] for each in preview["changes"]["clocks"]} == {None}
        await event.tried("change_clock", round=1, due_at="2999-01-01T00:00:00Z", matches=["r1m3"])
        assert (await event.shown("/matches/r1m3"))["due_at"] == "2999-01-01T00:00:00Z"
        await event.tried("note_no_show", match="r1m1", entrant="e3")
        assert (await event.shown("/matches/r1m1"))["missing"] == ["e3"]
        preview = await event.tried("forfeit", match="r1m1", entrants=["e3"], reason="absence", note="Never seen")
        assert rows(preview["changes"]["results"], "match", "score_new", "how_new") == [("r1m1", [1400, 600], "ruling")]
        look = {"act": "adjudicate", "match": "r1m2", "table": 2, "reason": "technical"}
        while_all_play = await event.ask("POST", "/acts?dry_run=true", event.director, look)
        assert "call_time" in problem(while_all_play, "match_wrong_status")["params"]["needed"]
        await event.tried("call_time", round=1, matches=["r1m2"])
        preview = await event.tried("adjudicate", match="r1m2", table=2, reason="technical")
        assert rows(preview["changes"]["results"], "match") == [("r1m2",)]
        assert first["matches"][1]["tables"][0]["games"] == [(await event.shown("/matches/r1m2"))["results"][0]["game"]]
        await event.tried("record_result", match="r1m3", table=3, hands=[[900, 250]])
        preview = await event.tried(
            "rule",
            match="r1m3",
            adjustment={"kind": "points", "points": [250, 900]},
            reason="scoring_error",
            note="Sic",
        )
        (changed,) = preview["changes"]["results"]
        assert (changed["points_old"], changed["points_new"]) == ([900, 250], [250, 900])
        assert {each["entrant"] for each in preview["changes"]["ranks"]} >= {"e6", "e8"}
        penalty = await event.tried("penalty", entrant="e8", score=100, reason="slow_play", note="Twice")
        number = penalty["events"][0]["n"]
        assert rows(penalty["changes"]["ranks"], "entrant", "score_old", "score_new")
        await event.tried("lift_penalty", penalty=number, reason="agreement")
        await event.tried("publish_standings")
        await event.tried("close_round", round=1)

    async def stages(self) -> None:
        event = self.event
        await event.begin_round(2)
        for match in (await event.round(2))["matches"]:
            await event.act("record_result", match=match["id"], table=match["tables"][0]["table"], hands=[[500, 400]])
        preview = await event.tried("end_stage")
        assert rows(preview["changes"]["rounds"], "round", "new") == [(2, "closed")]
        assert (await event.shown())["stage"] == 1
        await event.tried("advance", qualifiers=4)
        shown = await event.shown()
        assert (shown["stage"], shown["terms"]["stages"][2]["qualifiers"]) == (2, 4)
        preview = await event.tried("announce", text="Coffee is ready.")
        assert preview["changes"]["announcements"] == 1
        assert [each["text"] for each in (await event.shown())["announcements"]] == ["Coffee is ready."]
        await event.tried("finish")
        await event.tried("reopen", reason="scoring_error")
        await event.tried("cancel", reason="other", note="The lights went out")
        assert (await event.shown())["cancelled"] == "other"
        heir = await Person.new(event.client, "Heir")
        assert (await event.tried("hand_over", player=heir.id))["changes"]["organiser"] == heir.id


async def on_a_ladder(client: httpx.AsyncClient) -> Event:
    """Challenges that only the director deals with."""
    event = await Event.begun(client, 3, stage_of({"kind": "ladder", "days": 3}))
    wanted = {"challenger": "e3", "challenged": "e2"}
    asked = {"challenger": "e3", "challenged": "e2", "old": "asked"}
    await event.done("POST", "/challenges", event.teams["e3"].headers, wanted)
    preview = await event.tried("take_back_challenge", challenger="e3", reason="request")
    assert preview["changes"]["challenges"] == [asked | {"new": None}]
    await event.done("POST", "/challenges", event.teams["e3"].headers, wanted)
    preview = await event.tried("answer_challenge", challenger="e3", accepted=True)
    assert preview["changes"]["challenges"] == [asked | {"new": "accepted"}]
    log = (await event.shown("/acts", limit=1000))["acts"]
    assert [each["told"] for each in log if each["by"] == event.organiser.id][-2:] == [
        "The challenge of Player 3 (e3) to Player 2 (e2) is taken back",
        "Player 2 (e2) accepts the challenge of Player 3 (e3)",
    ]
    return event


async def test_every_act_is_told_beforehand_as_it_then_happens(client: httpx.AsyncClient) -> None:
    event = await Event.announce(
        client,
        stage_of(DANISH, match=CLOCKED),
        stage_of({"kind": "danish", "rounds": 1}, qualifiers=6),
        stage_of({"kind": "elimination"}, qualifiers=2),
        registration={"opens_at": "2999-01-01T00:00:00Z", "capacity": 7, "late_rounds": 2},
        pace=BY_HAND | {"no_show_minutes": None},
        stand_in_level="greedy",
    )
    desk = Desk(event)
    await desk.registration()
    await desk.pairing()
    await desk.first_round()
    await desk.stages()
    ladder = await on_a_ladder(client)
    assert {*event.acts, *ladder.acts} == {each.__struct_config__.tag for each in get_args(Act)}
    log = (await event.shown("/acts", limit=1000))["acts"]
    told = {each["event"]: each for each in log}
    assert {each["by"] for each in log if each["event"] not in ("entered", "consented")} == {event.organiser.id}
    assert (told["withdrawn"]["reason"], told["ruling_issued"]["text"]) == ("conduct", "Sic")
    assert (told["tournament_cancelled"]["text"], told["announced"]["text"]) == (
        "The lights went out", "Coffee is ready.",
    )  # fmt: skip
    assert all(each["told"] for each in log)


async def test_the_end_of_a_clock_is_given_as_the_times_of_the_terms_are(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stage_of(match=CLOCKED), time_zone="Europe/Rome")
    await event.begin_round(1)
    for due_at, moment in (
        ("2061-07-01T19:30:00Z", "2061-07-01T19:30:00Z"),
        ("2061-07-01T19:30:00+05:30", "2061-07-01T14:00:00Z"),
        ("2061-07-01T19:30:00", "2061-07-01T17:30:00Z"),
        # Put forward at two o'clock, put back at three.
        ("2061-03-27T02:30:00", "2061-03-27T01:30:00Z"),
        ("2061-10-30T02:30:00", "2061-10-30T00:30:00Z"),
    ):
        preview = await event.tried("change_clock", round=1, due_at=due_at)
        assert rows(preview["changes"]["clocks"], "new") == [(moment,)]
        assert (await event.shown())["round"]["due_at"] == moment


async def test_a_time_that_is_none_ends_no_clock(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4, stage_of(match=CLOCKED), time_zone="Europe/Rome")
    await event.begin_round(1)
    for due_at in ("2061-07-01", "19:30", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+14:00", "2061-02-29T19:30:00"):
        await event.refused("time_invalid", "change_clock", round=1, due_at=due_at)


async def test_an_act_is_done_once_for_a_key(client: httpx.AsyncClient) -> None:
    event = await Event.open(client, stand_in_level="greedy")
    body = {"act": "enter", "bots": ["greedy"]}
    answers = [await event.ask("POST", "/acts", event.director, body, Idempotency_Key="k") for _ in range(3)]
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.content for answer in answers}) == 1
    assert (await event.shown())["entered"] == 1
    other = {"act": "enter", "bots": ["greedy"], "name": "Another"}
    problem(await event.ask("POST", "/acts", event.director, other, Idempotency_Key="k"), "idempotency_key_reused")
    # The first answer is given also after more has happened.
    await event.act("enter", bots=["greedy"])
    again = await event.ask("POST", "/acts", event.director, body, Idempotency_Key="k")
    assert again.content == answers[0].content
    assert (await event.shown())["entered"] == 2


async def test_a_key_of_an_act_that_was_refused_or_only_looked_at_is_free(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    problem(
        await event.ask("POST", "/acts", event.director, {"act": "pair"}, Idempotency_Key="k"),
        "tournament_wrong_status",
    )
    body = {"act": "close_registration"}
    assert (await event.ask("POST", "/acts?dry_run=true", event.director, body, Idempotency_Key="k")).is_success
    assert (await event.shown())["status"] == "registration"
    assert (await event.ask("POST", "/acts", event.director, body, Idempotency_Key="k")).is_success
    assert (await event.shown())["status"] == "closed"


async def test_an_act_on_a_version_that_is_past_changes_nothing(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    shown = await event.shown()
    await event.enter()
    for query in ("", "?dry_run=true"):
        answer = await event.ask(
            "POST", f"/acts{query}", event.director, {"act": "close_registration"}, If_Match=f'"{shown["version"]}"'
        )
        told = problem(answer, "stale_version")
        assert told["params"]["current_version"] == shown["version"] + 1
    assert (await event.shown())["status"] == "registration"
    answer = await event.ask(
        "POST", "/acts", event.director, {"act": "close_registration"}, If_Match=str(shown["version"] + 1)
    )
    assert answer.is_success


async def test_two_who_pair_the_next_round_at_once_have_one_round(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    answers = await asyncio.gather(*(event.ask("POST", "/acts", event.director, {"act": "pair"}) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
    assert len((await event.shown("/rounds"))["rounds"]) == 1


async def test_long_lists_of_changes_are_cut_and_say_so(client: httpx.AsyncClient) -> None:
    event = await Event.begun(client, 4)
    whole = await event.preview("pair")
    answer = await event.done("POST", "/acts?dry_run=true&most=1", event.director, {"act": "pair"})
    assert answer["changes"]["pairings"] == whole["changes"]["pairings"][:1]
    assert answer["cut"] == {"pairings": 2}
    assert whole["cut"] == {}
    answer = await event.done("POST", "/acts?most=0", event.director, {"act": "pair"})
    assert (answer["events"], answer["cut"]["events"]) == ([], 1)


async def test_what_is_no_act_is_refused_with_the_place(client: httpx.AsyncClient) -> None:
    event = await Event.open(client)
    bodies: tuple[Any, ...] = (
        {}, [], None, "pair", {"act": "dance"}, {"act": "pair", "extra": 1}, {"act": "rule", "match": "r1m1"},
        {"act": "penalty", "entrant": "e1", "score": 1.5, "reason": "other"},
        {"act": "penalty", "entrant": "e1", "score": 10**30, "reason": "other"},
        {"act": "announce", "text": ""}, {"act": "announce", "text": "x" * 2001}, {"act": "announce", "text": "\0"},
        {"act": "enter", "bots": ["greedy"], "name": "\0"}, {"act": "enter", "bots": ["greedy"], "name": "a\nb"},
        {"act": "enter", "players": ["\0"]}, {"act": "enter", "bots": ["greedy"], "avoid": ["\n"]},
        {"act": "withdraw", "entrant": "e1", "note": "\0"}, {"act": "pair", "byes": {"\0": "bye"}},
        {"act": "substitute", "entrant": "e1", "outgoing": "x", "incoming": "\0"},
        {"act": "check_in", "entrants": ["e1"] * 5001},
        {"act": "give_bye", "entrant": "e1", "rounds": [0], "bye": "bye"},
        {"act": "start", "reason": "whim"}, {"act": "enter", "bots": ["greedy"] * 13},
    )  # fmt: skip
    for body in bodies:
        answer = await client.post(
            f"{event.path}/acts",
            content=json.encode(body),
            headers=event.director | {"Content-Type": "application/json"},
        )
        problem(answer, "invalid_body")


async def test_refusals_change_nothing(client: httpx.AsyncClient) -> None:
    """One act of each kind that cannot be done here, both looked at and in earnest."""
    event = await Event.begun(client, 4, stage_of(DANISH))
    before = await event.shown()
    for code, act, fields in (
        ("tournament_wrong_status", "open_registration", {}),
        ("tournament_wrong_status", "close_registration", {}),
        ("entrant_not_found", "admit", {"entrant": "e9"}),
        ("entrant_wrong_status", "admit", {"entrant": "e1"}),
        ("nothing_to_change", "check_in", {"entrants": []}),
        ("entrant_not_found", "withdraw", {"entrant": "e9"}),
        ("entrant_wrong_status", "return", {"entrant": "e1"}),
        ("round_wrong_status", "give_bye", {"entrant": "e1", "rounds": [9], "bye": "bye"}),
        ("tournament_wrong_status", "seed", {"by": "entry"}),
        ("pairing_invalid", "forbid_pairing", {"pair": ["e1", "e1"]}),
        ("nothing_to_change", "allow_pairing", {"pair": ["e1", "e2"]}),
        ("tournament_wrong_status", "start", {}),
        ("pairing_invalid", "pair", {"pinned": [["e1", "e2"], ["e1", "e3"]]}),
        ("entrant_not_found", "pair_by_hand", {"matches": [{"sides": [["e1"], ["e9"]]}]}),
        ("round_not_found", "undo_pairing", {"round": 1}),
        ("round_not_found", "swap", {"round": 1, "entrants": ["e1", "e2"]}),
        ("round_not_found", "start_round", {"round": 1}),
        ("round_not_found", "close_round", {"round": 7}),
        ("round_not_found", "change_clock", {"round": 1, "minutes": 5}),
        ("round_not_found", "call_time", {"round": 1}),
        ("match_not_found", "note_no_show", {"match": "r1m1", "entrant": "e1"}),
        ("match_not_found", "forfeit", {"match": "r1m1", "entrants": ["e1"], "reason": "absence"}),
        ("match_not_found", "rule", {"match": "r1m1", "adjustment": None, "reason": "other"}),
        ("match_not_found", "record_result", {"match": "r1m1", "table": 1, "hands": [[1, 2]]}),
        ("match_not_found", "adjudicate", {"match": "r1m1", "table": 1, "reason": "other"}),
        ("entrant_not_found", "penalty", {"entrant": "e9", "score": 1, "reason": "other"}),
        ("penalty_not_found", "lift_penalty", {"penalty": 1, "reason": "other"}),
        ("stage_over", "advance", {}),
        ("tournament_wrong_status", "reopen", {"reason": "other"}),
    ):
        await event.refused(code, act, **fields)
    assert await event.shown() == before


async def test_more_than_one_append_takes_is_refused_beforehand_too(
    client: httpx.AsyncClient, service: Service
) -> None:
    event = await Event.open(client, stand_in_level="greedy")
    live = await service.tournaments.find(event.id)

    def decide(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
        happened: list[AnyTournamentEvent] = []
        for _ in range(300):
            act = Enter(players=(bot_player("greedy"),), bots=("greedy",))
            happened += directing.decide(fold(state, happened), act, event.organiser.id, now, draw)
        return happened

    for _ in range(2):
        await service.tournaments.perform(live, TournamentCommand(actor=event.organiser.id, decide=decide))
    everybody = [f"e{number}" for number in range(1, 601)]
    told = await event.refused("tournament_too_large", "check_in", entrants=everybody)
    assert told["params"] == {"events": 512}
    await event.tried("check_in", entrants=everybody[:512])
    changes = await event.preview("seed", by="entry")
    assert changes["cut"] == {"entrants": 600}
    assert len(changes["changes"]["entrants"]) == 500
