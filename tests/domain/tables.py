"""Tables to try: opened, seated, closed, begun."""

from typing import Any

from domain.chance import FairChance, PracticeChance, fair_terms
from domain.events import Watch
from domain.evolve import fold, initial_state
from domain.fairness import nonce_commitment
from domain.lobby import close, open_table, reveal_nonce, sit
from domain.playing import begin
from domain.rulesets import resolve
from domain.state import State

MASTER = bytes(range(128))
NONCE = bytes(range(32))
SEED_ORIGIN = {"kind": "seed", "seed": "00ff"}
GAME = "game-1"


def opened(
    *,
    ruleset: str = "samba-official",
    players: int = 4,
    mode: Any = "server_only",
    origin: object = None,
    options: object = None,
    **terms: Any,
) -> State:
    """A table with nobody at it; a practice table where an origin is given."""
    created = open_table(
        resolve(ruleset, options),
        players,
        watch=Watch("anyone", 0),
        engine="test/1",
        fairness=None if origin is not None else fair_terms(mode, MASTER),
        origin=origin,
        **terms,
    )
    return initial_state(created)


def seated(**terms: Any) -> State:
    """A table with `p0`, `p1`, … at it."""
    state = opened(**terms)
    for seat in range(state.table.rules.players):
        state = fold(state, sit(state, seat, f"p{seat}"))
    return state


def closed(*, committed: tuple[int, ...] = (), **terms: Any) -> State:
    """A closed table; the seats named have committed to `NONCE`."""
    if committed:
        terms["mode"] = "players"
    state = seated(**terms)
    commitment = nonce_commitment(NONCE)
    seats = range(state.table.rules.players)
    return fold(state, close(state, [commitment if seat in committed else None for seat in seats]))


def begun(*, committed: tuple[int, ...] = (), **terms: Any) -> State:
    """A table with its first hand dealt or placed."""
    state = closed(committed=committed, **terms)
    for seat in committed:
        state = fold(state, reveal_nonce(state, seat, NONCE.hex()))
    return begin(state, chance_of(state))[1]


def chance_of(state: State) -> FairChance | PracticeChance:
    """Where the table's decks come from."""
    return PracticeChance() if state.table.fairness is None else FairChance(GAME, MASTER)
