"""A hash of a game's state, by which two programs can tell that they have folded the same events into the same state.

It is made of the JSON of the formats and of names written down here, not of Python's: neither the names of classes and
fields nor the order of anything in the code is in it. What a later program adds to the state comes in only where a game
makes use of it, so that the hashes of earlier games stay.
"""

from hashlib import sha256
from typing import Any

import msgspec

from domain.canonical import canonical
from domain.placing import write_position
from domain.state import State, Table


def state_hash(state: State) -> str:
    """SHA-256 of a complete state (nothing hidden), lower-case hex."""
    return sha256(canonical(state_facts(state))).hexdigest()


def state_facts(state: State) -> dict[str, Any]:
    """All that a state says, as plain JSON: position (formats, part 3), what lies beside it, and the table."""
    return {
        "version": state.version,
        "position": write_position(state) | {"ruleset": state.table.rules.ruleset_hash},
        "stripes": list(state.stock),
        "next_meld": state.next_meld,
        "turn_first_meld": state.turn_first_meld,
        "touched_old": state.touched_old,
        "stood_in": state.stood_in,
        "lines": list(state.lines),
        "totals": list(state.totals),
        "reason": state.end_reason,
        "winners": list(state.winners),
        "table": _table(state.table),
    }


def _table(table: Table) -> dict[str, Any]:
    return {
        "status": table.status,
        "seats": [each and [each.player, each.kind, each.bot] for each in table.seats],
        "clock": msgspec.to_builtins(table.clock),
        "watch": msgspec.to_builtins(table.watch),
        "striped": table.striped,
        "fairness": table.fairness,
        "origin": table.origin,
        "engine": table.engine,
        "closed_seats": list(table.closed_seats),
        "nonce_commitments": list(table.nonce_commitments),
        "nonces": list(table.nonces),
        "beacon": msgspec.to_builtins(table.beacon),
        "randomness": table.randomness,
        "first_dealer": table.first_dealer,
        "departed": sorted(table.departed),
        "revealed": table.revealed,
    }
