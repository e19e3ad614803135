"""Random tournaments, looked over at every step: `python -m tests.domain.tournaments.campaign --events 2000`.

Every format in turn, 5 to 101 entrants, with late entries, withdrawals, returns, forfeits, byes asked for, games that
are resigned or cut by the clock. A line tells every fault, and the exit code is 1 if there is one.
"""

import sys
import time
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any, Final

import click
from msgspec.structs import replace

from domain.tournaments import events
from domain.tournaments.endings import finish
from domain.tournaments.entry_events import ByeAsked, ChallengeAnswered, Challenged, Returned, Withdrawn
from domain.tournaments.formats import (
    Arena,
    Danish,
    Elimination,
    Format,
    Howell,
    Individual,
    Ladder,
    Mitchell,
    RoundRobin,
    Swiss,
)
from domain.tournaments.games import WantedGame, wanted_games
from domain.tournaments.matches import FixedHands, MatchTerms, PerHand, Placing, RawPoints, WinDrawLoss
from domain.tournaments.process import next_moment, obstacle
from domain.tournaments.round_events import RoundPaired, RulingIssued
from domain.tournaments.rounds_running import departed
from domain.tournaments.scores import forfeit_score
from domain.tournaments.seating import Adjustment, GameResult
from domain.tournaments.stages import begin_stage
from domain.tournaments.state import Match
from domain.tournaments.terms import Boards, Carry, Registration, Stage, Terms
from tests.domain.tournaments.invariants import FaultFound, check_round, check_stream
from tests.domain.tournaments.scenarios import Desk, Entrants, by_chance, draw, result_of, terms_of

MOST_STEPS: Final = 20_000
TWICE: Final = 4
"""Of so many tournaments one takes every step twice."""
CHALLENGES: Final = 0.01
SMALL: Final = (5, 6, 7, 8, 9, 11, 12, 14, 16)
LARGE: Final = (23, 32, 50, 64, 101)


def plan(chance: Random, entrants: int) -> Terms:
    """Terms of some tournament that so many entrants can play."""
    kind = chance.choice(KINDS)
    match = chance.choice(MATCHES)
    form = kind(chance, entrants)
    stages = [Stage(format=form, match=match, score=_score(chance, form))]
    others: dict[str, Any] = {}
    players = 4
    of: Entrants = "fixed"
    if isinstance(form, Individual):
        players, of = chance.choice(ALONE)
        stages[0] = replace(stages[0], score=Placing() if players != 4 else stages[0].score)
    elif chance.random() < 0.2:
        players = 2
    elif not isinstance(form, Mitchell | Howell) and chance.random() < 0.15:
        of = "teams"
    if not isinstance(form, Arena | Ladder) and isinstance(match.length, FixedHands) and chance.random() < 0.3:
        rotating = isinstance(form, Mitchell) and chance.random() < 0.5
        others["boards"] = Boards(movement="rotating" if rotating else "barometer")
    if chance.random() < 0.25 and not isinstance(form, Individual):
        cut = Stage(format=Elimination(double=chance.random() < 0.5), match=match, qualifiers=min(entrants, 4))
        carry = chance.choice((Carry(), Carry(what="score", percent=50)))
        # Nothing is carried into a bracket; a part of the score goes into a round robin of the best.
        stages.append(cut if carry == Carry() else replace(cut, format=RoundRobin(), carry=carry))
    if is_late(form):
        others["registration"] = Registration(late_rounds=2, late_score=40)
    return terms_of(*stages, players=players, entrants=of, **others)


def is_late(form: Format) -> bool:
    """Whether entrants may come late."""
    return isinstance(form, Swiss | Danish | Arena) or (isinstance(form, Individual) and form.movement == "swiss")


def _score(chance: Random, form: Format) -> Any:
    if isinstance(form, Swiss) and form.method != "victory_points":
        return WinDrawLoss()
    return chance.choice((WinDrawLoss(), RawPoints())) if chance.random() < 0.3 else Stage(format=form).score


