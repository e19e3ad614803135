"""A whole tournament from a file: rehearsed in memory first, then stored append by append, each of them once only."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from itertools import islice
from typing import Annotated, Any, Final, TypeVar

from msgspec import Meta, Struct

from domain.fairness import MASTER_BYTES, board_commitment
from domain.ruleset_faults import RuleSetInvalidError
from domain.rulesets import resolve
from domain.tournaments.announcing import announce
from domain.tournaments.draws import draw_seed
from domain.tournaments.event import Text
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import begin
from domain.tournaments.given import Draw
from domain.tournaments.state import Tournament
from service.http import bodies
from service.http.commands import digest
from service.http.endpoints import send_reply
from service.http.operations import JSON, AnswerKind, Call, Operation, reply
from service.http.parameters import invalid as invalid_parameter
from service.http.problems import Problem
from service.http.rulesets import ruleset_problem
from service.http.tables import etag
from service.http.tournaments.imports import TRF, body_of, invalid
from service.http.tournaments.terms_wanted import TITLE_LENGTH_MAX
from service.http.tournaments.view import TournamentShown, show
from service.store.append import PutText, Write
from service.tournaments.apart import TooMuchWaits
from service.tournaments.commands import Decide, TournamentCommand
from service.tournaments.exporting import TournamentOut, rounds_over
from service.tournaments.guests import NAME_LENGTH_MAX, Guest, guest_id, listed_bot_id, make_guests
from service.tournaments.ids import derived_key, new_tournament_id
from service.tournaments.import_steps import levels_of, steps_of
from service.tournaments.importing import Group, StepFailed, imported_terms, performed, rehearsed, within_bounds
from service.tournaments.local_times import zones
from service.tournaments.one_line import one_line
from service.tournaments.opening import open_tournament
from service.tournaments.texts import UNNAMED, new_text
from service.tournaments.trf_import import tournament_of
from service.tournaments.trf_notes import NotTaken, not_taken
from service.trf.reading import read_trf
from service.trf.shapes import TrfInvalid
from service.version import ENGINE

FILE_TYPES: Final = (JSON, TRF)
NOBODY: Final = "Nobody"
REHEARSED: Final = "t" + "0" * 32
"""The id that a tournament has while its steps are tried."""

T = TypeVar("T")


class FileQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`ruleset`: of a TRF, which names none."""

    ruleset: Annotated[str, Meta(pattern=r"^[a-z0-9-]{1,64}$(?!\n)")] = "samba-official"


class ImportedTournament(Struct, frozen=True, kw_only=True):
    """The new tournament. `rounds` were taken over; where one is under way `left_out` counts those from it on.

    `dropped` has what else of a TRF is not in the tournament, or is there in another way.
    """

    tournament: TournamentShown
    rounds: int
    left_out: int
    dropped: tuple[NotTaken, ...]


class _Cast(Struct, frozen=True):
    """Who plays: by entrant the players and, where it has one, its own name; what is kept of the names."""

    players: Mapping[str, tuple[str, ...]]
    names: Mapping[str, Text]
    guests: Sequence[Guest]
    texts: Mapping[str, PutText]


async def import_tournament(call: Call, receive: Any, send: Any) -> int:
    settings, organiser = call.service.settings, call.caller.player
    if call.key is None:
        raise invalid_parameter("Idempotency-Key", "one, by which an import that was cut off goes on")
    kind = await body_of(call, receive, settings.import_bytes_max, FILE_TYPES)
    file, dropped = await _apart(call, lambda: _file(kind, call.raw, settings.nesting_max, call.query.ruleset))
    if len(file.entrants) > settings.import_entrants_max:
        raise Problem(
            "import_too_large",
            f"A file has {settings.import_entrants_max} entrants at most.",
            params={"limit": settings.import_entrants_max, "found": len(file.entrants)},
        )
    _check_places(file, settings.import_places_max)
    groups = await _apart(call, lambda: _rehearsed(organiser, file))
    asked = digest(f"importTournament\n{call.query.ruleset}", call.raw)
    claimed = await call.service.store.claim(
        "importTournament", organiser, call.key, asked, new_tournament_id().encode()
    )
    tournament_id = claimed.decode()
    cast = _cast(tournament_id, organiser, file)
    await make_guests(call.service.store.pool, cast.guests, datetime.now(UTC))
    state = await _store(call, tournament_id, file, cast, _groups(groups, file, cast), asked)
    rounds = len(rounds_over(file.terms, file.rounds))
    shown = ImportedTournament(
        tournament=await show(call, state), rounds=rounds, left_out=len(file.rounds) - rounds, dropped=dropped
    )
    location = (b"location", f"/v1/tournaments/{tournament_id}".encode())
    answer = reply(201, shown, etag(state.version), location)
    await send_reply(send, answer)
    return answer.status


