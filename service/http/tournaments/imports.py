"""Lists of entrants into a tournament: all of them, or nothing with every fault told."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from secrets import token_hex
from typing import Any, Final, Literal

from msgspec import Struct

from domain.tournaments.draft import Draft
from domain.tournaments.entering import Entry, check_free, put_in
from domain.tournaments.entrants import BEFORE_START, check_status
from domain.tournaments.entry_events import Entered
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.given import Draw
from domain.tournaments.lineups import check_lineup
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.state import Tournament
from service.commands import Denied
from service.http import bodies
from service.http.commands import COMMAND_HEADERS
from service.http.endpoints import send_reply
from service.http.operations import JSON, AnswerKind, Call, Operation, reply
from service.http.problems import Problem, tournament_refused
from service.http.tables import etag
from service.http.tournaments.commands import PROBLEMS, check_expected, perform
from service.http.tournaments.shown import find, needed_director
from service.store.append import Write
from service.tournaments.commands import Decide
from service.tournaments.entrant_lists import (
    FAULTS_MAX,
    PLAYER_ID,
    ListedEntrant,
    ListInvalid,
    from_csv,
    from_json,
    from_trf,
)
from service.tournaments.guests import Guest, guest_id, make_guests
from service.tournaments.live import LiveTournament
from service.tournaments.persons import persons_of
from service.tournaments.texts import new_text
from service.trf.shapes import Fault

CSV: Final = "text/csv"
TRF: Final = "text/plain"
LIST_TYPES: Final = (CSV, JSON, TRF)


class ImportQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With `dry_run` nothing happens: the answer says what would."""

    dry_run: bool = False


class ImportedEntrant(Struct, frozen=True, kw_only=True):
    """What a line has made: the entrant, and its players. `guests` are those of them who were made for it; all others
    have to agree to be seated."""

    line: int
    entrant: str
    status: Literal["entered", "waiting"]
    name: str
    players: tuple[str, ...]
    guests: tuple[str, ...]


class ImportedEntrants(Struct, frozen=True, kw_only=True):
    """What a list has made, or with `dry_run` would make, in its order."""

    dry_run: bool
    version: int
    entrants: tuple[ImportedEntrant, ...]


async def body_of(call: Call, receive: Any, limit: int, kinds: Sequence[str]) -> str:
    """Receive the body, which stands in the call then; its media type. Raises `Problem`."""
    kind = call.headers.get(b"content-type", b"").partition(b";")[0].strip().lower().decode("latin-1")
    if kind not in kinds:
        raise Problem(
            "unsupported_media_type", f"Send it as {', '.join(kinds)}.", params={"needed": [*kinds]},
            headers=((b"connection", b"close"),),
        )  # fmt: skip
    call.raw = await bodies.receive_body(receive, call.headers, limit)
    return kind


def invalid(faults: Sequence[Fault]) -> Problem:
    """The problem of a file that cannot be used."""
    first = faults[0]
    told = f"Line {first.line}: {first.message}" if first.line else first.message
    return Problem(
        "import_invalid", told, params={"faults": len(faults)},
        faults=[{"line": each.line, "code": each.code, "message": each.message} for each in faults],
    )  # fmt: skip


async def import_entrants(call: Call, receive: Any, send: Any) -> int:
    live = await find(call)
    by = needed_director(call, live.state)
    settings = call.service.settings
    kind = await body_of(call, receive, settings.body_bytes_max, LIST_TYPES)
    listed, faults = await asyncio.to_thread(_listed, kind, call.raw, settings.nesting_max)
    if len(listed) > settings.import_entrants_max:
        raise Problem(
            "import_too_large",
            f"A list has {settings.import_entrants_max} entrants at most; send it in portions.",
            params={"limit": settings.import_entrants_max, "found": len(listed)},
        )
    entries, guests, writes = _entries(live, listed, call.key or token_hex(16), by)
    made = {each.id for each in guests}
    faults += await _unknown(call, live, listed)
    if faults:
        raise invalid(_with_others(faults, live.state, by, listed, entries, made))

    def decide(state: Tournament, now: datetime, _draw: Draw) -> list[AnyTournamentEvent]:
        # It may have been handed over since.
        needed_director(call, state)
        return _entered(state, by, now, listed, entries, made)

    if call.query.dry_run:
        check_expected(call, live)
        before, happened, _ = await call.service.tournaments.preview(live, decide)
        version = before.version
    else:
        if await _is_possible(call, live, decide):
            await make_guests(call.service.store.pool, guests, datetime.now(UTC))
        done = await perform(call, live, "importEntrants", decide, writes)
        version = done.state.version
        happened = [each async for each in call.service.tournaments.events(live, done.first_version - 1, version)]
    shown = ImportedEntrants(
        dry_run=call.query.dry_run,
        version=version,
        entrants=_shown(listed, happened, made),
    )
    answer = reply(200, shown, etag(version))
    await send_reply(send, answer)
    return answer.status


async def _is_possible(call: Call, live: LiveTournament, decide: Decide) -> bool:
    """Whether the list can be entered: nobody is made for one that is refused, or that was entered before."""
    try:
        check_expected(call, live)
        await call.service.tournaments.preview(live, decide)
    except (TournamentRefused, Denied):
        return False
    return True


