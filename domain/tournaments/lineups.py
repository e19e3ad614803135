"""Line-ups: how many belong to an entrant, which bots are permitted, who came in for whom."""

from collections.abc import Container, Sequence

from domain.rules import compile_rules
from domain.tournaments.draft import Draft
from domain.tournaments.entry_events import Substituted
from domain.tournaments.games import open_games
from domain.tournaments.lengths import decides_ties_by_a_hand, legs_of
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Entrant, Match, Tournament
from domain.tournaments.terms import PLAYERS_OF_ENTRANT_MAX, Terms

TABLES_OF_TEAM = 2


def sizes(terms: Terms) -> range:
    """How many players an entrant may have: as many as a side for a pair, of teams also some in reserve."""
    if terms.entrants == "individuals":
        return range(1, 2)
    side = len(compile_rules(terms.ruleset, terms.players).sides[0])
    if terms.entrants == "fixed":
        return range(side, side + 1)
    return range(TABLES_OF_TEAM * side, PLAYERS_OF_ENTRANT_MAX + 1)


def check_lineup(terms: Terms, players: Sequence[str], bots: Sequence[str | None]) -> None:
    """Raises `TournamentRefused`: `lineup_invalid`, `bot_not_permitted`."""
    needed = sizes(terms)
    if len(players) not in needed:
        least, most = needed.start, needed.stop - 1
        told = f"{least} players" if least == most else f"{least} to {most} players"
        raise _invalid(told if most > 1 else "one player", least=least, most=most, found=len(players))
    if len(set(players)) != len(players):
        raise _invalid("Nobody is twice in a line-up.", players=sorted({p for p in players if players.count(p) > 1}))
    if len(bots) != len(players):
        raise _invalid("An entry for each player: the level of a bot, or null.", players=len(players), bots=len(bots))
    for player, bot in zip(players, bots, strict=True):
        if bot is not None:
            check_bot(terms, player, bot)


def check_bot(terms: Terms, player: str, bot: str) -> None:
    """A bot may play where the terms declare one, at its level, and ask for nobody but persons.

    Raises `TournamentRefused`: `bot_not_permitted`.
    """
    persons_only = any(condition.kind == "persons_only" for condition in terms.registration.conditions)
    permitted = None if persons_only else terms.stand_in_level
    if bot != permitted:
        raise TournamentRefused(TournamentCode.BOT_NOT_PERMITTED, player=player, bot=bot, permitted=permitted)


def substitutes_used(entrant: Entrant) -> int:
    """How many have come in for others so far; whoever comes back is not counted again."""
    return len(entrant.former.difference(entrant.players))


def _invalid(needed: str, **params: object) -> TournamentRefused:
    return TournamentRefused(TournamentCode.LINEUP_INVALID, needed=needed, **params)


def seat_newcomers(draft: Draft, entrant_id: str) -> None:
    """Once everybody has agreed to be seated, newcomers take the seats of those who left, at tables with games to play.

    The first of the line-up play, as many as have seats in a match; the others are in reserve. Whoever left a match
    under way stays out of it: they have seen cards that are played at its other table too. Raises `TournamentRefused`:
    `lineup_invalid`.
    """
    state = draft.state
    entrant = state.entrants[entrant_id]
    if not entrant.agreed:
        return
    seats: dict[str, str] = {}
    tables: dict[str, tuple[int, ...]] = {}
    for match in state.matches.values():
        seated = _seated(match, entrant_id, {table.table for table in match.paired.tables})
        playing = entrant.players[: len(seated)]
        left = [player for player in seated if player not in playing]
        if not left or match.over:
            continue
        free = [player for player in playing if player not in seated]
        to_play = tables_to_play(state, match)
        there = _seated(match, entrant_id, to_play)
        taken = {gone: comer for gone, comer in zip(left, free, strict=False) if gone in there}
        back = [comer for comer in taken.values() if comer in match.left]
        if back:
            raise _invalid("Somebody who has not left a seat of this match.", match=match.id, players=back)
        if taken:
            seats |= taken
            tables[match.id] = tuple(sorted(to_play))
    if seats:
        draft.add(
            Substituted(
                entrant=entrant_id,
                players=entrant.players,
                bots=entrant.bots,
                matches=(*tables,),
                seats=seats,
                tables=tables,
            )
        )


def tables_to_play(state: Tournament, match: Match) -> frozenset[int]:
    """The tables of a match at which a game is to be played, or may be: a hand for a tie is the last one of a table.

    At the others the seats belong to those who played there.
    """
    tables = frozenset(seats.table for seats in match.paired.tables)
    stage = state.stage_terms(match.stage)
    if not match.started:
        return tables
    if decides_ties_by_a_hand(stage):
        last = legs_of(stage) + 1
        return frozenset(each for each in tables if (each, last) not in match.finished and not match.result(each, last))
    return frozenset(seats.table for seats, _ in open_games(state, match))


def _seated(match: Match, entrant: str, tables: Container[int]) -> list[str]:
    """Who sits for an entrant at these tables of a match."""
    return [
        player
        for table in match.paired.tables
        if table.table in tables
        for owner, player in zip(table.entrants, table.players, strict=True)
        if owner == entrant
    ]