def _check_places(file: TournamentOut, most: int) -> None:
    """Every round is decided upon all rounds before it, after every penalty all are ranked again, and every couple is
    looked for among the others: a file of few bytes may be work for minutes."""
    entrants, rounds, penalties = len(file.entrants), len(file.rounds), len(file.penalties)
    for told, found, counts in (
        ("rounds times entrants", rounds * entrants, {"entrants": entrants, "rounds": rounds}),
        ("penalties times entrants", penalties * entrants, {"entrants": entrants, "penalties": penalties}),
        ("couples that are kept apart", len(file.forbidden), {}),
    ):
        if found > most:
            params = {"limit": most, "found": found} | counts
            raise Problem("import_too_large", f"A file has {most} {told} at most.", params=params)


async def _apart(call: Call, work: Callable[[], T]) -> T:
    """Do it beside everything else. Raises `Problem` for a step that cannot be done, and where too many wait."""
    try:
        return await call.service.imports.do(work)
    except TooMuchWaits as busy:
        told = f"{busy.limit} imports are under way here; send it again later, with the same `Idempotency-Key`."
        raise Problem("busy", told, params={"limit": busy.limit}) from busy
    except StepFailed as failed:
        raise problem_of_step(failed) from failed


def problem_of_step(failed: StepFailed) -> Problem:
    """The problem of a file in which a step cannot be done."""
    fault = {"place": failed.place, "code": failed.code, "message": failed.message}
    return Problem("import_invalid", f"{failed.place}: {failed.message}", params={"faults": 1}, faults=[fault])


def _file(kind: str, raw: bytes, nesting_max: int, ruleset: str) -> tuple[TournamentOut, tuple[NotTaken, ...]]:
    """The tournament of a file, and what of it is not taken over. Raises `Problem`, `StepFailed`."""
    try:
        if kind == JSON:
            file = bodies.shape(bodies.decode(raw, nesting_max), TournamentOut)
            resolve(file.terms.ruleset.to_json())
            return file, ()
        trf = read_trf(raw)
        return within_bounds(tournament_of(trf, resolve(ruleset))), tuple(not_taken(trf))
    except TrfInvalid as trouble:
        raise invalid(trouble.faults) from trouble
    except RuleSetInvalidError as trouble:
        raise ruleset_problem(trouble) from trouble


def _cast(tournament_id: str, organiser: str, file: TournamentOut) -> _Cast:
    """Every person is a guest of the new tournament: a file proves nothing about whoever has an account."""
    players: dict[str, tuple[str, ...]] = {}
    names: dict[str, Text] = {}
    texts: dict[str, PutText] = {}
    guests: list[Guest] = []
    for line, entrant in enumerate(file.entrants, 1):
        called = [one_line(each.name or each.bot or "")[:NAME_LENGTH_MAX].strip() or NOBODY for each in entrant.members]
        ids: list[str] = []
        for place, (name, level) in enumerate(zip(called, levels_of(file, entrant), strict=True)):
            if level is None:
                guests.append(Guest(guest_id(tournament_id, "file", line, place), name))
                ids.append(guests[-1].id)
            else:
                ids.append(listed_bot_id(tournament_id, "file", line, place, level))
        players[entrant.id] = tuple(ids)
        own = one_line(entrant.name)
        if own and own != " & ".join(called):
            names[entrant.id], texts[entrant.id] = new_text("name", own, organiser)
    return _Cast(players, names, guests, texts)


