"""A tournament in the form that gacrux reads: competitors, games or matches, scores."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final, Literal

from msgspec import Struct

from domain.pairing.shapes import Compass, Couple, NoPairing, NoPairingCode

Result = Literal["win", "draw", "loss"]
RoundKind = Literal["played", "forfeit", "bye", "full_bye", "half_bye", "zero_bye"]

_BYES: Final[dict[RoundKind, str]] = {"bye": "P", "full_bye": "W", "half_bye": "D", "zero_bye": "Z"}
_PLAYED: Final[dict[Result | None, str]] = {"win": "W", "draw": "D", "loss": "L"}


class Points(Struct, frozen=True):
    """What results count, in hundredths; `bye` is the one that the pairing allots, None for what the system says."""

    win: int = 100
    draw: int = 50
    loss: int = 0
    bye: int | None = None

    @property
    def allotted(self) -> int:
        """What the pairing's bye counts, a win unless told."""
        return self.win if self.bye is None else self.bye


class FideRound(Struct, frozen=True):
    """A past round of a contender: played or forfeited (opponent, side and result), or a bye of a kind.

    `bye` is the one that the pairing allots; the others were asked for. Who came late has a zero_bye for each round
    before. In a double forfeit both results are a loss. `score` (hundredths) stands for what the result would count.
    """

    kind: RoundKind
    result: Result | None = None
    opponent: str | None = None
    side: Compass | None = None
    score: int | None = None

    @property
    def bars_bye(self) -> bool:
        """Whether a contender with such a round may not be given the pairing's bye."""
        return self.kind in ("bye", "full_bye") or (self.kind == "forfeit" and self.result == "win")

    def worth(self, points: Points) -> int:
        """What it counts in hundredths."""
        if self.score is not None:
            return self.score
        if self.kind == "bye":
            return points.allotted
        if self.kind == "full_bye" or self.result == "win":
            return points.win
        if self.kind == "half_bye" or self.result == "draw":
            return points.draw
        return points.loss if self.kind == "played" else 0


class Virtual(Struct, frozen=True):
    """Points in hundredths that count for an entrant while the rounds `first` to `last` are paired, and nowhere else.

    They are how a tournament is accelerated (FIDE C.04.7), and how scores that no results made are paired by.
    """

    entrant: str
    first: int
    last: int
    points: int


class FideContender(Struct, frozen=True):
    """An entrant, also one who has withdrawn: seed, rating (0: none), every past round, and whether absent now."""

    entrant: str
    seed: int
    rounds: tuple[FideRound, ...] = ()
    rating: int = 0
    absent: bool = False

    def score(self, points: Points) -> int:
        """The score so far in hundredths."""
        return sum(past.worth(points) for past in self.rounds)


def tournament(
    ranked: Sequence[FideContender],
    round_number: int,
    rounds: int,
    forbidden: Sequence[Couple],
    top: Compass,
    points: Points,
    virtual: Sequence[Virtual],
    *,
    team: bool,
) -> dict[str, Any]:
    """The tournament before a round; raises NoPairing (field_invalid) where the pasts contradict each other."""
    numbers = {contender.entrant: number for number, contender in enumerate(ranked, 1)}
    _check(ranked, numbers, round_number)
    results = _results(ranked, numbers)
    scores = _scores(points)
    score_system: dict[str, Any] = {"game": scores, "match": {}}
    if team:
        match = {key: value * 2 if isinstance(value, Decimal) else value for key, value in scores.items()}
        score_system["match"] = {**match, "FG": "W*", "HG": "D*", "ZG": "Z*", "PG": "P*"}
        score_system |= {"primary": "match", "secondary": "game"}
    prohibited = [
        {"firstRound": 1, "lastRound": rounds, "competitors": [numbers[one], numbers[other]]}
        for one, other in forbidden
        if one in numbers and other in numbers
    ]
    return {
        "tournamentNo": 1,
        "tournamentType": "Swiss",
        "tournamentInfo": {},
        "numRounds": rounds,
        "currentRound": round_number - 1,
        "teamTournament": team,
        "teamSize": 1 if team else 0,
        "rankOrder": ["PTS"],
        "competitors": [_competitor(contender, number) for number, contender in enumerate(ranked, 1)],
        "scoreSystem": score_system,
        "gameList": [] if team else results,
        "matchList": results if team else [],
        "topColor": "w" if top == "NS" else "b",
        "topColorExplicit": True,
        "pairingSystem": ["fideteam", "nocolor", "mp+gp"] if team else ["dutch"],
        "prohibited": prohibited,
        "accelerated": {"name": "Acc", "values": [_virtual(each, numbers) for each in virtual]},
    }


