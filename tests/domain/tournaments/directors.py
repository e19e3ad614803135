"""A director at work in tests: acts as JSON, and what is refused."""

from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
import pytest

from domain.tournaments import byes, entering
from domain.tournaments.acts import Act
from domain.tournaments.directing import decide
from domain.tournaments.entering import Entry
from domain.tournaments.event import Text
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import fold
from domain.tournaments.formats import Elimination, Format, Ladder, Swiss
from domain.tournaments.games import WantedGame, wanted_games
from domain.tournaments.given import Given, Person
from domain.tournaments.previews import Preview, changes, preview
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.standings import standings
from domain.tournaments.terms import Pace, Stage, Terms
from tests.domain.tournaments.scenarios import NOON, QUICK, Desk, by_seed, draw, terms_of

DIRECTOR: Final = "pdirector"
BY_HAND: Final = Pace(automatic=False)
NOTE: Final = Text("n1", "1" * 64)


def swiss(rounds: int = 3, **others: Any) -> Terms:
    """A Swiss of pairs where a director pairs and starts every round."""
    others.setdefault("pace", BY_HAND)
    return terms_of(Swiss(rounds=rounds), **others)


def knockout(**others: Any) -> Terms:
    return terms_of(Elimination(), pace=BY_HAND, **others)


def ladder(answer_minutes: int | None = None, **others: Any) -> Terms:
    return terms_of(Ladder(days=10, reach=2, answer_minutes=answer_minutes), pace=BY_HAND, **others)


class Event(Desk):
    """A tournament with a director and entrants who act themselves; whatever is done is previewed first."""

    def act(self, name: str, /, given: Given | None = None, **fields: Any) -> Preview:
        """An act, after a look at its preview, which tells what happens then."""
        act = msgspec.convert({"act": name, **fields}, type=Act)
        given = given or Given(text=NOTE)
        shown = preview(self.state, act, DIRECTOR, self.now, draw, given)
        before = self.state
        happened = decide(before, act, DIRECTOR, self.now, draw, given)
        assert shown[0] == happened
        assert [event.n for event in happened] == [*range(before.version + 1, before.version + 1 + len(happened))]
        self.take(happened)
        applied = changes(before, self.state)
        assert msgspec.structs.replace(shown[1], dependants=()) == applied
        return shown[1]

    def show(self, name: str, /, **fields: Any) -> Preview:
        """The preview of an act alone."""
        act = msgspec.convert({"act": name, **fields}, type=Act)
        return preview(self.state, act, DIRECTOR, self.now, draw, Given(text=NOTE))[1]

    def refused(self, name: str, code: TournamentCode, /, given: Given | None = None, **fields: Any) -> dict[str, Any]:
        """What an act that is turned down says was needed; nothing has changed."""
        before = msgspec.structs.asdict(self.state)
        with pytest.raises(TournamentRefused) as refusal:
            decide(
                self.state,
                msgspec.convert({"act": name, **fields}, type=Act),
                DIRECTOR,
                self.now,
                draw,
                given or Given(text=NOTE),
            )
        assert refusal.value.code is code, refusal.value
        assert msgspec.structs.asdict(self.state) == before
        msgspec.json.encode(refusal.value.params)
        return refusal.value.params

    def take(self, happened: list[AnyTournamentEvent]) -> None:
        assert happened
        self.happened += happened
        self.state = fold(self.state, happened)

    def sign_up(
        self, *players: str, by: str | None = None, persons: dict[str, Person] | None = None, **entry: Any
    ) -> str:
        """Players enter themselves, the first one for all."""
        self.take(
            entering.enter(self.state, Entry(players=players, **entry), by or players[0], self.now, persons or {})
        )
        return [*self.state.entrants][-1]

    def begin(self) -> None:
        """From the announcement to the first stage."""
        self.act("start")

    def next_round(self) -> None:
        self.act("pair")
        self.act("start_round", round=max(self.state.rounds))

    def play_all(self) -> None:
        """Every game of the round: whoever entered earlier wins."""
        self.now += timedelta(minutes=5)
        self.play(self.play_list(), by_seed)

    def whole_round(self) -> None:
        self.next_round()
        self.play_all()
        self.act("close_round", round=max(self.state.rounds))

    def play_list(self) -> list[WantedGame]:
        return wanted_games(self.state)

    def game(self, match: str) -> WantedGame:
        return next(each for each in self.play_list() if each.match == match)

    def match_between(self, one: str, other: str) -> str:
        return next(
            match.id
            for match in reversed(self.state.matches.values())
            if {each for side in match.paired.sides for each in side} >= {one, other}
        )


def event(terms: Terms, entrants: int = 0, now: datetime = NOON) -> Event:
    return Event(terms, entrants, now)


def ask(tournament: Event, entrant: str, *rounds: int, by: str | None = None, **others: Any) -> None:
    """An entrant asks for a bye."""
    player = by or tournament.state.entrants[entrant].players[0]
    tournament.take(byes.ask_bye(tournament.state, entrant, rounds, player, tournament.now, **others))


def under_way(entrants: int = 6, **others: Any) -> Event:
    """A Swiss whose first round is being played."""
    tournament = event(swiss(**others), entrants)
    tournament.begin()
    tournament.next_round()
    return tournament


def rule(tournament: Event, match: str, adjustment: dict[str, Any] | None, **others: Any) -> Any:
    return tournament.act("rule", match=match, adjustment=adjustment, reason="scoring_error", **others)


def scores(tournament: Event, stage: int | None = None) -> dict[str, int]:
    """By entrant, in hundredths."""
    return {row.entrant: row.score for row in standings(tournament.state, stage).rows}


def two_stages(form: Format | None = None, **second: Any) -> Event:
    """A Swiss of one round is over, and the stage after it has begun."""
    later = Stage(format=form or Swiss(rounds=1), match=QUICK, **second)
    tournament = event(terms_of(Swiss(rounds=1), later, pace=BY_HAND), 6)
    tournament.begin()
    tournament.whole_round()
    tournament.act("end_stage")
    return tournament
