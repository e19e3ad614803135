"""What an act that ends something leaves unplayed: rounds of a stage, and stages that never begin."""

from collections.abc import Iterator

from msgspec import Struct

from domain.tournaments.brackets import bracket_standing
from domain.tournaments.entrants import OVER
from domain.tournaments.formats import Elimination
from domain.tournaments.state import Tournament


class Dropped(Struct, frozen=True, kw_only=True):
    """What will not be played of a stage. `rounds` are those that were planned, null where that is open: a bracket with
    matches to come, a stage that had not `begun` yet."""

    stage: int
    begun: bool
    rounds: int | None


def dropped(before: Tournament, after: Tournament) -> Iterator[Dropped]:
    """What was still to be played before, and is not afterwards, by stage."""
    for number in range(len(after.terms.stages)):
        if not _is_over(after, number) or _is_over(before, number):
            continue
        if number >= len(after.stages):
            yield Dropped(stage=number, begun=False, rounds=None)
            continue
        stage = after.stages[number]
        if isinstance(after.stage_terms(number).format, Elimination):
            if bracket_standing(after, stage).ready:
                yield Dropped(stage=number, begun=True, rounds=None)
            continue
        planned = (before if number < len(before.stages) else after).stages[number].rounds_planned
        left = (planned or 0) - sum(after.rounds[each].status != "paired" for each in stage.rounds)
        if left > 0:
            yield Dropped(stage=number, begun=True, rounds=left)


def _is_over(state: Tournament, number: int) -> bool:
    """Whether nothing of a stage is paired any more."""
    stage = state.stage
    last = -1 if stage is None else stage.number
    if state.status in OVER or number < last:
        return True
    ending = None if stage is None else stage.ending
    return ending == "finished" or (ending == "stage" and number == last)
