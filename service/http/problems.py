"""Problem documents (RFC 9457): the one form of every answer that is not a success.

    Problem (exception, raised anywhere)  ->  ProblemDocument (what is sent)

`type` is `urn:meldhouse:problem:` and the code; code, title and status of a kind never change.
A move refused by the rules has status 422 and the rule book's code (rule book, part 9).
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from domain.lobby_refusals import LobbyRefused
from domain.refusals import Refusal
from domain.tournaments.refusals import TournamentRefused
from service.commands import Denied
from service.http.tournament_kinds import STATUS_AND_TITLE

MEDIA_TYPE: Final = "application/problem+json"
TYPE_PREFIX: Final = "urn:meldhouse:problem:"
REQUEST_PREFIX: Final = "urn:meldhouse:request:"
_REFUSED_STATUS: Final = 422
_UNAVAILABLE_STATUS: Final = 503


class Kind(Struct, frozen=True):
    """What all problems of one code have in common."""

    status: int
    title: str


KINDS: Final[Mapping[str, Kind]] = {
    "malformed_request": Kind(400, "This is no HTTP request"),
    "malformed_json": Kind(400, "The body is not JSON"),
    "nesting_too_deep": Kind(400, "The body is nested too deeply"),
    "duplicate_key": Kind(400, "An object of the body has a key twice"),
    "invalid_body": Kind(400, "The body does not have the form asked for"),
    "invalid_parameter": Kind(400, "A parameter or header does not have the form asked for"),
    "too_many_moves": Kind(400, "The list of moves is too long"),
    "cursor_invalid": Kind(422, "This is no cursor of this list"),
    "position_unknown": Kind(400, "The stream has no such place to go on from"),
    "credential_missing": Kind(401, "A bearer token is needed"),
    "credential_invalid": Kind(401, "The bearer token is not valid"),
    "not_your_seat": Kind(403, "You hold no seat that may do this"),
    "watching_not_allowed": Kind(403, "This table is not shown to others"),
    "not_your_game": Kind(403, "Only the one who opened the table may do this"),
    "scope_missing": Kind(403, "The token may not do this"),
    "outside_of_token": Kind(403, "The token is good for something else only"),
    "metrics_closed": Kind(403, "The metrics are for those on the machine itself"),
    "route_not_found": Kind(404, "There is nothing at this address"),
    "game_not_found": Kind(404, "There is no such game, or you may not know of it"),
    "event_not_found": Kind(404, "The game has no event of this number, or not yet"),
    "player_not_found": Kind(404, "There is no such player"),
    "rating_pool_not_found": Kind(404, "There is no such pool of ratings"),
    "rating_not_found": Kind(404, "Nobody is rated so"),
    "ruleset_not_found": Kind(404, "There is no preset of this name"),
    "checkpoint_not_found": Kind(404, "There is no checkpoint of this number"),
    "tournament_not_found": Kind(404, "There is no such tournament, or you may not know of it"),
    "token_not_found": Kind(404, "You have no such token"),
    "method_not_allowed": Kind(405, "This address does not take this method"),
    "seat_taken": Kind(409, "The seat is taken"),
    "seat_empty": Kind(409, "Nobody holds the seat"),
    "seat_reserved": Kind(409, "The seat is kept for somebody else"),
    "bot_stays": Kind(409, "A bot keeps its seat once the game has begun"),
    "already_seated": Kind(409, "You hold a seat at this table already"),
    "departed": Kind(409, "Who left a game under way may not return to it"),
    "too_many_tokens": Kind(409, "You have as many tokens as you may have"),
    "table_full": Kind(409, "No seat is free"),
    "table_not_open": Kind(409, "Nobody can sit down or leave at this moment"),
    "table_not_closed": Kind(409, "The table is not closed"),
    "game_not_under_way": Kind(409, "The game has not begun"),
    "seats_empty": Kind(409, "Not every seat is taken"),
    "nonces_not_used": Kind(409, "This table uses no nonces"),
    "nonce_not_committed": Kind(409, "The seat has committed to no nonce"),
    "nonce_already_revealed": Kind(409, "The nonce has been revealed already"),
    "game_sealed": Kind(403, "The game is sealed: it shows its status only"),
    "beacon_not_used": Kind(409, "This table uses no beacon"),
    "beacon_too_early": Kind(409, "The round of the beacon has not come out yet"),
    "beacon_already_shown": Kind(409, "The round of the beacon is known already"),
    "beacon_unknown": Kind(409, "The chain of the beacon is not known here"),
    "not_yet_sealed": Kind(409, "The next checkpoint will cover this"),
    "checkpoint_too_early": Kind(409, "The checkpoint was signed before the event"),
    "checkpoints_of_two_epochs": Kind(409, "The log began anew between the two checkpoints"),
    "log_contradicted": Kind(409, "What is stored is not what was signed"),
    "record_not_public": Kind(409, "The record is not public before the game has ended"),
    "fork_impossible": Kind(409, "Nothing can be played after this event"),
    "game_too_long": Kind(409, "The game is too long to be gone through at once"),
    "token_revoked": Kind(410, "The token has been revoked, or has expired"),
    "stale_version": Kind(412, "The game has moved on"),
    "body_too_large": Kind(413, "The body is too large"),
    "unsupported_media_type": Kind(415, "The body is of a media type that is not taken here"),
    "idempotency_key_reused": Kind(422, "The idempotency key was used for another request"),
    "players_not_permitted": Kind(422, "The rule set does not allow this number of seats"),
    "terms_invalid": Kind(422, "The table cannot be made so"),
    "origin_invalid": Kind(422, "The practice game cannot begin so"),
    "unknown_seat": Kind(422, "The table has no such seat"),
    "token_terms_invalid": Kind(422, "The token cannot be made so"),
    "nonce_wrong": Kind(422, "The nonce is not the one committed to"),
    "beacon_chain_wrong": Kind(422, "The round is of another chain than the one fixed at closing"),
    "beacon_round_wrong": Kind(422, "The round is not the one fixed at closing"),
    "beacon_wrong": Kind(422, "The signature is not that of the round"),
    "ruleset_invalid": Kind(422, "The rule set or its options are refused"),
    "internal_error": Kind(500, "Something went wrong here"),
    "busy": Kind(503, "Too much is asked at the moment"),
    "store_unavailable": Kind(503, "The database does not answer"),
    "game_newer": Kind(503, "The game was written by a newer version of this service"),
    "too_many_streams": Kind(503, "Too many live streams are open"),
    "too_many_connections": Kind(503, "Too many connections are open"),
    "stopping": Kind(503, "The service is stopping"),
    "timers_stopped": Kind(503, "The timers of this worker have stopped"),
    "verification_too_slow": Kind(503, "The record took too long to be verified"),
    "request_too_slow": Kind(408, "The request took too long to come in"),
    "headers_too_large": Kind(431, "The address and headers are too large"),
    **{code: Kind(status, title) for code, (status, title) in STATUS_AND_TITLE.items()},
}  # fmt: skip
"""By code. Refusals by the rules come on top, see `kind_of`."""


class ProblemDocument(Struct, frozen=True, kw_only=True):
    """An answer that is not a success (RFC 9457). `instance` names the request, as the logs do.

    `params` holds the facts behind the code, public ones and the caller's own only. `at` is the index of the move
    refused in a list of several. `faults` lists everything that is wrong where several things can be.
    """

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    params: dict[str, Any] = {}
    at: int | UnsetType = UNSET
    faults: tuple[dict[str, Any], ...] | UnsetType = UNSET


class Problem(Denied):
    """A request that cannot be served; turned into a problem document by whoever runs the operation."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        params: Mapping[str, Any] | None = None,
        at: int | None = None,
        faults: Sequence[Mapping[str, Any]] | None = None,
        headers: Sequence[tuple[bytes, bytes]] = (),
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.params = dict(params or {})
        self.at = at
        self.faults = faults
        self.headers = tuple(headers)

    @property
    def status(self) -> int:
        return kind_of(self.code).status

    def body(self, request: str) -> bytes:
        """The document as JSON; `request` is the id of the request."""
        kind = kind_of(self.code)
        return msgspec.json.encode(
            ProblemDocument(
                type=TYPE_PREFIX + self.code,
                title=kind.title,
                status=kind.status,
                detail=self.detail,
                instance=REQUEST_PREFIX + request,
                code=self.code,
                params=self.params,
                at=UNSET if self.at is None else self.at,
                faults=UNSET if self.faults is None else tuple(map(dict, self.faults)),
            )
        )

    def all_headers(self) -> list[tuple[bytes, bytes]]:
        """Its own headers and those that belong to its status."""
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"cache-control", b"no-store"), *self.headers]
        if self.status == _UNAVAILABLE_STATUS:
            headers.append((b"retry-after", b"1"))
        if self.status == 401:
            headers.append((b"www-authenticate", b'Bearer realm="meldhouse"'))
        return headers


