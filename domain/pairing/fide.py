"""FIDE's own systems: Dutch Swiss (C.04.3), team Swiss without colours (C.04.6) and Berger tables, through gacrux.

The library is given a tournament built here, in its own form, and its answer is believed only after it has been held
against the rules that no pairing may break. White is North-South. Wins, draws and losses count, not victory points.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.pairing.fide_tournament import FideContender, Points, Virtual, tournament
from domain.pairing.movements import Movement, Round, Table
from domain.pairing.shapes import Compass, Contender, Couple, Engine, NoPairing, NoPairingCode, Pair, Pairing, couple
from domain.pairing.sides import seat

System = Literal["dutch", "team"]

FEWEST: Final = 2
MOST: Final[dict[System, int]] = {"dutch": 256, "team": 150}
"""The library's time grows fast beyond: from seconds to minutes for a round."""

MOST_IN_TABLES: Final = 1000

_FAULTS: Final = (
    RuntimeError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, AssertionError, NameError,
)  # fmt: skip
"""What the library comes to grief with, variables that were never set among it."""

_NAMES: Final[dict[System, str]] = {
    "dutch": "FIDE Dutch Swiss (C.04.3 of 2026)",
    "team": "FIDE team Swiss without colours (C.04.6 of 2026)",
}


class Event(Struct, frozen=True):
    """What is paired: the round, how many are scheduled, couples that may not meet, and who of round 1 begins where.

    `bye` is what the pairing-allocated bye counts, where `points` do not say it; None for what the system says (a win
    in the Dutch, a draw in the team system). `virtual` points accelerate the Dutch system, or stand for what an entrant
    has beside its results.
    """

    round: int
    rounds: int
    forbidden: tuple[Couple, ...] = ()
    top: Compass = "NS"
    bye: Literal["win", "draw"] | None = None
    points: Points = Points()
    virtual: tuple[Virtual, ...] = ()

    def counted(self, system: System) -> Points:
        """What results count in a system, the pairing's bye among them."""
        if self.points.bye is not None:
            return self.points
        bye = self.bye or ("win" if system == "dutch" else "draw")
        return replace(self.points, bye=self.points.win if bye == "win" else self.points.draw)


def pair_fide(system: System, contenders: Sequence[FideContender], event: Event) -> Pairing:
    """Pair a round; the pairing numbers are the contenders' order by seed, and must not change between rounds.

    Raises NoPairing: too_few, too_many, field_invalid, rounds_impossible, dead_end, engine_failed, engine_unsound.
    """
    ranked = sorted(contenders, key=lambda contender: contender.seed)
    present = [contender for contender in ranked if not contender.absent]
    _check(system, ranked, len(present), event)
    points = event.counted(system)
    built = tournament(
        ranked, event.round, event.rounds, event.forbidden, event.top, points, event.virtual, team=system == "team"
    )
    engine = Engine(f"gacrux-{system}", library_version())
    answer = _ask(system, built, event, engine)
    pairs, byes = _believed(answer, ranked, event, engine)
    couples = _couples(pairs, present, points)
    if system == "team":
        pairs = [seat(_seen(one), _seen(other)) for one, other in couples]
    else:
        pairs = _in_order(pairs, couples, points)
    return Pairing(engine, tuple(pairs), byes, (), 0, (f"{_NAMES[system]}, by gacrux {engine.version}.",))


def berger_tables(entrants: int, double: bool = False) -> Movement:
    """FIDE's Berger tables: everyone meets everyone once, or twice with sides reversed; the odd one out has a bye.

    Raises NoPairing: too_few, too_many, engine_failed, engine_unsound.
    """
    from gacrux.berger import bergertables

    if not FEWEST <= entrants <= MOST_IN_TABLES:
        raise _bounds(entrants, MOST_IN_TABLES)
    table = bergertables(entrants)["pairing"]
    rounds = []
    cycle = entrants + entrants % 2 - 1
    for number in range(1, cycle * (2 if double else 1) + 1):
        boards = table[(number - 1) % cycle + 1]
        sides = [(boards[board]["white"], boards[board]["black"]) for board in sorted(boards)]
        if number > cycle:
            sides = [(black, white) for white, black in sides]
        playing = [pair for pair in sides if max(pair) <= entrants]
        out = tuple(min(pair) for pair in sides if max(pair) > entrants)
        tables = tuple(Table(place, ((ns,), (ew,)), number) for place, (ns, ew) in enumerate(playing, 1))
        rounds.append(Round(number, tables, out))
    met = [
        couple(str(a[0]), str(b[0])) for movement_round in rounds for a, b in (t.sides for t in movement_round.tables)
    ]
    if len(set(met)) * (2 if double else 1) != len(met) or len(set(met)) != entrants * (entrants - 1) // 2:
        raise _unsound(Engine("gacrux-berger", library_version()), "the tables do not let everyone meet once")
    return Movement("berger", entrants, tuple(rounds), 1)


def library_version() -> str:
    """The version of gacrux that is installed."""
    from gacrux.version import __version__

    return str(__version__)


