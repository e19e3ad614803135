"""`evolve(state, event) -> state`: the fold. Total: it never refuses and never consults today's rules.

Whatever an event says is taken as it stands; the only rules read are those of the rule set that the game's first event
embeds. The same functions fold the public forms of events, so a viewer's fold and the view of the full fold agree.

The functions of `folding_hand` and `folding_table` change the state that they are given; `evolve` and `fold` hand
them a copy of their own.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, cast

from msgspec.structs import replace

from domain import events, folding_hand, folding_table
from domain.editions import edition_of
from domain.events import AnyEvent, Watch
from domain.rules import Rules, compile_rules
from domain.state import State, Table


def initial_table(rules: Rules) -> Table:
    """A table that was not opened by an event: a position on its own."""
    return Table(
        rules=rules,
        status="playing",
        seats=(None,) * rules.players,
        clock=None,
        watch=Watch("nobody", 0),
        striped=False,
        fairness=None,
        origin=None,
        engine="",
    )


def initial_state(created: events.Created) -> State:
    """The state that a game's first event makes."""
    rules = compile_rules(created.ruleset, created.players, edition_of(created.engine))
    table = replace(
        initial_table(rules),
        status="open",
        clock=created.clock,
        watch=created.watch,
        striped=created.stock == "striped",
        fairness=created.fairness,
        origin=created.origin,
        engine=created.engine,
    )
    scores = (0,) * len(rules.sides)
    return State(table=table, version=created.n, scores=scores, totals=scores)


def evolve(state: State, event: AnyEvent) -> State:
    """The state after one more event; the one given stays as it is."""
    state = state.copy()
    state.version = event.n
    _FOLDS[type(event)](state, event)
    return state


def fold(state: State, happened: Iterable[AnyEvent]) -> State:
    """The state after all the events given; the one given stays as it is."""
    state = state.copy()
    fold_into(state, happened)
    return state


def fold_into(state: State, happened: Iterable[AnyEvent]) -> None:
    """Fold events into a state of the caller's own, which is changed: from `initial_state` or `State.copy`."""
    folds = _FOLDS
    for event in happened:
        state.version = event.n
        folds[type(event)](state, event)


def replay(happened: Iterable[AnyEvent]) -> State:
    """The state of a game from its whole stream, which begins with `created`."""
    stream = iter(happened)
    return fold(initial_state(cast(events.Created, next(stream))), stream)


_FOLDS: Final[dict[type, Callable[[State, Any], None]]] = {
    events.Created: folding_table.noted,
    events.Seated: folding_table.seated,
    events.Unseated: folding_table.unseated,
    events.Closed: folding_table.closed,
    events.NonceRevealed: folding_table.nonce_revealed,
    events.Placed: folding_table.placed,
    events.Started: folding_table.started,
    events.Dealt: folding_hand.dealt,
    events.Drew: folding_hand.drew,
    events.TookPile: folding_hand.took_pile,
    events.TookUpcard: folding_hand.took_upcard,
    events.Melded: folding_hand.melded,
    events.LaidRedThree: folding_hand.laid_red_three,
    events.Asked: folding_hand.asked,
    events.Answered: folding_hand.answered,
    events.Discarded: folding_hand.discarded,
    events.Passed: folding_table.noted,
    events.HandEnded: folding_hand.hand_ended,
    events.StoodIn: folding_table.stood_in,
    events.Resigned: folding_table.noted,
    events.TimedOut: folding_table.noted,
    events.Adjudicated: folding_table.noted,
    events.Aborted: folding_table.noted,
    events.GameEnded: folding_table.game_ended,
    events.Revealed: folding_table.revealed,
}