def _swiss(chance: Random, entrants: int) -> Format:
    rounds = chance.randint(1, max(1, min(entrants // 2, 6)))
    form = replace(chance.choice(SWISS), rounds=rounds)
    return replace(form, first_round=chance.choice(("seeded", "drawn")))


def _danish(chance: Random, entrants: int) -> Format:
    return replace(chance.choice(DANISH), rounds=chance.randint(1, 5))


def _round_robin(chance: Random, entrants: int) -> Format:
    return RoundRobin(cycles=2 if entrants < 9 and chance.random() < 0.5 else 1)


def _individual(chance: Random, entrants: int) -> Format:
    if chance.random() < 0.5:
        return Individual(movement="whist", rounds=chance.choice((None, 3)))
    return Individual(movement="swiss", rounds=chance.randint(1, 4))


def _elimination(chance: Random, _entrants: int) -> Format:
    return chance.choice(BRACKETS)


SWISS: Final = (Swiss(rounds=1), Swiss(rounds=1, method="fide_team"), Swiss(rounds=1, method="fide_dutch"))
DANISH: Final = (Danish(rounds=1), Danish(rounds=1, rematches="all"))
BRACKETS: Final = (
    Elimination(),
    Elimination(double=True),
    Elimination(third_place=True, tie="extra_hand"),
    Elimination(double=True, tie="extra_hand"),
)
KINDS: Final[tuple[Callable[[Random, int], Format], ...]] = (
    _swiss,
    _swiss,
    _danish,
    _round_robin,
    _elimination,
    _individual,
    lambda chance, entrants: Mitchell(),
    lambda chance, entrants: Howell(),
    lambda chance, entrants: Arena(minutes=20, pairing_seconds=60),
    lambda chance, entrants: Ladder(days=1),
)
ALONE: Final[tuple[tuple[int, Entrants], ...]] = (
    (4, "individuals"),
    (4, "individuals"),
    (3, "individuals"),
    (5, "fixed"),
    (6, "fixed"),
)
MATCHES: Final = (
    MatchTerms(length=FixedHands(2), minutes=25),
    MatchTerms(length=FixedHands(2), minutes=25),
    MatchTerms(length=FixedHands(3), minutes=40, first_meld=PerHand((125, 155, 180)), hands_to_count=2),
    MatchTerms(),
)


class Campaign(Desk):
    """One tournament, with mishaps by chance."""

    def __init__(self, seed: int, sizes: tuple[int, ...]) -> None:
        self.chance = Random(seed)
        self.size = self.chance.choice(sizes)
        super().__init__(plan(self.chance, self.size))
        self.twice = seed % TWICE == 0
        for _ in range(self.size):
            self.enter(rating=self.chance.choice((None, self.chance.randrange(1000, 2000))))
        self.mishaps = self.chance.choice((0.0, 0.02, 0.1))
        self.directed = 0

    def run(self) -> int:
        """On to the end; how many events it took. Raises `FaultFound`."""
        for _ in range(MOST_STEPS):
            before = self.state
            happened = self.step()
            for each in happened:
                if isinstance(each, RoundPaired):
                    check_round(before, each)
            if self.state.revealed:
                check_stream(self.state, self.happened)
                return len(self.happened)
            if self.mishap() or happened:
                continue
            if not self.play_some() and not self.wait():
                self.direct()
        raise FaultFound(f"No end in {MOST_STEPS} steps, {self.state.status}.")

    def play_some(self) -> bool:
        """Some of the games that are wanted end, one way or another."""
        wanted = wanted_games(self.state)
        if not wanted:
            return False
        self.now += timedelta(seconds=self.chance.randrange(1, 200))
        some = [each for each in wanted if self.chance.random() < 0.7] or wanted[:1]
        self.tell([self.end(each) for each in some])
        return True

    def end(self, game: WantedGame) -> GameResult:
        hands = by_chance(game)
        if self.chance.random() >= self.mishaps:
            return result_of(game, hands, "hand_cap" if game.ruleset.hand_cap else "target")
        how = self.chance.randrange(4)
        if how == 0:
            return result_of(game, hands[:1], "resigned", loser=self.chance.randrange(max(game.side_of) + 1))
        if how == 1:
            return result_of(game, hands[: self.chance.randrange(len(hands) + 1)], "time")
        if how == 2:
            return result_of(game, hands[:1], "position")
        return replace(result_of(game, [], "not_begun"), game=None)

    def wait(self) -> bool:
        """On to the next time at which something happens."""
        later = next_moment(self.state, self.now)
        if later is not None:
            self.now = later
        return later is not None

    def direct(self) -> None:
        """Where nothing goes on there is a reason, and the director ends the stage."""
        self.directed += 1
        refusal = obstacle(self.state, self.now)
        if refusal is None:
            raise FaultFound(f"Nothing happens, and no obstacle tells why: {self.state.status}.")
        if self.state.status != "running":
            self.add(events.TournamentCancelled(reason="other"))
        elif len(self.state.stages) < len(self.state.terms.stages):
            self.add(*begin_stage(self.state, draw))
        else:
            self.add(*finish(self.state))

    def mishap(self) -> bool:
        """Whether something happened that nobody expected."""
        before = self.state.version
        if self.state.ladder and self.chance.random() < CHALLENGES:
            self.challenge(self.chance.choice(self.state.ladder))
        if self.state.status != "running" or self.chance.random() >= self.mishaps:
            return self.state.version > before
        entrant = self.state.entrants[self.chance.choice([*self.state.entrants])]
        happens = (self.leave, self.leave, self.come_back, self.ask_bye, self.come_late)
        self.chance.choice(happens)(entrant.id)
        return self.state.version > before

    def leave(self, entrant: str) -> None:
        if self.state.entrants[entrant].status != "entered":
            return
        self.add(Withdrawn(entrant=entrant))
        for each in self.state.matches.values():
            if each.started and not each.over and any(departed(self.state, each)):
                self.forfeit(each)

    def forfeit(self, match: Match) -> None:
        absent = departed(self.state, match)
        came = [side for side, left in enumerate(absent) if not left]
        self.add(
            RulingIssued(
                match=match.id,
                adjustment=Adjustment(kind="forfeit", forfeit=absent),
                points=(0,) * len(absent),
                score=forfeit_score(self.state.stage_terms(match.stage), absent),
                winner=came[0] if match.paired.bracket and came else None,
                reason="absence",
            )
        )
        self.tell_what_is_open()

    def come_back(self, entrant: str) -> None:
        if self.state.entrants[entrant].status == "withdrawn":
            self.add(Returned(entrant=entrant))

    def ask_bye(self, entrant: str) -> None:
        following = max(self.state.rounds, default=0) + 1
        if is_late(self.state.terms.stages[0].format):
            self.add(ByeAsked(entrant=entrant, rounds=(following,), bye="half_bye"))

    def come_late(self, entrant: str) -> None:
        following = max(self.state.rounds, default=0) + 1
        if is_late(self.state.terms.stages[0].format) and len(self.state.stages) == 1 and following <= 3:
            self.enter(late_round=following)

    def challenge(self, entrant: str) -> None:
        ladder = self.state.ladder
        still_open = [match for match in self.state.matches.values() if not match.over]
        playing = {each for match in still_open for side in match.paired.sides for each in side}
        if entrant in ladder[1:] and entrant not in playing:
            above = ladder[max(ladder.index(entrant) - self.chance.randint(1, 3), 0)]
            if above not in playing:
                self.add(Challenged(challenger=entrant, challenged=above))
                self.add(ChallengeAnswered(challenger=entrant, challenged=above, accepted=True))


@click.command()
@click.option("--events", default=2000, show_default=True, help="How many tournaments.")
@click.option("--seed", default=0, show_default=True, help="The first one's; each further one has the next.")
@click.option("--largest", is_flag=True, help="Only those of 23 to 101 entrants.")
def main(events: int, seed: int, *, largest: bool) -> None:
    """Play random tournaments to their ends."""
    begun = time.monotonic()
    faults = length = directed = 0
    for number in range(seed, seed + events):
        sizes = LARGE if largest else (*SMALL, *SMALL, *SMALL, *LARGE)
        try:
            campaign = Campaign(number, sizes)
            length += campaign.run()
            directed += campaign.directed
        except (FaultFound, LookupError, TypeError, ValueError, AssertionError) as fault:
            faults += 1
            click.echo(f"seed {number}: {type(fault).__name__}: {fault}")
    seconds = time.monotonic() - begun
    click.echo(f"{events} tournaments, {length} events, {directed} ended by hand, {faults} faults, {seconds:.0f} s")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
