"""Matches that were paired by the outcome of another one, and who goes on to the next stage."""

from collections.abc import Iterator

import msgspec

from domain.pairing.brackets import Bracket, Seed
from domain.standings.lots import lot_order
from domain.tournaments.stages import at_cut, cut_purpose
from domain.tournaments.state import Tournament


def dependants(state: Tournament, match_id: str) -> tuple[str, ...]:
    """Later matches of the bracket of a match that somebody comes to from it, straight or through others, by round.

    Where nobody came from it to a match, whoever met nobody went on instead, so that it counts as well.
    """
    match = state.matches[match_id]
    stage = state.stages[match.stage]
    if match.paired.bracket is None or stage.bracket is None:
        return ()
    reached = {match.paired.bracket}
    for each in msgspec.convert(stage.bracket, Bracket).matches:
        if any(not isinstance(source, Seed) and source.match in reached for source in each.sources):
            reached.add(each.id)
    return tuple(
        later.id
        for number in stage.rounds
        if number > match.round
        for later in state.matches_of(number)
        if later.paired.bracket in reached
    )


def qualified(state: Tournament, stage: int) -> frozenset[str]:
    """Who would go on from a stage as it stands to the next one; nobody after the last stage.

    Of those who share the rank at the cut whom the lot named; nobody while it is not drawn.
    """
    if stage + 1 >= len(state.terms.stages) or stage >= len(state.stages):
        return frozenset()
    certain, level, places = at_cut(state, stage + 1)
    drawn = state.lots.get(cut_purpose(stage + 1))
    named = () if drawn is None else lot_order(bytes.fromhex(drawn), level)[:places]
    return frozenset((*certain, *named))


def changed_cuts(before: Tournament, after: Tournament, stage: int) -> Iterator[int]:
    """The stages after this one that had begun and that others would go on to now."""
    for number in range(stage + 1, len(before.stages)):
        if qualified(before, number - 1) != qualified(after, number - 1):
            yield number
