"""The label of a table: who chose its deals (fairness, 5)."""

from typing import Final, Literal

from domain.boards import is_on_boards
from domain.state import Table

ChosenBy = Literal["server_only", "players", "beacon", "players_and_beacon"]

MEANINGS: Final[dict[ChosenBy, str]] = {
    "server_only": "The server alone chose these deals. It chose before it knew the seats, and cannot change its mind.",
    "players": "The server and the players who brought nonces chose these deals together: none of them alone could.",
    "beacon": "The server and a public beacon chose these deals together: neither of them alone could.",
    "players_and_beacon": "The server, the players who brought nonces and a public beacon chose these deals together: "
    "none of them alone could.",
}
"""What each label says, as a plain sentence. None of them says that the operator cannot read the hands."""

BOARD_MEANINGS: Final[dict[ChosenBy, str]] = {
    "server_only": "The server alone chose these boards, the same for every table. It chose when the entries of the "
    "tournament were closed, and cannot change its mind.",
    "beacon": "The server and a public beacon chose these boards together, the same for every table: neither of them "
    "alone could.",
}
"""What the labels of tables on boards say; players have no part in boards."""


def meaning(table: Table) -> str | None:
    """What the label of a table says, as a plain sentence; None as `chosen_by` is."""
    label = chosen_by(table)
    if label is None:
        return None
    return BOARD_MEANINGS[label] if is_on_boards(table) else MEANINGS[label]


def chosen_by(table: Table) -> ChosenBy | None:
    """Who chose the deals; None for a practice table, and until closing settles it."""
    if table.fairness is None or not table.closed_seats:
        return None
    if table.beacon is None:
        return "players" if any(table.nonce_commitments) else "server_only"
    return "players_and_beacon" if any(table.nonce_commitments) else "beacon"
