"""How many rounds can be played before nobody new is left to meet, told before the start."""

from msgspec import Struct


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
    # Two entrants have their one match.
    most = 1 if entrants == 2 else max(0, entrants - 2 if entrants % 2 == 0 else entrants - 1)
    robin = max(0, entrants - 1 + entrants % 2)
    advised = min(max(1, (entrants - 1).bit_length() + 2), most)
    reason = None
    if rounds < 1:
        reason = "At least one round is needed."
    elif entrants < 2:
        reason = f"Two entrants are needed, there are {entrants}."
    elif rounds > most:
        room = f"{entrants} entrants have room for {most} {'round' if most == 1 else 'rounds'}"
        reason = f"{room}, {rounds} are asked for; a round robin has {robin}."
    return Forecast(entrants, rounds, reason is None, entrants // 2, most, advised, robin, reason)
