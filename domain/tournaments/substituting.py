"""Somebody comes into a line-up for somebody else."""

from collections.abc import Mapping
from datetime import datetime

from domain.tournaments.draft import Draft
from domain.tournaments.entering import Events, check_conditions, check_free, own_entrant
from domain.tournaments.entrants import NOT_OVER, check_entrant_status, check_status
from domain.tournaments.entry_events import Substituted
from domain.tournaments.given import Person
from domain.tournaments.lineups import check_bot, seat_newcomers, substitutes_used
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Entrant, Tournament


def change_lineup(
    state: Tournament,
    entrant: str,
    outgoing: str,
    incoming: str,
    by: str,
    now: datetime,
    persons: Mapping[str, Person],
    bot: str | None = None,
) -> Events:
    """A member changes the line-up, between matches and as often as the terms allow; a person has to agree then.

    A player in reserve of a team changes places without being counted. Raises `TournamentRefused`:
    `entrant_not_found`, `not_your_entrant`, `match_wrong_status`, `entry_conditions_not_met`, `substitutes_used_up`,
    and as `substitute` does.
    """
    found = own_entrant(state, entrant, by)
    under_way = [
        match.id
        for match in state.matches.values()
        if match.started and not match.over and any(entrant in side for side in match.paired.sides)
    ]
    if under_way:
        raise TournamentRefused(
            TournamentCode.MATCH_WRONG_STATUS, matches=under_way, needed="no match under way, or a director"
        )
    if incoming not in found.players:
        check_conditions(state, (incoming,), (bot,), persons)
    draft = Draft(state, by, now)
    substitute(draft, found, outgoing, incoming, bot)
    used = substitutes_used(draft.state.entrants[entrant])
    if used > state.terms.substitutes_max:
        raise TournamentRefused(TournamentCode.SUBSTITUTES_USED_UP, substitutes_max=state.terms.substitutes_max)
    return draft.events


def substitute(draft: Draft, entrant: Entrant, outgoing: str, incoming: str, bot: str | None) -> None:
    """`incoming` for `outgoing`, in open matches too as soon as everybody has agreed to be seated.

    Raises `TournamentRefused`: `tournament_wrong_status`, `entrant_wrong_status`, `lineup_invalid`,
    `bot_not_permitted`, `player_entered_already`.
    """
    state = draft.state
    check_status(state, *NOT_OVER)
    check_entrant_status(entrant, "entered", "waiting")
    if outgoing not in entrant.players or outgoing == incoming:
        raise TournamentRefused(
            TournamentCode.LINEUP_INVALID, needed="One of the line-up leaves for somebody else.", outgoing=outgoing
        )
    reserve = incoming in entrant.players
    if not reserve:
        if bot is not None:
            check_bot(state.terms, incoming, bot)
        check_free(state, (incoming,), entrant.id)
    levels = dict(zip(entrant.players, entrant.bots, strict=True)) | ({} if reserve else {incoming: bot})
    moved = {outgoing: incoming, incoming: outgoing} if reserve else {outgoing: incoming}
    players = tuple(moved.get(player, player) for player in entrant.players)
    bots = tuple(levels[player] for player in players)
    draft.add(Substituted(entrant=entrant.id, players=players, bots=bots))
    seat_newcomers(draft, entrant.id)
