"""Acts by chance on tournaments by chance: a refusal with a code, or events that do what their preview said."""

from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any, get_args

import msgspec
import pytest

from domain.tournaments import challenging, entering
from domain.tournaments.acts import Act
from domain.tournaments.directing import decide
from domain.tournaments.fold import replayed
from domain.tournaments.formats import Danish, Elimination, Format, Individual, Ladder, RoundRobin, Swiss
from domain.tournaments.given import Given, Person
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.terms import Boards, Registration, Stage, Terms
from tests.domain.tournaments.directors import BY_HAND, DIRECTOR, NOTE, Event
from tests.domain.tournaments.scenarios import QUICK, draw, result_of, terms_of

REASONS = ("absence", "late", "other")


def some_terms(chance: Random) -> Terms:
    forms: list[Format] = [Swiss(rounds=3), Swiss(rounds=2, first_round="drawn"), Danish(rounds=3), RoundRobin()]
    form = chance.choice([*forms, Elimination(), Ladder(days=9)])
    boards = Boards() if chance.random() < 0.3 and not isinstance(form, Ladder) else None
    second = [Stage(format=Elimination(), match=QUICK, qualifiers=3)] if chance.random() < 0.4 else []
    if chance.random() < 0.15:
        return terms_of(Individual(movement="swiss", rounds=3), entrants="individuals", pace=BY_HAND)
    capacity = chance.choice((7, 5000))
    return terms_of(form, *second, pace=BY_HAND, boards=boards, registration=Registration(capacity=capacity))


class Hostile:
    """Fields of acts by chance, mostly of things that are there."""

    def __init__(self, tournament: Event, chance: Random) -> None:
        self.tournament = tournament
        self.chance = chance

    def entrant(self) -> str:
        return self.chance.choice([*self.tournament.state.entrants, "e999"])

    def challenger(self) -> str:
        state = self.tournament.state
        return self.chance.choice([*state.challenges, *state.accepted, "e1"])

    def match(self) -> str:
        return self.chance.choice([*self.tournament.state.matches, "r9m9"])

    def round(self) -> int:
        return self.chance.choice([*self.tournament.state.rounds] or [1]) + (self.chance.random() < 0.1)

    def sides(self) -> list[list[str]]:
        return [[self.entrant()], [self.entrant()]]

    def table(self, match: str) -> int:
        known = self.tournament.state.matches.get(match)
        return known.paired.tables[0].table if known is not None and self.chance.random() < 0.9 else 77

    def adjustment(self) -> dict[str, Any] | None:
        of_two = [self.chance.randrange(-3000, 9000), self.chance.randrange(-3000, 9000)]
        return self.chance.choice(
            [
                None,
                {"kind": "points", "points": of_two},
                {"kind": "score", "score": of_two},
                {"kind": "average", "average": [self.chance.choice(("plus", "even", "minus")), "even"]},
                {"kind": "forfeit", "forfeit": [self.chance.random() < 0.5, self.chance.random() < 0.5]},
                {"kind": "void"},
                {"kind": "points", "points": of_two[:1]},
            ]
        )

    def fields(self, name: str) -> dict[str, Any]:
        chance, match = self.chance, self.match()
        accepted = {"accept_dependants": chance.random() < 0.5}
        number = len(self.tournament.state.entrants) + chance.randrange(2)
        made: dict[str, dict[str, Any]] = {
            "enter": {"players": [f"q{number}x{each}" for each in range(chance.choice((1, 2, 2, 2)))]},
            "admit": {"entrant": self.entrant()},
            "check_in": {"entrants": [self.entrant()]},
            "withdraw": {"entrant": self.entrant()},
            "disqualify": {"entrant": self.entrant(), "reason": "conduct"},
            "return": {"entrant": self.entrant()},
            "give_bye": {"entrant": self.entrant(), "rounds": [self.round()], "bye": "half_bye"},
            "substitute": {
                "entrant": self.entrant(),
                "outgoing": "p2x0",
                "incoming": f"s{chance.randrange(9)}",
            },
            "seed": {"by": chance.choice(("rating", "drawn", "entry", "order"))},
            "forbid_pairing": {"pair": [self.entrant(), self.entrant()]},
            "allow_pairing": {"pair": [self.entrant(), self.entrant()]},
            "pair": {"pinned": [[self.entrant(), self.entrant()]]} if chance.random() < 0.2 else {},
            "pair_by_hand": {"matches": [{"sides": self.sides()} for _ in range(chance.randrange(3))]},
            "undo_pairing": {"round": self.round()},
            "swap": {"round": self.round(), "entrants": [self.entrant(), self.entrant()]},
            "start_round": {"round": self.round()},
            "close_round": {"round": self.round()},
            "change_clock": {"round": self.round(), "minutes": chance.randrange(-30, 60)},
            "call_time": {"round": self.round()},
            "note_no_show": {"match": match, "entrant": self.entrant()},
            "answer_challenge": {"challenger": self.challenger(), "accepted": chance.random() < 0.7},
            "take_back_challenge": {"challenger": self.challenger()},
            "forfeit": {"match": match, "entrants": [self.entrant()], "reason": "absence", **accepted},
            "rule": {"match": match, "adjustment": self.adjustment(), "reason": "other", **accepted},
            "record_result": {"match": match, "table": self.table(match), "hands": [[5, 10], [-5, 20]]},
            "adjudicate": {"match": match, "table": self.table(match), "reason": "technical"},
            "penalty": {"entrant": self.entrant(), "score": chance.randrange(-100, 300), "reason": "late", **accepted},
            "lift_penalty": {"penalty": max(self.tournament.state.penalties, default=3), "reason": "other", **accepted},
            "advance": {"qualifiers": chance.choice((None, 2, 3))},
            "hand_over": {"player": chance.choice(("pnew", "pnobody"))},
            "announce": {"text": "Tea."},
            "reopen": {"reason": "other"},
            "cancel": {"reason": "other"},
        }
        return made.get(name, {})