def kind_of(code: str) -> Kind:
    """Status and title of a code."""
    kind = KINDS.get(code)
    return Kind(_REFUSED_STATUS, "Refused: " + words(code)) if kind is None else kind


def words(code: str) -> str:
    """A code as words: `first_meld_too_low` is "first meld too low"."""
    return code.replace("_", " ")


def refused(refusal: Refusal) -> Problem:
    """The problem of a move that the rules refuse."""
    needed = ", ".join(f"{name} {_shown(value)}" for name, value in refusal.params.items())
    detail = f"The rules refuse this move: {words(refusal.code)}" + (f" ({needed})." if needed else ".")
    return Problem(str(refusal.code), detail, params=refusal.params, at=refusal.at)


def lobby_refused(refusal: LobbyRefused) -> Problem:
    """The problem of something beside the play that was turned down."""
    params = dict(refusal.params)
    faults = params.pop("faults", None)
    needed = ", ".join(f"{name} {_shown(value)}" for name, value in params.items())
    title = kind_of(refusal.code).title
    return Problem(str(refusal.code), f"{title} ({needed})." if needed else f"{title}.", params=params, faults=faults)


def tournament_refused(refusal: TournamentRefused) -> Problem:
    """The problem of something that a tournament turned down."""
    params = dict(refusal.params)
    faults = [msgspec.to_builtins(fault) for fault in params.pop("faults", ())] or None
    plain = {name: value for name, value in params.items() if isinstance(value, str | int)}
    if isinstance(any_of := params.get("needed"), list | tuple) and all(isinstance(each, str) for each in any_of):
        plain["needed"] = " or ".join(any_of)
    needed = ", ".join(f"{words(name)} {value}" for name, value in plain.items())
    title = kind_of(refusal.code).title
    return Problem(str(refusal.code), f"{title} ({needed})." if needed else f"{title}.", params=params, faults=faults)


def _shown(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
