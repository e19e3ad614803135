"""Whether a tournament can be played as it is planned, told before it starts with every fault."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct

from domain.pairing import brackets, fide, howell, table_mixes
from domain.pairing.forecast import forecast
from domain.pairing.shapes import NoPairing, NoPairingCode
from domain.rules import PlayersNotPermittedError, compile_rules
from domain.tournaments.by_partners import sizes_for
from domain.tournaments.by_schedule import schedule
from domain.tournaments.formats import (
    Arena,
    Danish,
    Elimination,
    Format,
    Howell,
    Individual,
    Ladder,
    Mitchell,
    RoundRobin,
    Swiss,
)
from domain.tournaments.lengths import boards_of_match
from domain.tournaments.matches import (
    BOARD_SCORES,
    BoardAMatch,
    FixedHands,
    ImpMatch,
    PerHand,
    Steps,
    VictoryPoints,
    WinDrawLoss,
)
from domain.tournaments.playing import has_whist, is_open
from domain.tournaments.round_sizes import most_in_a_round
from domain.tournaments.terms import ENTRANTS_MAX, Stage, Terms

TEAMS_PLAYERS: Final = 4


class PlanFault(Struct, frozen=True):
    """What is wrong with a plan, in which stage (None: in all of it), and what was needed, advised or offered."""

    code: str
    stage: int | None
    params: dict[str, Any] = {}


def check_plan(terms: Terms, entrants: int | None = None, *, forecasts: bool = True) -> list[PlanFault]:
    """Every fault of a plan; without the number of entrants those that do not hang on it.

    Without `forecasts` a Swiss may have more rounds than are sure to find opponents: it has been played, or in part.
    """
    try:
        sides = compile_rules(terms.ruleset, terms.players).sides
    except PlayersNotPermittedError as error:
        return [PlanFault("players_not_permitted", None, {"players": terms.players, "permitted": error.permitted})]
    faults = [*_whole(terms)]
    number = entrants
    for place, stage in enumerate(terms.stages):
        if place and number is not None:
            number = min(number, stage.qualifiers or number)
        for code, params in _stage(terms, stage, len(sides), len(sides[0])):
            faults.append(PlanFault(code, place, params))
        if number is not None and not faults:
            faults += [PlanFault(code, place, params) for code, params in _numbers(terms, stage, number, forecasts)]
    return faults


Found = Iterator[tuple[str, dict[str, Any]]]


def _whole(terms: Terms) -> Iterator[PlanFault]:
    if terms.entrants == "teams" and terms.players != TEAMS_PLAYERS:
        yield PlanFault("teams_need_tables_of_four", None, {"players": terms.players, "needed": TEAMS_PLAYERS})
    if terms.stages[0].qualifiers is not None:
        yield PlanFault("qualifiers_without_a_stage_before", 0, {})
    if terms.registration.late_rounds and not is_open(terms.stages[0]):
        yield PlanFault("format_takes_nobody_late", 0, {"late_rounds": terms.registration.late_rounds})


def _stage(terms: Terms, stage: Stage, sides: int, side: int) -> Found:
    form = stage.format
    alone = isinstance(form, Individual)
    if sides > 2 and not alone:
        yield "format_needs_two_sides", {"sides": sides, "offered": "individual"}
    if terms.entrants == "individuals" and side > 1 and not alone:
        yield "individuals_need_changing_partners", {"offered": "individual"}
    if terms.entrants != "individuals" and alone and sides == 2:
        yield "fixed_entrants_do_not_change_partners", {"offered": "swiss"}
    if terms.entrants == "teams" and isinstance(form, Mitchell | Howell | Individual):
        yield "format_is_not_for_teams", {"offered": "swiss"}
    if terms.entrants == "individuals" and side > 2:
        yield "sides_of_three_do_not_change_partners", {"needed": "three_pairs"}
    if isinstance(form, Individual) and form.movement == "swiss" and form.rounds is None:
        yield "rounds_needed", {}
    if isinstance(stage.match.first_meld, PerHand) and not isinstance(stage.match.length, FixedHands):
        yield "first_meld_per_hand_needs_fixed_hands", {}
    if isinstance(stage.match.length, FixedHands) and stage.match.hands_to_count > stage.match.length.hands:
        yield "hands_to_count_beyond_the_match", {"most": stage.match.length.hands}
    score = stage.score
    margins = score.scale.margins if isinstance(score, VictoryPoints) and isinstance(score.scale, Steps) else ()
    if any(one >= other for one, other in pairwise(margins)):
        yield "steps_not_rising", {"margins": margins}
    if isinstance(score, WinDrawLoss) and not (score.loss <= score.draw <= score.win and score.loss < score.win):
        yield "win_draw_loss_not_falling", {"win": score.win, "draw": score.draw, "loss": score.loss}
    yield from _boards(terms, stage, sides)


def _boards(terms: Terms, stage: Stage, sides: int) -> Found:
    form, score = stage.format, stage.score
    if terms.boards is None:
        if isinstance(score, (*BOARD_SCORES, BoardAMatch, ImpMatch)):
            yield "score_needs_boards", {}
        return
    if isinstance(form, Arena | Ladder):
        yield "format_cannot_have_boards", {}
    if not isinstance(stage.match.length, FixedHands):
        yield "boards_need_fixed_hands", {}
    if terms.boards.movement == "rotating" and not isinstance(form, Mitchell):
        yield "boards_rotate_in_a_mitchell_only", {"offered": "barometer"}
    if isinstance(score, BoardAMatch | ImpMatch) and terms.entrants != "teams":
        yield "score_is_for_teams", {}
    if isinstance(score, BOARD_SCORES) and (terms.entrants == "teams" or sides > 2 or isinstance(form, Elimination)):
        yield "score_compares_pairs_at_many_tables", {}


def _numbers(terms: Terms, stage: Stage, entrants: int, forecasts: bool) -> Found:
    """What the number of entrants makes impossible."""
    form = stage.format
    if entrants < 2:
        yield "entrants_too_few", {"needed": 2, "found": entrants}
        return
    most_entrants = min(_most_entrants(form), most_in_a_round(terms, stage))
    if entrants > most_entrants:
        yield "entrants_too_many", {"most": most_entrants, "found": entrants}
        return
    if isinstance(form, Swiss) or (isinstance(form, Danish) and form.rematches == "none"):
        told = forecast(entrants, form.rounds)
        if forecasts and not told.possible:
            yield (
                "rounds_impossible",
                {
                    "rounds": form.rounds,
                    "most": told.most,
                    "advised": told.advised,
                    "offered": "round_robin",
                    "offered_rounds": told.round_robin,
                },
            )
    elif isinstance(form, Individual) and not (form.movement == "whist" and has_whist(terms, entrants)):
        if sizes_for(terms, entrants) is None:
            yield "entrants_too_few", {"needed": terms.players, "found": entrants}
    elif isinstance(form, RoundRobin | Mitchell | Howell | Individual):
        try:
            most = len(schedule(form, entrants).rounds)
        except NoPairing as error:
            yield "rounds_impossible", {"why": str(error.code), "told": str(error), **error.params}
            return
        asked = getattr(form, "rounds", None) or 0
        if isinstance(form, Mitchell):
            asked = max(asked, form.arrow_switched_rounds)
        if asked > most:
            yield "rounds_impossible", {"rounds": asked, "most": most, "advised": most}


def _most_entrants(form: Format) -> int:
    """How many a format can pair."""
    match form:
        case Elimination():
            return brackets.MOST
        case Swiss(method="fide_dutch"):
            return fide.MOST["dutch"]
        case Swiss(method="fide_team"):
            return fide.MOST["team"]
        case Individual():
            return table_mixes.MOST
        case _:
            return ENTRANTS_MAX


def rounds_planned(terms: Terms, stage: int, entrants: int) -> int | None:
    """How many rounds a stage of so many entrants has, 0 where they are too few; None where that is open.

    Raises `NoPairing` for too many.
    """
    form = terms.stages[stage].format
    if isinstance(form, Elimination | Arena | Ladder):
        return None
    if entrants < 2:
        return 0
    if isinstance(form, Swiss):
        return form.rounds if stage == 0 else min(form.rounds, forecast(entrants, form.rounds).most)
    if isinstance(form, Danish):
        return form.rounds
    if isinstance(form, Individual) and not (form.movement == "whist" and has_whist(terms, entrants)):
        return 0 if sizes_for(terms, entrants) is None else form.rounds or entrants - 1
    assert isinstance(form, RoundRobin | Mitchell | Howell | Individual), "All others go by standing."
    try:
        most = len(schedule(form, entrants).rounds)
    except NoPairing as error:
        if error.code is NoPairingCode.TOO_FEW:
            return 0
        raise
    return min(most, getattr(form, "rounds", None) or most)


def boards_needed(terms: Terms, entrants: int) -> int:
    """How many boards a tournament needs at most that so many entrants start; 0 without boards.

    Where some may still come later, it is enough for all who then find a place.
    """
    if terms.boards is None:
        return 0
    late = bool(terms.registration.late_rounds) and is_open(terms.stages[0])
    needed, number = 0, max(entrants, terms.registration.capacity) if late else entrants
    for place, stage in enumerate(terms.stages):
        number = number if place == 0 else min(number, stage.qualifiers or number)
        sets = _sets_up_to(stage.format, number) if late else None
        needed += (_sets(terms, place, number) if sets is None else sets) * boards_of_match(stage)
    return needed


def _sets_up_to(form: Format, entrants: int) -> int | None:
    """Enough sets for any number of entrants up to this one, without working out schedules; None where `_sets` is."""
    match form:
        case RoundRobin():
            return form.cycles * (entrants - 1 + entrants % 2)
        case Mitchell():
            return (entrants + 1) // 2
        case Howell():
            return min(entrants, howell.MOST)
        case Individual():
            return form.rounds or entrants
        case Swiss() | Danish():
            return form.rounds
        case _:
            return None


def _sets(terms: Terms, stage: int, entrants: int) -> int:
    """How many sets of boards a stage needs: one a round, or all that go round at once."""
    form = terms.stages[stage].format
    if isinstance(form, Elimination):
        depth = max(entrants - 1, 1).bit_length()
        return 2 * depth + 2 if form.double else depth + form.third_place
    if isinstance(form, Mitchell) and terms.boards is not None and terms.boards.movement == "rotating":
        return max((table.boards for each in schedule(form, entrants).rounds for table in each.tables), default=0)
    return rounds_planned(terms, stage, entrants) or 0