def _listed(kind: str, raw: bytes, nesting_max: int) -> tuple[list[ListedEntrant], list[Fault]]:
    """The lines that can be read, and what is wrong with others. Raises `Problem` where there are none."""
    try:
        if kind == CSV:
            return from_csv(raw), []
        if kind == TRF:
            return from_trf(raw), []
        return from_json(bodies.decode(raw, nesting_max)), []
    except ListInvalid as trouble:
        if not trouble.others:
            raise invalid(trouble.faults) from trouble
        return [*trouble.others], [*trouble.faults]


def _entries(
    live: LiveTournament, listed: Sequence[ListedEntrant], request: str, by: str
) -> tuple[list[Entry], list[Guest], tuple[Write, ...]]:
    """What is entered, the guests made for it, and the names as they are kept."""
    entries, guests, writes = [], [], []
    for each in listed:
        players = []
        for place, member in enumerate(each.members):
            if PLAYER_ID.fullmatch(member) is None:
                guests.append(Guest(guest_id(live.id, request, each.line, place), member))
                players.append(guests[-1].id)
            else:
                players.append(member)
        name = None
        if each.name is not None:
            name, kept = new_text("name", each.name, by)
            writes.append(kept)
        entries.append(Entry(players=tuple(players), avoid=each.avoid, name=name, rating=each.rating))
    return entries, guests, tuple(writes)


async def _unknown(call: Call, live: LiveTournament, listed: Sequence[ListedEntrant]) -> list[Fault]:
    """Players named by an id who are not there."""
    ids = {member: each.line for each in listed for member in each.members if PLAYER_ID.fullmatch(member)}
    known = await persons_of(call.service.store.pool, live.state.terms, ids, datetime.now(UTC)) if ids else {}
    return [
        Fault(line, "player_unknown", f"There is no player {each}.") for each, line in ids.items() if each not in known
    ]


def _with_others(
    faults: Sequence[Fault],
    state: Tournament,
    by: str,
    listed: Sequence[ListedEntrant],
    entries: Sequence[Entry],
    guests: set[str],
) -> list[Fault]:
    """The faults, and those of lines that would be refused besides, in the order of the list."""
    others: list[Fault] = []
    if state.status in BEFORE_START:
        _, others = _drafted(state, by, datetime.now(UTC), listed, entries, guests)
    return sorted((*faults, *others), key=lambda each: each.line)[:FAULTS_MAX]


def _entered(
    state: Tournament,
    by: str,
    now: datetime,
    listed: Sequence[ListedEntrant],
    entries: Sequence[Entry],
    guests: set[str],
) -> list[AnyTournamentEvent]:
    """Before the start only; a guest made for a list has nobody who could agree, so the list does. Raises `Problem`."""
    check_status(state, *BEFORE_START)
    draft, faults = _drafted(state, by, now, listed, entries, guests)
    if faults:
        raise invalid(faults)
    return draft.events


def _drafted(
    state: Tournament,
    by: str,
    now: datetime,
    listed: Sequence[ListedEntrant],
    entries: Sequence[Entry],
    guests: set[str],
) -> tuple[Draft, list[Fault]]:
    """All that can be entered of a list, and what is wrong with the rest."""
    draft = Draft(state, by, now)
    faults = []
    for line, entry in zip(listed, entries, strict=True):
        try:
            check_lineup(state.terms, entry.players, entry.levels)
            check_free(draft.state, entry.players)
        except TournamentRefused as refused:
            faults.append(Fault(line.line, str(refused.code), tournament_refused(refused).detail))
            continue
        consents = tuple(each for each in entry.players if each in guests or each == by)
        put_in(draft, entry, consents, None)
    return draft, faults


def _shown(
    listed: Sequence[ListedEntrant], happened: Sequence[AnyTournamentEvent], guests: set[str]
) -> tuple[ImportedEntrant, ...]:
    """Every line with its entrant."""
    entered = (each for each in happened if isinstance(each, Entered))
    return tuple(
        ImportedEntrant(
            line=line.line,
            entrant=each.entrant,
            status=each.status,
            name=line.name or " & ".join(line.members),
            players=each.players,
            guests=tuple(player for player in each.players if player in guests),
        )
        for line, each in zip(listed, entered, strict=True)
    )


OPERATIONS: Final = (
    Operation(
        id="importEntrants",
        method="POST",
        path="/v1/tournaments/{tournament_id}/entrants/import",
        tag="tournaments",
        summary="Enter everybody of a list",
        description="The list is CSV with headings (`name`, `players`, `rating`, `avoid`), JSON (a list of "
        "`EntrantIn`) or TRF. Players are named by id, or by name where they have no account: then a guest is made for "
        "them, who is taken to agree. Before the start only; all or nothing, and every fault is told with its line. "
        "Conditions and the window of registration are left aside.",
        scope="tournament",
        query=ImportQuery,
        upload=LIST_TYPES,
        headers=COMMAND_HEADERS,
        answers=(AnswerKind(status=200, description="The entrants.", kind=ImportedEntrants, headers=("ETag",)),),
        problems=(
            *PROBLEMS,
            "not_your_tournament",
            "import_invalid",
            "import_too_large",
            "tournament_full",
            "malformed_json",
            "nesting_too_deep",
            "duplicate_key",
        ),
        run_raw=import_entrants,
    ),
)
