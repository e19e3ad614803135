"""What a director's own pairing gives up, told as the engines tell their relaxations."""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import Final

from domain.pairing.shapes import Sides, couple
from domain.tournaments.formats import Arena, Danish, Ladder
from domain.tournaments.history import history
from domain.tournaments.state import Tournament

_FOUND_ANEW: Final = frozenset({"forbidden", "rematch", "old_rematch"})


def given_up(state: Tournament, matches: Iterable[Sides]) -> tuple[str, ...]:
    """`forbidden:` for those at one table who are kept apart, `rematch:` for opponents who met before in the stage.

    Where a format lets everybody meet again, that is none. The round is not among those of `state`.
    """
    stage = state.stage
    assert stage is not None, "A round belongs to a stage."
    form = state.stage_terms(stage.number).format
    free = isinstance(form, Arena | Ladder) or (isinstance(form, Danish) and form.rematches == "all")
    met = {} if free else history(state).met
    found = []
    for sides in matches:
        together = sorted(couple(*pair) for pair in combinations([each for side in sides for each in side], 2))
        opponents = {couple(one, other) for here, there in combinations(sides, 2) for one in here for other in there}
        found += [f"forbidden:{'+'.join(pair)}" for pair in together if frozenset(pair) in state.forbidden]
        found += [f"rematch:{'+'.join(pair)}" for pair in sorted(opponents) if pair in met]
    return tuple(found)


def kept(relaxations: Iterable[str], matches: Sequence[Sides], byes: Collection[str]) -> list[str]:
    """Those of an earlier pairing that hold in this one too: for who is at one table still, or still has a bye.

    Without those that `given_up` finds itself.
    """
    tables = [{each for side in sides for each in side} for sides in matches]
    found = []
    for each in relaxations:
        kind, _, named = each.partition(":")
        entrants = set(named.split("+"))
        together = len(entrants) > 1 and any(entrants <= table for table in tables)
        if kind not in _FOUND_ANEW and (together or entrants <= {*byes}):
            found.append(each)
    return found