def _virtual(virtual: Virtual, numbers: dict[str, int]) -> dict[str, Any]:
    number = numbers[virtual.entrant]
    return {
        "matchPoints": _decimal(virtual.points) * 2,
        "gamePoints": _decimal(virtual.points),
        "firstRound": virtual.first,
        "lastRound": virtual.last,
        "firstCompetitor": number,
        "lastCompetitor": number,
    }


def _competitor(contender: FideContender, number: int) -> dict[str, Any]:
    return {
        "cid": number,
        "teamId": number,
        "rank": number,
        # The library draws a random number for every competitor that has none, from the process-wide generator.
        "random": number,
        "present": not contender.absent,
        "rating": {"list": "TRF", "rating": contender.rating} if contender.rating else None,
        "cplayers": [],
    }


def _scores(points: Points) -> dict[str, Decimal | str]:
    values: dict[str, Decimal | str] = {
        "W": _decimal(points.win),
        "D": _decimal(points.draw),
        "L": _decimal(points.loss),
        "Z": Decimal("0.0"),
        "P": _decimal(points.allotted),
    }
    return values | {"F": "W", "H": "D", "A": "D", "U": "Z"}


def _decimal(hundredths: int) -> Decimal:
    return Decimal(hundredths) / 100


def _results(ranked: Sequence[FideContender], numbers: dict[str, int]) -> list[dict[str, Any]]:
    """Every past game or match once, as the side that sat North-South tells it, and the byes."""
    results: list[dict[str, Any]] = []
    for contender in ranked:
        for round_number, past in enumerate(contender.rounds, 1):
            white = _side(numbers[contender.entrant], past)
            black: dict[str, Any] | None = None
            if past.opponent is not None:
                if past.side == "EW":
                    continue
                answer = ranked[numbers[past.opponent] - 1].rounds[round_number - 1]
                black = _side(numbers[past.opponent], answer)
            results.append(
                {
                    "id": len(results) + 1,
                    "round": round_number,
                    "white": white,
                    "black": black,
                    "played": past.kind in ("played", "bye"),
                    "rated": past.kind == "played",
                    "games": [],
                    "board": 0,
                }
            )
    return results


def _side(number: int, past: FideRound) -> dict[str, Any]:
    side = {"cid": number, "result": _letter(past)}
    return side if past.score is None else side | {"score": _decimal(past.score)}


def _letter(past: FideRound) -> str:
    if past.kind == "played":
        return _PLAYED[past.result]
    if past.kind == "forfeit":
        return "W" if past.result == "win" else "Z"
    return _BYES[past.kind]


def _check(ranked: Sequence[FideContender], numbers: dict[str, int], round_number: int) -> None:
    if len(numbers) != len(ranked) or len({contender.seed for contender in ranked}) != len(ranked):
        raise _invalid("Entrants and seeds have to be of one contender each.", ())
    for contender in ranked:
        if len(contender.rounds) != round_number - 1:
            message = f"{contender.entrant} has {len(contender.rounds)} past rounds, {round_number - 1} are needed."
            raise _invalid(message, (contender.entrant,))
        for place, past in enumerate(contender.rounds):
            if not _fits(contender, past, ranked, numbers, place):
                raise _invalid(
                    f"Round {place + 1} of {contender.entrant} contradicts itself or the opponent's.",
                    (contender.entrant,),
                )


def _fits(
    contender: FideContender, past: FideRound, ranked: Sequence[FideContender], numbers: dict[str, int], place: int
) -> bool:
    if past.kind in _BYES:
        return past.opponent is None
    if past.opponent not in numbers or past.side is None or past.result is None:
        return False
    rounds = ranked[numbers[past.opponent] - 1].rounds
    if place >= len(rounds):
        return False
    answer = rounds[place]
    results = sorted((past.result, answer.result or ""))
    return (
        answer.kind == past.kind
        and answer.opponent == contender.entrant
        and answer.side not in (None, past.side)
        and (results in (["loss", "win"], ["draw", "draw"]) or (past.kind == "forfeit" and results == ["loss", "loss"]))
    )


def _invalid(message: str, entrants: tuple[str, ...]) -> NoPairing:
    return NoPairing(
        NoPairingCode.FIELD_INVALID, message, entrants, needed="one past round for each round, as its opponent tells it"
    )
