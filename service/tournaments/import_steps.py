"""What happened in a tournament by its file, as steps that can be done again."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from domain.pairing.shapes import NoPairing
from domain.tournaments import acts, penalties, registration_acts, seed_acts, stage_acts
from domain.tournaments.brackets import bracket_of
from domain.tournaments.desk import Desk
from domain.tournaments.draws import LOTS, kind_of
from domain.tournaments.entering import take_out
from domain.tournaments.entrants import next_round
from domain.tournaments.entry_events import Admitted, ByeAsked, Entered, Returned, Withdrawn
from domain.tournaments.event import Text
from domain.tournaments.events import LotsDrawn
from domain.tournaments.formats import Elimination, Ladder
from domain.tournaments.lineups import check_lineup
from domain.tournaments.pairing_rounds import FEWEST
from domain.tournaments.plans import rounds_planned
from domain.tournaments.round_events import StageBegun, StageUndone
from domain.tournaments.seating import Bye
from domain.tournaments.stages import carried_into
from domain.tournaments.standings import standings
from service.tournaments.exporting import EntrantOut, RoundOut, TournamentOut, is_rotating, rounds_over
from service.tournaments.import_rounds import ending, ending_stage, named, playing
from service.tournaments.importing import Run, Step, StepFailed

Players = Mapping[str, tuple[str, ...]]
"""By entrant, the players of its line-up here."""

Part = tuple[int, int]
"""A stage and a round of it, or 0 for its beginning alone."""

NEVER: Final[Part] = (-1, 0)


def steps_of(file: TournamentOut, players: Players, names: Mapping[str, Text]) -> Iterator[Step]:
    """Everything in the order in which it happened. Raises `StepFailed` for what cannot be done at all."""
    _check(file)
    rounds = rounds_over(file.terms, file.rounds)
    yield Step("entrants", _open)
    for place, each in enumerate(file.entrants):
        yield Step(f"entrants[{place}]", _entering(file, each, players[each.id], names.get(each.id)), each.id)
    for place, pair in enumerate(file.forbidden):
        yield Step(f"forbidden[{place}]", _forbidding(pair))
    if not file.stages:
        yield from _byes(file)
        return
    last = _last_parts(file, rounds)
    late = _Late(file, rounds)
    for number in range(len(file.stages)):
        yield Step(f"stages[{number}]", _advancing(file, number) if number else lambda desk: _begin(desk, file))
        yield from _leaving(file, last, (number, 0))
        own = [played for played in rounds if played.stage == number]
        for step, played in _played(file, own):
            if played is not None and number == 0:
                yield from late.coming(played.number)
            yield step
            if played is not None:
                yield from _leaving(file, last, (number, played.number))
        if number == 0:
            yield from late.others()
            yield from _leaving(file, last, NEVER)
        yield Step(f"stages[{number}]", _returning(file))
        yield from _penalties(file, number, {each.number for each in rounds})
    yield from _byes(file)
    if file.status == "finished" and len(rounds) == len(file.rounds):
        yield Step("status", lambda desk: stage_acts.end(desk, acts.Finish()))


def _played(file: TournamentOut, own: Sequence[RoundOut]) -> Iterator[tuple[Step, RoundOut | None]]:
    """The rounds of a stage. Where boards go round all of them are played before any is over."""
    rotating = is_rotating(file.terms)
    for each in own:
        run = playing(each) if rotating else _together([playing(each), ending(each)])
        yield Step(f"rounds[{each.number - 1}]", run), each
    if rotating and own:
        yield Step(f"rounds[{own[-1].number - 1}]", ending_stage(own)), None


def _together(parts: Sequence[Run]) -> Run:
    """One step of several, so that it never ends where something is being played."""

    def run(desk: Desk) -> None:
        for part in parts:
            part(desk)

    return run


def _check(file: TournamentOut) -> None:
    for place, each in enumerate(file.entrants, 1):
        if each.id != f"e{place}":
            raise StepFailed(f"entrants[{place - 1}].id", "id_invalid", f"e{place} is needed here.")
    for place, played in enumerate(file.rounds, 1):
        if played.number != place or not 0 <= played.stage < len(file.stages):
            raise StepFailed(f"rounds[{place - 1}]", "round_invalid", "Rounds count from 1, in stages that there are.")
    for place, stage in enumerate(file.terms.stages):
        if isinstance(stage.format, Ladder):
            raise StepFailed(f"terms.stages[{place}]", "format_invalid", "The order of a ladder is not in its rounds.")
    if len(file.stages) > len(file.terms.stages):
        raise StepFailed("stages", "stage_invalid", "The terms have fewer stages.")


def _last_parts(file: TournamentOut, rounds: Sequence[RoundOut]) -> dict[str, Part]:
    """By entrant, the last that it had a part in."""
    found: dict[str, Part] = {}
    for number, stage in enumerate(file.stages):
        found |= dict.fromkeys(stage.entrants, (number, 0))
        for each in rounds:
            if each.stage == number:
                found |= dict.fromkeys(named(each), (number, each.number))
    return found


class _Late:
    """Those who were not there when the first stage began, and when they came."""

    def __init__(self, file: TournamentOut, rounds: Sequence[RoundOut]) -> None:
        began = {*file.stages[0].entrants}
        first: dict[str, int] = {}
        for played in reversed(rounds):
            first |= dict.fromkeys(named(played), played.number)
        self._rounds: dict[int | None, list[EntrantOut]] = {}
        for each in file.entrants:
            if each.id not in began:
                came = first.get(each.id)
                if came is not None or each.late_round is not None or each.status == "entered":
                    self._rounds.setdefault(came, []).append(each)

    def coming(self, number: int) -> Iterator[Step]:
        """Those who have their first part in a round; who had none would have a bye from it."""
        for each in self._rounds.pop(number, []):
            yield _admitting(each)

    def others(self) -> Iterator[Step]:
        """Those who came after the last round that is taken over, or never came to play."""
        for each in (each for late in self._rounds.values() for each in late if each.status != "waiting"):
            yield _admitting(each)


def _admitting(entrant: EntrantOut) -> Step:
    def run(desk: Desk) -> None:
        last = next_round(desk.state)
        late = None if entrant.late_round is None else max(min(entrant.late_round, last), 1)
        desk.add(Admitted(entrant=entrant.id, late_round=late))

    return Step(_place(entrant), run)


def _place(entrant: EntrantOut) -> str:
    return f"entrants[{int(entrant.id[1:]) - 1}]"


def _open(desk: Desk) -> None:
    """The service may have opened it meanwhile."""
    if desk.state.status != "registration":
        registration_acts.open_registration(desk, acts.OpenRegistration())


def levels_of(file: TournamentOut, entrant: EntrantOut) -> tuple[str | None, ...]:
    """Bots stay bots, at the level that the terms declare; whoever else is in a line-up is a person here."""
    level = file.terms.stand_in_level
    return tuple(level if each.bot is not None and each.bot == level else None for each in entrant.members)


def _entering(file: TournamentOut, entrant: EntrantOut, players: tuple[str, ...], name: Text | None) -> Run:
    """Who was there from the beginning is entered; all others wait until their first round."""
    began = (
        set(file.stages[0].entrants) if file.stages else {each.id for each in file.entrants if each.status == "entered"}
    )

    def run(desk: Desk) -> None:
        if entrant.id in desk.state.entrants:
            raise StepFailed(entrant.id, "entered_already", f"{entrant.id} is entered already.")
        bots = levels_of(file, entrant)
        check_lineup(desk.state.terms, players, bots)
        desk.add(
            Entered(
                entrant=entrant.id,
                players=players,
                bots=bots,
                consents=tuple(player for player, bot in zip(players, bots, strict=True) if bot is None),
                status="entered" if entrant.id in began else "waiting",
                name=name,
                avoid=entrant.avoid,
                rating=entrant.rating,
            )
        )

    return run


def _forbidding(pair: tuple[str, str]) -> Run:
    return lambda desk: seed_acts.forbid_pairing(desk, acts.ForbidPairing(pair=pair))


def _begin(desk: Desk, file: TournamentOut) -> None:
    seed_acts.seed(desk, acts.Seed(by="order", order=file.stages[0].entrants))
    lots = [(purpose, seed) for purpose, seed in file.lots.items() if kind_of(purpose) == LOTS]
    desk.add(*(LotsDrawn(purpose=purpose, seed=seed) for purpose, seed in lots))
    # More rounds than are sure to find opponents were planned elsewhere, and some of them have.
    stage_acts.begin(desk, acts.Start(), forecasts=False)
    _check_stage(desk, file, 0)


def _advancing(file: TournamentOut, number: int) -> Run:
    def run(desk: Desk) -> None:
        stage_acts.advance(desk, acts.Advance())
        if desk.state.stages[number].entrants != file.stages[number].entrants:
            _begin_as_told(desk, number, file.stages[number].entrants)
        _check_stage(desk, file, number)

    return run


def _begin_as_told(desk: Desk, number: int, entrants: tuple[str, ...]) -> None:
    """A stage that others began than would by what is known now: somebody had left and is back, or a ruling came when
    it was under way. They all had a part in the stage before, and bring from it what it comes to.
    """
    known = {row.entrant for row in standings(desk.state, number - 1).rows}
    if not known.issuperset(entrants) or len(set(entrants)) != len(entrants) or len(entrants) < FEWEST:
        return
    form = desk.state.stage_terms(number).format
    try:
        rounds = rounds_planned(desk.state.terms, number, len(entrants))
        bracket = bracket_of(form, len(entrants)) if isinstance(form, Elimination) else None
    except NoPairing:
        return
    carried = carried_into(desk.state, number, entrants)
    desk.add(
        StageUndone(stage=number),
        StageBegun(stage=number, entrants=entrants, carried=carried, rounds=rounds, bracket=bracket),
    )


def _check_stage(desk: Desk, file: TournamentOut, number: int) -> None:
    begun = desk.state.stages[number]
    told = file.stages[number]
    carried = tuple(begun.carried.get(each, 0) for each in begun.entrants)
    if (begun.entrants, carried) != (told.entrants, told.carried):
        raise StepFailed(f"stages[{number}]", "stage_differs", "Others begin this stage, or with other scores.")


def _leaving(file: TournamentOut, last: Mapping[str, Part], part: Part) -> Iterator[Step]:
    """Who left after having had a part in this, and in nothing since."""
    for entrant in file.entrants:
        if entrant.status in ("withdrawn", "disqualified") and last.get(entrant.id, NEVER) == part:
            disqualified = entrant.status == "disqualified"
            out = Withdrawn(entrant=entrant.id, disqualified=disqualified, reason="other")
            yield Step(_place(entrant), _taking_out(out))


def _taking_out(out: Withdrawn) -> Run:
    def run(desk: Desk) -> None:
        if out.disqualified or desk.state.entrants[out.entrant].status != "withdrawn":
            take_out(desk, out)

    return run


def _returning(file: TournamentOut) -> Run:
    """Who missed rounds of boards that went round was out meanwhile (`playing`)."""

    def run(desk: Desk) -> None:
        for each in file.entrants:
            if each.status == "entered" and desk.state.entrants[each.id].status == "withdrawn":
                desk.add(Returned(entrant=each.id))

    return run


def _byes(file: TournamentOut) -> Iterator[Step]:
    """Byes beforehand, when all rounds have their own: those of rounds to come, and the earlier ones to be counted."""
    for entrant in file.entrants:
        if entrant.byes_asked:
            yield Step(_place(entrant), _giving(entrant))


def _giving(entrant: EntrantOut) -> Run:
    asked: dict[Bye, list[int]] = {}
    for each in entrant.byes_asked:
        asked.setdefault(each.bye, []).append(each.round)
    return lambda desk: desk.add(
        *(ByeAsked(entrant=entrant.id, rounds=tuple(rounds), bye=bye) for bye, rounds in asked.items())
    )


def _penalties(file: TournamentOut, stage: int, rounds: Collection[int]) -> Iterator[Step]:
    """Those of a stage, but for rounds that are left out."""
    for place, each in enumerate(file.penalties):
        if each.stage == stage and (each.round is None or each.round in rounds):
            act = acts.Penalise(entrant=each.entrant, score=each.score, round=each.round, reason=each.reason)
            yield Step(f"penalties[{place}]", _penalising(act))


def _penalising(act: acts.Penalise) -> Run:
    # Who left again without a match had a place in the standings once, and has none here.
    return lambda desk: penalties.give(desk, act)