def _rehearsed(organiser: str, file: TournamentOut) -> list[Group]:
    """Under an id that nobody has: only what is known to work out is given one.

    Raises `StepFailed`, `TournamentRefused` (`tournament_terms_invalid`).
    """
    now, master = datetime.now(UTC), bytes(MASTER_BYTES)
    terms = imported_terms(file.terms)
    created = announce(terms, Text("0" * 16, "0" * 64), board_commitment(master), ENGINE, organiser, now, zones())
    cast = _cast(REHEARSED, organiser, file)
    steps = [*steps_of(file, cast.players, cast.names)]
    draw = partial(draw_seed, master, REHEARSED)
    return rehearsed(begin(REHEARSED, created), steps, file, now, draw)[0]


def _groups(groups: Sequence[Group], file: TournamentOut, cast: _Cast) -> list[Group]:
    """The steps of the rehearsal, with the cast of the tournament itself."""
    steps = steps_of(file, cast.players, cast.names)
    return [Group(each.number, tuple(islice(steps, len(each.steps)))) for each in groups]


async def _store(
    call: Call, tournament_id: str, file: TournamentOut, cast: _Cast, groups: Sequence[Group], asked: str
) -> Tournament:
    """Append what is not stored yet."""
    tournaments, organiser = call.service.tournaments, call.caller.player
    done = await open_tournament(
        tournaments,
        tournament_id=tournament_id,
        organiser=organiser,
        title=one_line(file.title)[:TITLE_LENGTH_MAX] or UNNAMED,
        terms=imported_terms(file.terms),
        now=datetime.now(UTC),
        zones=zones(),
        key=call.key,
        digest=asked,
    )
    live = await tournaments.fresh(tournament_id)
    for group in groups:
        command = TournamentCommand(
            actor=organiser,
            decide=_decider(group, file),
            token=call.caller.named,
            key=derived_key(str(call.key), f"import {group.number}"),
            digest=sha256(f"{asked}\n{group.number}".encode()).hexdigest(),
            writes=_texts(group, cast),
        )
        done = await tournaments.perform(live, command)
    return done.state


def _decider(group: Group, file: TournamentOut) -> Decide:
    def decide(state: Tournament, now: datetime, draw: Draw) -> list[AnyTournamentEvent]:
        try:
            return performed(state, group.steps, file, now, draw)
        except StepFailed as failed:
            # Perhaps because it was done before: whoever asks finds that out.
            raise problem_of_step(failed) from failed

    return decide


def _texts(group: Group, cast: _Cast) -> tuple[Write, ...]:
    """The names of entrants who are entered in a group."""
    entered = {step.entrant for step in group.steps}
    return tuple(text for entrant, text in cast.texts.items() if entrant in entered)


OPERATIONS: Final = (
    Operation(
        id="importTournament",
        method="POST",
        path="/v1/tournaments/import",
        tag="tournaments",
        summary="Make a tournament from a file",
        description="JSON as `exportTournament` gives it, or TRF. Everything happens again in a tournament of your "
        "own, with guests for all persons, and has to come to the standings of the file; what contradicts itself is "
        "told with its place, and nothing is made. It is unlisted and unrated, and nothing goes on of itself in it. A "
        "round under way is left out; byes of rounds to come are kept. What else of a TRF is not in the tournament, or "
        "is there in another way, is told (`dropped`). Sent again with its `Idempotency-Key`, an import that was cut "
        "off is finished.",
        scope="tournament",
        beyond=True,
        query=FileQuery,
        upload=FILE_TYPES,
        upload_kind=TournamentOut,
        headers=("Idempotency-Key",),
        answers=(
            AnswerKind(
                status=201, description="The tournament.", kind=ImportedTournament, headers=("ETag", "Location")
            ),
        ),
        problems=(
            "import_invalid",
            "import_too_large",
            "tournament_terms_invalid",
            "ruleset_invalid",
            "idempotency_key_reused",
            "invalid_body",
            "malformed_json",
            "nesting_too_deep",
            "duplicate_key",
            "busy",
        ),
        run_raw=import_tournament,
    ),
)
