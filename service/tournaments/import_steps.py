"""What happened in a tournament by its file, as steps that can be done again."""

from collections.abc import Iterator, Mapping, Sequence

from domain.tournaments import acts, penalties, registration_acts, seed_acts, stage_acts
from domain.tournaments.before_start import LOTS
from domain.tournaments.desk import Desk
from domain.tournaments.entering import take_out
from domain.tournaments.entry_events import Entered, Withdrawn
from domain.tournaments.event import Text
from domain.tournaments.events import LotsDrawn
from domain.tournaments.formats import Ladder
from domain.tournaments.lineups import check_lineup
from service.tournaments.exporting import EntrantOut, RoundOut, TournamentOut
from service.tournaments.import_rounds import ending, is_rotating, playing
from service.tournaments.importing import Run, Step, StepFailed

Players = Mapping[str, tuple[str, ...]]
"""By entrant, the players of its line-up here."""


def rounds_over(file: TournamentOut) -> list[RoundOut]:
    """The rounds that are taken over: those that are over, up to the first one that is not."""
    found = []
    for each in file.rounds:
        if not all(match.over for match in each.matches) or not each.closed:
            break
        found.append(each)
    return found


def steps_of(file: TournamentOut, players: Players, names: Mapping[str, Text]) -> Iterator[Step]:
    """Everything in the order in which it happened. Raises `StepFailed` for what cannot be done at all."""
    _check(file)
    rounds = rounds_over(file)
    yield Step("entrants", _open)
    for place, each in enumerate(file.entrants):
        yield Step(f"entrants[{place}]", _entering(file, each, players[each.id], names.get(each.id)), each.id)
    for place, pair in enumerate(file.forbidden):
        yield Step(f"forbidden[{place}]", _forbidding(pair))
    if not file.stages:
        return
    yield Step("stages[0]", lambda desk: _begin(desk, file))
    last = _last_rounds(rounds)
    for entrant in file.entrants:
        if entrant.id not in last:
            yield from _leaving(file, entrant)
    for number in range(len(file.stages)):
        if number:
            yield Step(f"stages[{number}]", _advancing(file, number))
        own = [played for played in rounds if played.stage == number]
        for parts in [[playing], [ending]] if is_rotating(file.terms) else [[playing, ending]]:
            for played in own:
                yield Step(f"rounds[{played.number - 1}]", _together([part(played) for part in parts]))
                if ending in parts:
                    for entrant in file.entrants:
                        if last.get(entrant.id) == played.number:
                            yield from _leaving(file, entrant)
        if own:
            yield from _penalties(file, number, own[-1].number)
    if file.status == "finished" and len(rounds) == len(file.rounds):
        yield Step("status", lambda desk: stage_acts.end(desk, acts.Finish()))


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


def _last_rounds(rounds: Sequence[RoundOut]) -> dict[str, int]:
    """By entrant, the last round that it had a part in."""
    found: dict[str, int] = {}
    for each in rounds:
        seated = (entrant for match in each.matches for side in match.sides for entrant in side)
        found |= dict.fromkeys([*seated, *each.byes], each.number)
    return found


def _open(desk: Desk) -> None:
    """The service may have opened it meanwhile."""
    if desk.state.status != "registration":
        registration_acts.open_registration(desk, acts.OpenRegistration())


def _entering(file: TournamentOut, entrant: EntrantOut, players: tuple[str, ...], name: Text | None) -> Run:
    """Who was there from the beginning is entered; all others wait until their first round."""
    began = (
        set(file.stages[0].entrants) if file.stages else {each.id for each in file.entrants if each.status == "entered"}
    )

    def run(desk: Desk) -> None:
        if entrant.id in desk.state.entrants:
            raise StepFailed(entrant.id, "entered_already", f"{entrant.id} is entered already.")
        bots = (None,) * len(players)
        check_lineup(desk.state.terms, players, bots)
        desk.add(
            Entered(
                entrant=entrant.id,
                players=players,
                bots=bots,
                consents=players,
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
    desk.add(*(LotsDrawn(purpose=purpose, seed=seed) for purpose, seed in file.lots.items() if purpose == LOTS))
    stage_acts.begin(desk, acts.Start())
    _check_stage(desk, file, 0)


def _advancing(file: TournamentOut, number: int) -> Run:
    def run(desk: Desk) -> None:
        stage_acts.advance(desk, acts.Advance())
        _check_stage(desk, file, number)

    return run


def _check_stage(desk: Desk, file: TournamentOut, number: int) -> None:
    begun = desk.state.stages[number]
    told = file.stages[number]
    carried = tuple(begun.carried.get(each, 0) for each in begun.entrants)
    if (begun.entrants, carried) != (told.entrants, told.carried):
        raise StepFailed(f"stages[{number}]", "stage_differs", "Others begin this stage, or with other scores.")


def _leaving(file: TournamentOut, entrant: EntrantOut) -> Iterator[Step]:
    if entrant.status in ("withdrawn", "disqualified") and file.stages:
        out = Withdrawn(entrant=entrant.id, disqualified=entrant.status == "disqualified", reason="other")
        yield Step(f"entrants[{int(entrant.id[1:]) - 1}]", lambda desk: take_out(desk, out))


def _penalties(file: TournamentOut, stage: int, last: int) -> Iterator[Step]:
    """A penalty for no round counts in its stage, as one for a round of it does."""
    for place, each in enumerate(file.penalties):
        if each.stage == stage:
            act = acts.Penalise(entrant=each.entrant, score=each.score, round=each.round or last, reason=each.reason)
            yield Step(f"penalties[{place}]", _penalising(act))


def _penalising(act: acts.Penalise) -> Run:
    return lambda desk: penalties.penalise(desk, act)
