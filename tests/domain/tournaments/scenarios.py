"""Tournaments for tests: terms in a few words, entrants, games played by chance, and a driver that lets them run."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any, Literal

from msgspec.structs import replace

from domain.rulesets import RuleSet, resolve
from domain.tournaments import events
from domain.tournaments.clocks import text
from domain.tournaments.entry_events import Entered
from domain.tournaments.event import Text
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import begin, fold
from domain.tournaments.formats import Format
from domain.tournaments.games import WantedGame, wanted_games
from domain.tournaments.matches import FixedHands, MatchTerms
from domain.tournaments.process import next_moment, step
from domain.tournaments.results import record
from domain.tournaments.seating import GameResult
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Pace, Stage, Terms

TOURNAMENT = "t" + "0" * 31 + "1"
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
RULESET: RuleSet = resolve("samba-official")
QUICK = MatchTerms(length=FixedHands(2), minutes=25)

Entrants = Literal["fixed", "individuals", "teams"]
Points = Callable[[WantedGame], Sequence[Sequence[int]]]
"""The points of every hand of a game, by side of the match."""


def draw(purpose: str) -> str:
    """Seeds as the service draws them, but from no master."""
    return sha256(purpose.encode()).hexdigest()


def terms_of(*forms: Format | Stage, players: int = 4, entrants: Entrants = "fixed", **others: Any) -> Terms:
    """Terms with a stage for each format, matches of two hands."""
    stages = tuple(each if isinstance(each, Stage) else Stage(format=each, match=QUICK) for each in forms)
    others.setdefault("pace", Pace(starts_at=text(NOON + timedelta(hours=1)), pause_seconds=0))
    return Terms(
        ruleset=RULESET, ruleset_hash=RULESET.sha256(), players=players, entrants=entrants, stages=stages, **others
    )


def persons_of(terms: Terms) -> int:
    """How many persons an entrant has."""
    if terms.entrants == "individuals":
        return 1
    side = {2: 1, 3: 1, 4: 2, 5: 1, 6: 2}[terms.players]
    return 2 * side if terms.entrants == "teams" else side


class Desk:
    """A tournament under way. `happened` is its stream so far, `now` the time."""

    def __init__(self, terms: Terms, entrants: int = 0, now: datetime = NOON) -> None:
        self.now = now
        self.twice = True
        created = events.TournamentCreated(
            n=1, at=text(now), terms=terms, commitment="0" * 64, title=Text("x", "0" * 64), engine="test", by="p1"
        )
        self.happened: list[AnyTournamentEvent] = [created]
        self.state = begin(TOURNAMENT, created)
        self.held_back: dict[str, list[GameResult]] = {}
        for _ in range(entrants):
            self.enter()

    def add(self, *more: AnyTournamentEvent) -> None:
        """Events that somebody else decided, or that were decided before."""
        stamped = [replace(each, n=n, at=text(self.now)) for n, each in enumerate(more, self.state.version + 1)]
        self.happened += stamped
        self.state = fold(self.state, stamped)

    def enter(self, *, rating: int | None = None, late_round: int | None = None, **others: Any) -> str:
        number = len(self.state.entrants) + 1
        players = tuple(f"p{number}x{each}" for each in range(persons_of(self.state.terms)))
        entered = Entered(
            entrant=f"e{number}",
            players=players,
            bots=(None,) * len(players),
            consents=players,
            status="entered",
            rating=rating,
            late_round=late_round,
            **others,
        )
        self.add(entered)
        return entered.entrant

    def step(self) -> list[AnyTournamentEvent]:
        """One step, taken twice to see that it is the same one."""
        first = step(self.state, self.now, draw)
        assert not self.twice or step(self.state, self.now, draw) == first
        self.add(*first)
        return first

    def run_to(self, kind: type, most: int = 10_000) -> AnyTournamentEvent:
        """Steps, games and time until an event of this kind, which is given back; its whole step has happened."""
        for _ in range(most):
            for each in self.go_on():
                if isinstance(each, kind):
                    return each
        raise AssertionError(f"No {kind.__name__} in {most} steps.")

    def run_to_start(self, most: int = 1000) -> None:
        """Steps and time until games are wanted."""
        for _ in range(most):
            if wanted_games(self.state):
                return
            self.go_on()
        raise AssertionError(f"No round starts in {most} steps: {self.state.status}")

    def finish(self, points: Points | None = None, most: int = 10_000) -> Tournament:
        """On to the end."""
        for _ in range(most):
            if not self.go_on(points) and self.state.revealed:
                return self.state
        raise AssertionError(f"No end in {most} steps: {self.state.status}")

    def go_on(self, points: Points | None = None) -> list[AnyTournamentEvent]:
        """A step; or else all games that are wanted; or else on to the next time."""
        happened = self.step()
        if happened:
            return happened
        wanted = wanted_games(self.state)
        if wanted:
            return self.play(wanted, points)
        later = next_moment(self.state, self.now)
        if later is not None:
            self.now = later
        return []

    def play(self, wanted: Sequence[WantedGame], points: Points | None = None) -> list[AnyTournamentEvent]:
        """These games are played to their end, and told as far as they may be."""
        self.now += timedelta(minutes=1)
        return self.tell([result_of(each, (points or by_chance)(each)) for each in wanted])

    def tell(self, results: Sequence[GameResult]) -> list[AnyTournamentEvent]:
        before = len(self.happened)
        self.add(*record(self.state, results))
        for each in results:
            if self.state.matches[each.match].result(each.table, each.leg) is None:
                self.held_back.setdefault(each.match, []).append(each)
        self.tell_what_is_open()
        return self.happened[before:]

    def tell_what_is_open(self) -> None:
        """Results that were held back, as soon as they may be told."""
        from domain.tournaments.results import boards_done

        told = [each for match in sorted(boards_done(self.state)) for each in self.held_back.pop(match, [])]
        self.add(*record(self.state, told))

    def sides(self, round_number: int) -> list[list[str]]:
        """The matches of a round: its entrants by table."""
        return [["+".join(side) for side in match.paired.sides] for match in self.state.matches_of(round_number)]


def result_of(game: WantedGame, hands: Sequence[Sequence[int]], reason: str = "hand_cap", **others: Any) -> GameResult:
    """The result of a game with these hands."""
    sides = max(game.side_of) + 1
    return GameResult(
        match=game.match,
        table=game.table,
        leg=game.leg,
        game=game.game,
        points=tuple(sum(hand[side] for hand in hands) for side in range(sides)),
        hands=tuple(map(tuple, hands)),
        reason=reason,
        **others,
    )


def by_chance(game: WantedGame) -> list[list[int]]:
    """Points that hang on nothing but the game's id."""
    chance = Random(game.game)
    sides = max(game.side_of) + 1
    hands = game.ruleset.hand_cap or 4
    return [[5 * chance.randrange(-40, 400) for _ in range(sides)] for _ in range(hands)]


def by_seed(game: WantedGame) -> list[list[int]]:
    """Whoever entered earlier wins, by the more the further they are apart."""
    places = [
        min(int(entrant[1:]) for entrant, side in zip(game.entrants, game.side_of, strict=True) if side == number)
        for number in range(max(game.side_of) + 1)
    ]
    return [[10 * (1000 - place) for place in places]] * (game.ruleset.hand_cap or 4)
