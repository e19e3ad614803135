"""Pages of a tournament without scripts, which print well: standings, pairings, crosstable, and standings to embed."""

from typing import Any, Final, Literal

from msgspec import Struct

from domain.tournaments.crosstable import crosstable
from domain.tournaments.desk import round_of
from domain.tournaments.entrants import OVER
from domain.tournaments.state import Round, Tournament
from service.http.operations import AnswerKind, Call, Header, Operation, Reply
from service.http.tournaments import sheets
from service.http.tournaments.cross_sheet import cross_blocks
from service.http.tournaments.documents import SAME, document, title_of
from service.http.tournaments.rounds import number_in
from service.http.tournaments.shown import AsOfQuery, called_by, entrants_shown, find_at, names_of
from service.http.tournaments.standings import PRESENT, StageQuery, stage_of
from service.http.tournaments.templating import rendered, style
from service.http.tournaments.trouble_page import HTML, with_pages
from service.http.tournaments.view import clock_of
from service.http.tournaments.who_sits import seat_rows, who_sits
from service.tournaments.texts import texts_of

CSS: Final = "text/css; charset=utf-8"
REFRESH_SECONDS: Final = 30
"""How often a page of a tournament under way asks for itself anew."""

ANNOUNCEMENTS: Final = 5
"""Announcements shown on the page, the last ones."""

ROUNDS_LINKED: Final = 24
"""Rounds that a page links to, the last ones; in most events that is all of them. A ladder of a year has hundreds."""

