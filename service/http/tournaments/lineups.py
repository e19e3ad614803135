"""Line-ups as directors write them: persons by their ids, bots by their levels, ids for bots from the service."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.tournaments import acts
from domain.tournaments.acts import Act
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Tournament
from service.automata import bot_player


def completed(act: Act) -> Act:
    """The act with an id for every bot. Raises `TournamentRefused` (`lineup_invalid`)."""
    match act:
        case acts.Enter(players=players, bots=bots):
            return _entry(act, players, bots or ())
        case acts.Substitute(incoming=incoming, bot=bot):
            if (incoming is None) == (bot is None):
                raise TournamentRefused(TournamentCode.LINEUP_INVALID, needed="either `incoming` or `bot`")
            return act if bot is None else replace(act, incoming=bot_player(bot))
        case _:
            return act


def _entry(act: acts.Enter, players: Sequence[str], bots: Sequence[str | None]) -> acts.Enter:
    """Persons take the places of the nulls, or come first where there are none."""
    places: tuple[str | None, ...] = tuple(bots)
    if None not in places:
        places = (None,) * len(players) + places
    if places.count(None) != len(players):
        raise TournamentRefused(
            TournamentCode.LINEUP_INVALID,
            needed="in `bots` a null for each of `players`, or none at all",
            players=len(players),
            nulls=places.count(None),
        )
    coming = iter(players)
    lineup = tuple(next(coming) if bot is None else bot_player(bot) for bot in places)
    return replace(act, players=lineup, bots=places)


def newcomers(act: Act, state: Tournament) -> Sequence[str]:
    """The persons whom a completed act brings in, or hands the tournament over to."""
    match act:
        case acts.Enter(players=players, bots=bots):
            return [each for each, bot in zip(players, bots or (), strict=True) if bot is None]
        case acts.Substitute(entrant=entrant, incoming=str(incoming), bot=None):
            return () if is_member(state, entrant, incoming) else (incoming,)
        case acts.HandOver(player=player):
            return (player,)
        case _:
            return ()


def is_member(state: Tournament, entrant: str, player: str) -> bool:
    """Whether a player is in the line-up of an entrant, so that no more is to be known of them."""
    known = state.entrants.get(entrant)
    return known is not None and player in known.players
