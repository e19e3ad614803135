"""What a table waits for: a seat's move, or nonces and the beacon before the start."""

from domain.beacons import Beacon
from domain.state import State, Table, answering_seat


def seat_to_act(state: State) -> int | None:
    """The seat whose move is awaited, in phase `answer` the one that answers; None outside a turn."""
    phase = state.phase
    if phase == "draw" or phase == "play":
        return state.turn
    return answering_seat(state) if phase == "answer" else None


def missing_nonces(table: Table) -> tuple[int, ...]:
    """The seats that committed to a nonce at closing and have not revealed it (fairness, 4)."""
    pairs = enumerate(zip(table.nonce_commitments, table.nonces, strict=True))
    return tuple(seat for seat, (committed, nonce) in pairs if committed is not None and nonce is None)


def awaited_beacon(table: Table) -> Beacon | None:
    """The round without which the game cannot start (fairness, 3)."""
    return table.beacon if table.status == "closed" else None