LIKELY = ("pair", "start_round", "pair", "start_round", "close_round", "rule", "forfeit", "swap", "pair_by_hand")
RARE = ("cancel", "finish", "end_stage", "advance", "start", "close_registration", "disqualify", "withdraw")


def names(chance: Random) -> str:
    every = [str(each.__struct_config__.tag) for each in get_args(Act)]
    name = chance.choice([*every, *LIKELY * 3])
    return name if name not in RARE or chance.random() < 0.1 else "play"


def somebody_challenges(tournament: Event, chance: Random) -> None:
    """On a ladder, and where it is permitted."""
    state = tournament.state
    if len(state.ladder) < 2:
        return
    place = chance.randrange(1, len(state.ladder))
    below, above = state.ladder[place], state.ladder[place - 1]
    with suppress(TournamentRefused):
        by = state.entrants[below].players[0]
        tournament.take(challenging.challenge(state, below, above, by, tournament.now))


@pytest.mark.parametrize("seed", range(40))
def test_whatever_a_director_asks_is_done_as_previewed_or_refused_with_a_code(seed: int) -> None:
    chance = Random(seed)
    tournament = Event(some_terms(chance), chance.randrange(0, 12))
    if chance.random() < 0.9 and len(tournament.state.entrants) > 4:
        tournament.begin()
    done = refused = 0
    for _ in range(120):
        name = names(chance)
        tournament.now += timedelta(seconds=chance.randrange(120))
        if name == "play":
            wanted = tournament.play_list()
            tournament.play([each for each in wanted if chance.random() < 0.8])
            continue
        if chance.random() < 0.2:
            somebody_challenges(tournament, chance)
        fields = Hostile(tournament, chance).fields(name)
        given = Given(text=NOTE, persons={"pnew": Person()})
        if name == "adjudicate" and chance.random() < 0.7:
            lying = [each for each in tournament.play_list() if each.match == fields["match"]]
            given = Given(game=result_of(lying[0], [[100, 5]], "position")) if lying else given
        before = msgspec.json.encode(tournament.state.version)
        try:
            tournament.act(name, given, **fields)
        except TournamentRefused as refusal:
            refused += 1
            msgspec.json.encode(refusal.params)
            assert msgspec.json.encode(tournament.state.version) == before
            continue
        done += 1
        sound(tournament)
    assert refused
    assert done
    assert replayed(tournament.state.id, tournament.happened) == tournament.state


def sound(tournament: Event) -> None:
    """What holds whatever was done."""
    state = tournament.state
    for number, each in state.rounds.items():
        named = [one for match in state.matches_of(number) for side in match.paired.sides for one in side]
        assert len(set(named)) == len(named), "Nobody plays twice in a round."
        assert not set(named) & set(each.byes), "Nobody plays and has a bye."
        if each.status == "closed":
            assert all(match.over for match in state.matches_of(number)), "A closed round is over."
    assert state.challenges.keys() == state.challenged_at.keys(), "What is asked was asked at a time."
    assert not state.challenges.keys() & state.accepted.keys(), "Nobody asks twice."
    players = [player for each in state.active for player in each.players]
    assert len(set(players)) == len(players), "Nobody is in two entrants."
    assert all(match.round in state.rounds for match in state.matches.values())


def test_the_same_act_twice_is_refused_the_second_time() -> None:
    """Also where two directors press at once: the second is decided upon what the first did."""
    tournament = Event(terms_of(Swiss(rounds=3), pace=BY_HAND), 6)
    for name, fields in (
        ("start", {}),
        ("pair", {}),
        ("start_round", {"round": 1}),
        ("forfeit", {"match": "r1m1", "entrants": ["e1"], "reason": "absence"}),
        ("withdraw", {"entrant": "e2"}),
        ("call_time", {"round": 1}),
    ):
        act: Any = msgspec.convert({"act": name, **fields}, type=Act)
        tournament.act(name, **fields)
        with pytest.raises(TournamentRefused):
            decide(tournament.state, act, DIRECTOR, tournament.now, draw)


def test_everybody_may_leave_and_a_tournament_then_ends_without_a_round() -> None:
    tournament = Event(terms_of(Swiss(rounds=3), pace=BY_HAND), 6)
    tournament.begin()
    for number in range(1, 7):
        tournament.take(
            entering.withdraw(tournament.state, f"e{number}", f"p{number}x0", tournament.now, reason="request")
        )
    tournament.act("finish")
    assert tournament.state.status == "finished"
    assert tournament.state.rounds == {}
