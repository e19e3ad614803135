"""Round robin by the circle: number n stays, the others turn by one place a round."""

from typing import Final

from domain.pairing.movements import Movement, Round, Table, bounded

FEWEST: Final = 2
MOST: Final = 1000


def circle(even: int, turn: int) -> list[tuple[int, int]]:
    """The pairs of a turn, from 0, of an even number, the one of number n first; sides as the circle gives them."""
    others = even - 1
    first = (turn + 1, even)
    return [first, *(((turn + k) % others + 1, (turn - k) % others + 1) for k in range(1, even // 2))]


def round_robin(entrants: int, double: bool = False) -> Movement:
    """Everyone meets everyone once, or twice with sides reversed; of an odd number one sits out each round.

    Sides differ by one round at most in a single round robin. Raises NoPairing: too_few, too_many.
    """
    bounded("A round robin", entrants, FEWEST, MOST)
    even = entrants + entrants % 2
    rounds = []
    for number in range(1, (even - 1) * (2 if double else 1) + 1):
        turn = (number - 1) % (even - 1)
        (moving, fixed), *others = circle(even, turn)
        pairs = [(fixed, moving) if turn % 2 else (moving, fixed), *others]
        if number >= even:
            pairs = [(ew, ns) for ns, ew in pairs]
        playing = [pair for pair in pairs if max(pair) <= entrants]
        out = tuple(min(pair) for pair in pairs if max(pair) > entrants)
        tables = (Table(place, ((ns,), (ew,)), number) for place, (ns, ew) in enumerate(playing, 1))
        rounds.append(Round(number, tuple(tables), out))
    return Movement("double round robin" if double else "round robin", entrants, tuple(rounds), 1)
