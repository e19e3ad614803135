"""How many rounds can be played before nobody new is left to meet, told before the start and on the way."""

from msgspec import Struct

from domain.pairing.matching import Matched, match, spare
from domain.pairing.shapes import Field, couple


class Forecast(Struct, frozen=True):
    """What a Swiss of so many entrants has room for, in rounds.

    `certain` rounds can be paired without a rematch whatever happens, `most` is the highest number that is accepted,
    `advised` finds one winner with something to spare, `round_robin` is how many let everyone meet everyone.
    """

    entrants: int
    rounds: int
    possible: bool
    certain: int
    most: int
    advised: int
    round_robin: int
    reason: str | None


def forecast(entrants: int, rounds: int) -> Forecast:
    """Whether so many rounds without rematches are accepted, and why not.

    Certain: while everybody has at least half of the others still to meet, a perfect matching exists (Dirac 1952).
    """
    most = max(0, entrants - 2 if entrants % 2 == 0 else entrants - 1)
    robin = max(0, entrants - 1 + entrants % 2)
    advised = min(max(1, (entrants - 1).bit_length() + 2), max(most, 0))
    reason = None
    if rounds < 1:
        reason = "At least one round is needed."
    elif entrants < 2:
        reason = f"Two entrants are needed, there are {entrants}."
    elif rounds > most:
        reason = f"{entrants} entrants have room for {most} rounds, {rounds} are asked for; a round robin has {robin}."
    return Forecast(entrants, rounds, reason is None, entrants // 2, most, advised, robin, reason)


def rounds_left(field: Field) -> int:
    """How many further rounds can be paired for certain with nothing relaxed; 0: not even the next.

    Forbidden and avoided couples count as barred. Of an odd number the bye is left out of account, except for the next.
    """
    names = [contender.entrant for contender in field.contenders]
    barred = {couple(one, other) for one, other in (*field.met, *field.forbidden, *field.avoided)}
    number = {name: place for place, name in enumerate(names)}
    bars: list[set[int]] = [set() for _ in names]
    for one, other in barred:
        if one in number and other in number:
            bars[number[one]].add(number[other])
            bars[number[other]].add(number[one])
    count = len(names)
    if count < 2:
        return 0
    if count % 2:
        free = spare(count, lambda v, w: w not in bars[v])
        fewest = min(contender.byes for contender in field.contenders)
        following = any(field.contenders[v].byes == fewest for v in free)
    else:
        following = isinstance(match(count, lambda v, w: None if w in bars[v] else 0), Matched)
    playing = count - count % 2
    degree = min(count - 1 - len(bars[v]) for v in range(count)) - count % 2
    return max(degree - playing // 2 + 1, 1) if following else 0