def _check(system: System, ranked: Sequence[FideContender], present: int, event: Event) -> None:
    most = MOST[system]
    if present < FEWEST or len(ranked) > most:
        raise _bounds(len(ranked) if len(ranked) > most else present, most)
    if not 1 <= event.round <= event.rounds:
        message = f"Round {event.round} of {event.rounds} cannot be paired."
        raise NoPairing(NoPairingCode.ROUNDS_IMPOSSIBLE, message, rounds=event.round, most=event.rounds)


def _bounds(entrants: int, most: int) -> NoPairing:
    if entrants < FEWEST:
        message = f"A round needs {FEWEST} active entrants, there are {entrants}."
        return NoPairing(NoPairingCode.TOO_FEW, message, needed=FEWEST, count=entrants)
    message = f"This system takes {most} entrants at most, there are {entrants}."
    return NoPairing(NoPairingCode.TOO_MANY, message, most=most, count=entrants)


def _ask(system: System, built: dict[str, Any], event: Event, engine: Engine) -> list[tuple[int, int]]:
    """The library's pairs of pairing numbers in the order of the boards, White first; 0 as Black is the bye."""
    from gacrux.gacruxexeptions import GacruxNoLegalPairing
    from gacrux.pairingdutch import pairing_dutch
    from gacrux.pairingfideteam import pairing_fideteam

    methods = {"dutch": pairing_dutch, "team": pairing_fideteam}
    params = {"experimental": [], "verbose": 0, "top_color": "w" if event.top == "NS" else "b"}
    try:
        brackets = methods[system](built, event.round, params).compute_pairing(False, 0)
        pairs = [pair for bracket in brackets if bracket for pair in bracket["pairs"]]
        return [(int(pair["w"]), int(pair["b"])) for pair in sorted(pairs, key=lambda pair: int(pair["board"]))]
    except GacruxNoLegalPairing as fault:
        message = "No pairing keeps the absolute criteria of the system: too many have met already."
        raise NoPairing(NoPairingCode.DEAD_END, message, engine=engine.name) from fault
    except _FAULTS as fault:
        problem = f"{type(fault).__name__}: {fault}"
        raise NoPairing(
            NoPairingCode.ENGINE_FAILED, f"{engine.name} gave up: {problem}", engine=engine.name, problem=problem
        ) from fault


def _believed(
    answer: list[tuple[int, int]], ranked: Sequence[FideContender], event: Event, engine: Engine
) -> tuple[list[Pair], tuple[str, ...]]:
    """The answer as pairs and byes, once it is known to break none of the absolute rules."""
    named = dict(enumerate(ranked, 1))
    seated = [number for pair in answer for number in pair if number]
    if any(number not in named for number in seated):
        raise _unsound(engine, "it names a pairing number that nobody has")
    if sorted(seated) != [number for number, contender in named.items() if not contender.absent]:
        raise _unsound(engine, "not every active entrant is there once")
    byes = [named[white] for white, black in answer if black == 0]
    if len(byes) != len(seated) % 2 or any(white == 0 for white, _ in answer):
        raise _unsound(engine, "the number of byes is wrong")
    if any(past.bars_bye for contender in byes for past in contender.rounds):
        raise _unsound(engine, f"{byes[0].entrant} has had a bye already")
    barred = {couple(one, other) for one, other in event.forbidden}
    pairs = [Pair(named[white].entrant, named[black].entrant) for white, black in answer if black]
    for pair in pairs:
        if couple(pair.ns, pair.ew) in barred:
            raise _unsound(engine, f"{pair.ns} and {pair.ew} may not meet")
    for white, black in answer:
        if black and any(
            past.kind == "played" and past.opponent == named[black].entrant for past in named[white].rounds
        ):
            raise _unsound(engine, f"{named[white].entrant} and {named[black].entrant} have met already")
    return pairs, tuple(contender.entrant for contender in byes)


def _unsound(engine: Engine, problem: str) -> NoPairing:
    message = f"The answer of {engine.name} {engine.version} breaks the rules: {problem}."
    return NoPairing(NoPairingCode.ENGINE_UNSOUND, message, engine=engine.name, problem=problem)


def _couples(
    pairs: Sequence[Pair], present: Sequence[FideContender], points: Points
) -> list[tuple[FideContender, FideContender]]:
    """The pairs as contenders, the one with the better score, then seed, first."""
    known = {contender.entrant: contender for contender in present}
    couples = []
    for pair in pairs:
        one, other = sorted(
            (known[pair.ns], known[pair.ew]), key=lambda contender: (-contender.score(points), contender.seed)
        )
        couples.append((one, other))
    return couples


def _in_order(
    pairs: Sequence[Pair], couples: Sequence[tuple[FideContender, FideContender]], points: Points
) -> list[Pair]:
    """The pairs in the order of the boards (C.04.2): the higher score first, then the other's, then the higher seed."""
    keys = [(-higher.score(points), -lower.score(points), higher.seed) for higher, lower in couples]
    return [pair for _, pair in sorted(zip(keys, pairs, strict=True), key=lambda found: found[0])]


def _seen(contender: FideContender) -> Contender:
    sides = [past.side for past in contender.rounds if past.kind == "played"]
    return Contender(contender.entrant, contender.seed, ns=sides.count("NS"), last=sides[-1] if sides else None)
