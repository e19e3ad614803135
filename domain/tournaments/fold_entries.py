"""The fold of the events about entrants."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import UnsetType
from msgspec.structs import replace

from domain.tournaments import entry_events as events
from domain.tournaments.state import Entrant, Tournament


def _entered(state: Tournament, event: events.Entered) -> None:
    state.entrants[event.entrant] = Entrant(
        id=event.entrant,
        place=len(state.entrants) + 1,
        players=event.players,
        bots=event.bots,
        consents=frozenset(event.consents),
        status=event.status,
        name=event.name,
        avoid=event.avoid,
        rating=event.rating,
        late_round=event.late_round,
        levels=_levels(event.players, event.bots),
        placed=event.status == "entered",
    )


def _consented(state: Tournament, event: events.Consented) -> None:
    entrant = state.entrants[event.entrant]
    _change(state, event.entrant, consents=entrant.consents | {event.player})


def _admitted(state: Tournament, event: events.Admitted) -> None:
    _change(state, event.entrant, status="entered", late_round=event.late_round, placed=True)


def _checked_in(state: Tournament, event: events.CheckedIn) -> None:
    _change(state, event.entrant, checked_in=True)


def _withdrawn(state: Tournament, event: events.Withdrawn) -> None:
    _change(state, event.entrant, status="disqualified" if event.disqualified else "withdrawn")
    state.ladder = tuple(each for each in state.ladder if each != event.entrant)
    for asked in (state.challenges, state.accepted):
        for challenger, challenged in [*asked.items()]:
            if event.entrant in (challenger, challenged):
                del asked[challenger]
                state.challenged_at.pop(challenger, None)


def _returned(state: Tournament, event: events.Returned) -> None:
    _change(state, event.entrant, status=event.status)


def _bye_asked(state: Tournament, event: events.ByeAsked) -> None:
    asked = state.entrants[event.entrant].byes_asked
    others = {number: bye for number, bye in asked.items() if number not in event.rounds}
    own = {} if event.bye is None else dict.fromkeys(event.rounds, event.bye)
    _change(state, event.entrant, byes_asked=others | own)


def _seeded(state: Tournament, event: events.Seeded) -> None:
    state.seeding = event.order
    state.seeded_by = event.method
    for number, entrant in enumerate(event.order, 1):
        _change(state, entrant, seed=number)


def _forbidden(state: Tournament, event: events.PairingForbidden) -> None:
    pair = frozenset({frozenset(event.pair)})
    state.forbidden = state.forbidden - pair if event.lifted else state.forbidden | pair


def _substituted(state: Tournament, event: events.Substituted) -> None:
    entrant = state.entrants[event.entrant]
    former = entrant.former | (set(entrant.players) - set(event.players))
    levels = entrant.levels | _levels(event.players, event.bots)
    _change(state, event.entrant, players=event.players, bots=event.bots, former=former, levels=levels)
    for match_id in event.matches:
        match = state.matches[match_id]
        changed = None if isinstance(event.tables, UnsetType) else event.tables[match_id]
        tables = tuple(
            replace(
                table,
                players=tuple(
                    event.seats.get(player, player) if owner == event.entrant else player
                    for owner, player in zip(table.entrants, table.players, strict=True)
                ),
            )
            if changed is None or table.table in changed
            else table
            for table in match.paired.tables
        )
        left = match.left.union(event.seats) if match.started else match.left
        state.matches[match_id] = replace(match, paired=replace(match.paired, tables=tables), left=left)


def _challenged(state: Tournament, event: events.Challenged) -> None:
    state.challenges[event.challenger] = event.challenged
    state.challenged_at[event.challenger] = event.at


def _answered(state: Tournament, event: events.ChallengeAnswered) -> None:
    _unasked(state, event.challenger)
    if event.accepted:
        state.accepted[event.challenger] = event.challenged


def _dropped(state: Tournament, event: events.ChallengeDropped) -> None:
    _unasked(state, event.challenger)
    state.accepted.pop(event.challenger, None)


def _unasked(state: Tournament, challenger: str) -> None:
    """Nothing of an entrant waits to be answered."""
    state.challenges.pop(challenger, None)
    state.challenged_at.pop(challenger, None)


def _levels(players: Sequence[str], bots: Sequence[str | None]) -> dict[str, str]:
    """The levels of the bots of a line-up."""
    return {player: bot for player, bot in zip(players, bots, strict=True) if bot is not None}


def _change(state: Tournament, entrant: str, **changes: Any) -> None:
    state.entrants[entrant] = replace(state.entrants[entrant], **changes)


ENTRIES: Final[dict[type, Callable[[Tournament, Any], None]]] = {
    events.Entered: _entered,
    events.Consented: _consented,
    events.Admitted: _admitted,
    events.CheckedIn: _checked_in,
    events.Withdrawn: _withdrawn,
    events.Returned: _returned,
    events.ByeAsked: _bye_asked,
    events.Seeded: _seeded,
    events.PairingForbidden: _forbidden,
    events.Substituted: _substituted,
    events.Challenged: _challenged,
    events.ChallengeAnswered: _answered,
    events.ChallengeDropped: _dropped,
}