_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors "
)
PAGE_HEADERS: Final[tuple[Header, ...]] = (
    (b"content-security-policy", f"{_POLICY}'none'".encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
EMBED_HEADERS: Final[tuple[Header, ...]] = ((b"content-security-policy", f"{_POLICY}*".encode()),)
"""Nothing can be done on the page, so that it may stand in any other one."""

STATUS: Final = {
    "announced": "announced",
    "registration": "registration is open",
    "closed": "registration is closed",
    "running": "under way",
    "finished": "final standings",
    "cancelled": "cancelled",
}


class PairingsQuery(AsOfQuery, frozen=True, forbid_unknown_fields=True):
    """`by`: the matches by table, or the players by name; `at`: as it stood after this event."""

    by: Literal["table", "name"] = "table"


async def get_page(call: Call) -> Reply:
    return await _standings(call, PAGE_HEADERS, embedded=False)


async def get_embedded(call: Call) -> Reply:
    return await _standings(call, EMBED_HEADERS, embedded=True)


async def _standings(call: Call, headers: tuple[Header, ...], *, embedded: bool) -> Reply:
    query: StageQuery = call.query
    _, state = await find_at(call, query.at)
    stage = _stage(state, query.stage)
    names, players = await _names_and_players(call, state)
    told = state.announcements[-ANNOUNCEMENTS:]
    texts = await texts_of(call.service.store.pool, state.id, {each.text.id for each in told}) if told else {}
    title = await title_of(call, state)

    def page() -> bytes:
        groups: tuple[sheets.StandingGroup, ...] = ()
        ties: tuple[sheets.TieBreakHead, ...] = ()
        if stage is not None:
            found = call.service.rankings.of(state, stage)
            groups = sheets.standing_groups(state, found, names, sheets.NOBODY if embedded else players)
            ties = sheets.tie_break_heads(state.stage_terms(stage), found.rows)
        played = _last_round(state, stage)
        return rendered(
            "standings.html",
            **common(state, title, query.at, embedded=embedded),
            stage=stage,
            stages=len(state.stages),
            status=STATUS[state.status],
            earlier=stage is not None and stage + 1 < len(state.stages),
            clock=None if played is None else clock_of(state, played),
            until=sheets.clock_text(None if played is None else played.due_at, state.terms.time_zone),
            announcements=[texts[each.text.id] for each in reversed(told) if each.text.id in texts],
            groups=groups,
            score=None if stage is None else sheets.score_title(state, stage),
            carried=any(row.carried for group in groups for row in group.rows),
            penalties=any(row.penalty for group in groups for row in group.rows),
            ties=ties,
            entered=() if groups else sheets.entered_rows(state, names, players),
        )

    key = ("standings", embedded, state.id, state.version, query.at, stage, title, names, players, texts)
    return document(call, await call.service.rendered.of(key, page), HTML, *headers)


async def _names_and_players(call: Call, state: Tournament) -> tuple[dict[str, str], dict[str, str]]:
    """How entrants are called, and the players of those whose name does not tell them."""
    shown = await entrants_shown(call, state, state.entrants.values())
    names = {each.id: each.name for each in shown}
    return names, {each.id: called for each in shown if (called := called_by(each.members)) != each.name}


async def get_pairings(call: Call) -> Reply:
    query: PairingsQuery = call.query
    live, state = await find_at(call, query.at)
    played = round_of(state, number_in(call.path["round"]))
    found = await who_sits(call, live, state, played)
    title = await title_of(call, state)

    def page() -> bytes:
        told = common(state, title, query.at) | {
            "number": played.number,
            "until": sheets.clock_text(played.due_at, state.terms.time_zone),
        }
        if query.by == "name":
            return rendered("seats.html", **told, rows=seat_rows(state, found))
        rows = sheets.pairing_rows(state, played, found.names, found.sitting)
        return rendered(
            "pairings.html",
            **told,
            sides=sheets.side_titles(state),
            matches=rows,
            byes=sheets.bye_rows(state, played, found.names, found.sitting, found.why),
            bracket=any(row.bracket for row in rows),
            boards=state.terms.boards is not None,
        )

    key = ("pairings", query.by, played.number, state.id, state.version, query.at, title, found)
    return document(call, await call.service.rendered.of(key, page), HTML, *PAGE_HEADERS)


async def get_crosstable(call: Call) -> Reply:
    query: StageQuery = call.query
    _, state = await find_at(call, query.at)
    stage = _stage(state, query.stage)
    names = await names_of(call, state)
    title = await title_of(call, state)

    def page() -> bytes:
        blocks = () if stage is None else cross_blocks(state, crosstable(state, stage), names)
        return rendered(
            "crosstable.html",
            **common(state, title, query.at),
            stage=stage,
            stages=len(state.stages),
            blocks=blocks,
            score=None if stage is None else sheets.score_title(state, stage),
            carried=any(line.carried for block in blocks for line in block.lines),
            penalties=any(line.penalty for block in blocks for line in block.lines),
        )

    key = ("crosstable", state.id, state.version, query.at, stage, title, names)
    return document(call, await call.service.rendered.of(key, page), HTML, *PAGE_HEADERS)


def _stage(state: Tournament, wanted: int) -> int | None:
    """The stage that is shown; None before the first one begins, unless one was asked for. Raises `Problem`."""
    return None if wanted == PRESENT and not state.stages else stage_of(state, wanted)


def _last_round(state: Tournament, stage: int | None) -> Round | None:
    """The round that was paired last in a stage."""
    rounds = () if stage is None else state.stages[stage].rounds
    return state.rounds[rounds[-1]] if rounds else None


async def get_style(call: Call) -> Reply:
    return document(call, style(), CSS, (b"cross-origin-resource-policy", b"cross-origin"))


def common(state: Tournament, title: str, at: int, *, embedded: bool = False) -> dict[str, Any]:
    """What every page has; `at` is the event that was asked for, which its links lead to again."""
    return {
        "id": state.id,
        "title": title,
        "embedded": embedded,
        "refresh": None if at or state.status in OVER else REFRESH_SECONDS,
        "suffix": f"?at={at}" if at else "",
        "rounds": [*state.rounds][-ROUNDS_LINKED:],
        "version": state.version,
        "at": sheets.clock_text(state.at, state.terms.time_zone),
    }


def _operation(
    name: str,
    path: str,
    run: Any,
    summary: str,
    *problems: str,
    query: type[Struct] = StageQuery,
    description: str = "",
    headers: tuple[Header, ...] = PAGE_HEADERS,
) -> Operation:
    return Operation(
        id=name,
        method="GET",
        path=path,
        tag="tournaments",
        summary=summary,
        description=description,
        credential="none",
        query=query,
        headers=("If-None-Match",),
        answers=(AnswerKind(status=200, description="A page.", kind=str, media_types=("text/html",)), SAME),
        problems=("tournament_not_found", "event_not_found", *problems),
        run=with_pages(name, run, headers),
    )


OPERATIONS: Final = (
    _operation(
        "getTournamentPage",
        "/tournaments/{tournament_id}",
        get_page,
        "A page: standings, announcements, the round's clock",
        "stage_not_found",
        description="No scripts; while the tournament is under way the page asks for itself anew. Prints well.",
    ),
    _operation(
        "getPairingsPage",
        "/tournaments/{tournament_id}/pairings/{round}",
        get_pairings,
        "A page: the pairings of a round, to be printed",
        "round_not_found",
        query=PairingsQuery,
        description="`by=name` lists the players in the order of the alphabet, each with table and side.",
    ),
    _operation(
        "getCrosstablePage",
        "/tournaments/{tournament_id}/crosstable",
        get_crosstable,
        "A page: the crosstable, to be printed",
        "stage_not_found",
    ),
    _operation(
        "getEmbeddedStandings",
        "/tournaments/{tournament_id}/embed",
        get_embedded,
        "Standings for a frame in another page",
        "stage_not_found",
        description="The one page that other sites may show in a frame.",
        headers=EMBED_HEADERS,
    ),
    Operation(
        id="getTournamentStyle",
        method="GET",
        path="/pages/tournament.css",
        tag="tournaments",
        summary="The style sheet of these pages",
        credential="none",
        headers=("If-None-Match",),
        answers=(AnswerKind(status=200, description="The style.", kind=str, media_types=("text/css",)), SAME),
        run=get_style,
    ),
)
