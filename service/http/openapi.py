"""The description of the interface (OpenAPI 3.1), made from the operations and from the types that they read and write.

The types' schemas come from msgspec: discriminators, closed objects and constraints are all in them. What is added is
what a type cannot say: names for unions, headers, and every problem of every operation.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import msgspec

from domain.cards import Face
from domain.events import AnyEvent
from domain.moves import Move, PlannedMove
from domain.refusals import Code
from domain.tournaments.acts import ROUND_MAX, Act
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.formats import Format
from domain.tournaments.matches import Score
from service.http.catalogue import OPERATIONS
from service.http.docs import page
from service.http.headers import OWN_HEADERS, REQUEST_HEADERS, RESPONSE_HEADERS
from service.http.opening import SeatWanted
from service.http.operations import JSON, AnswerKind, Operation
from service.http.problems import KINDS, Problem, ProblemDocument, kind_of
from service.http.problems import MEDIA_TYPE as PROBLEM
from service.http.ratings_shown import RatingShown
from service.http.scopes import told
from service.http.starting import NonceMessage
from service.http.tournaments.streams import StreamMessage
from service.http.tournaments.terms_wanted import ScoreWanted
from service.running import Description
from service.version import VERSION

REF: Final = "#/components/schemas/{name}"
UNIONS: Final[Mapping[str, Any]] = {
    "Event": AnyEvent,
    "Move": Move,
    "PlannedMove": PlannedMove,
    "SeatWanted": SeatWanted,
    "NonceMessage": NonceMessage,
    "RatingShown": RatingShown,
    "TournamentEvent": AnyTournamentEvent,
    "TournamentStreamMessage": StreamMessage,
    "Act": Act,
    "Format": Format,
    "Score": Score,
    "ScoreWanted": ScoreWanted,
}
"""Unions with a name of their own; wherever all their members stand together, the name stands instead."""

PATH_PARAMETERS: Final[Mapping[str, dict[str, Any]]] = {
    "game_id": {"type": "string", "pattern": "^[0-9a-z]{1,64}$"},
    "tournament_id": {"type": "string", "pattern": "^[0-9a-z]{1,64}$"},
    "entrant": {"type": "string", "pattern": "^e[0-9]{1,6}$"},
    "challenger": {"type": "string", "pattern": "^e[0-9]{1,6}$"},
    "match": {"type": "string", "pattern": "^[0-9a-z]{1,64}$"},
    "round": {"type": "integer", "minimum": 1, "maximum": ROUND_MAX},
    "board": {"type": "integer", "minimum": 1, "maximum": 100000},
    "token_id": {"type": "string", "pattern": "^[0-9a-z]{1,64}$"},
    "player_id": {"type": "string", "pattern": "^[!-.0-~]{1,64}$"},
    "pool": {"type": "string", "pattern": "^[a-z]{1,16}-[2-6]$"},
    "seat": {"type": "integer", "minimum": 0, "maximum": 5},
    "name": {"type": "string", "pattern": "^[a-z0-9-]{1,64}$"},
    "number": {"type": "integer", "minimum": 1, "maximum": 10**15},
    "n": {"type": "integer", "minimum": 1, "maximum": 2147483647},
    "file": {"type": "string", "pattern": "^[a-z0-9-]{1,64}[.](css|html|mjs)$"},
}
DESCRIPTION: Final = """\
Samba, Canasta and their relatives: every move an event, every seat seeing only its own cards.

Every answer that is not a success is a problem document (RFC 9457) with a stable `type` and `code`. A move refused by
the rules has status 422 and the rule book's code. Commands take an `Idempotency-Key`: sent again with the same key, the
same body and the same `If-Match` they give the first answer again. Refusals are not kept: a request that was refused
has changed nothing, and its key is free. Lists of cards are in canonical order unless order means something.

An address that is not here is `route_not_found` (404), a method that an address does not take `method_not_allowed`
(405, with `Allow`).
"""
SERVER_PROBLEMS: Final = (
    "malformed_request", "request_too_slow", "headers_too_large", "too_many_connections", "busy", "store_unavailable",
    "stopping", "internal_error",
)  # fmt: skip
"""Whatever is asked, the server, the database or a bug may answer so."""
SECURITY_SCHEMES: Final = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "A token of `POST /v1/players` or `POST /v1/tokens`."}
}


def document() -> dict[str, Any]:
    """The whole description, as JSON values."""
    schemas = _Schemas()
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation, schemas)
    described = {
        "openapi": "3.1.0",
        "info": {
            "title": "Meldhouse",
            "version": VERSION,
            "summary": "An event-sourced service for Samba, Canasta and their relatives",
            "description": DESCRIPTION,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": tag} for tag in dict.fromkeys(operation.tag for operation in OPERATIONS)],
        "paths": paths,
        "components": {"schemas": schemas.components(), "securitySchemes": SECURITY_SCHEMES},
    }
    # Defaults are values of the types until here.
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(described))
    return plain


def document_bytes() -> bytes:
    """The description as it is committed and served: indented, with a newline at the end."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=1) + b"\n"


@cache
def description() -> Description:
    """The description and its page, made when first asked for."""
    return Description(document_bytes(), page(document()))


# --- schemas ---


_CARD: Final = msgspec.json.schema(Face)


class _Schemas:
    """The schema of each type that operations name, and the components behind them."""

    def __init__(self) -> None:
        named = dict.fromkeys(
            kind
            for operation in OPERATIONS
            for kind in (*_bodies(operation), operation.query, *(answer.kind for answer in operation.answers))
            if kind is not None
        )
        kinds = list(dict.fromkeys([*named, ProblemDocument, *UNIONS.values()]))
        described, components = msgspec.json.schema_components(kinds, schema_hook=_schema_of, ref_template=REF)
        self._by_kind = dict(zip(kinds, described, strict=True))
        unions = {name: self._by_kind[union] for name, union in UNIONS.items()}
        self._names = {_members(schema): name for name, schema in unions.items()}
        self._components = {name: self._with_names(schema) for name, schema in components.items()}
        self._components["Card"] = _CARD | {"title": "Card", "description": "A card (formats, part 1)."}
        self._components |= {name: {"title": name, **schema} for name, schema in unions.items()}
        refusals = [code for code in map(str, Code) if code not in KINDS]
        self._components["ProblemDocument"]["properties"]["code"] = {"enum": [*KINDS, *refusals]}

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of a type, by name where it has one."""
        described: dict[str, Any] = self._with_names(self._by_kind[kind])
        return described

    def parameters(self, query: type[msgspec.Struct]) -> list[dict[str, Any]]:
        """The query parameters that a Struct stands for."""
        described = self._components[query.__name__]
        return [
            {"name": name, "in": "query", "required": False, "schema": schema}
            for name, schema in described["properties"].items()
        ]

    def components(self) -> dict[str, Any]:
        """Every named schema but those of queries, which stand at their operations."""
        queries = {operation.query.__name__ for operation in OPERATIONS if operation.query is not None}
        return {name: schema for name, schema in sorted(self._components.items()) if name not in queries}

    def _with_names(self, schema: Any) -> Any:
        """The schema with the name of a union wherever all its members stand together."""
        if isinstance(schema, list):
            return [self._with_names(item) for item in schema]
        if not isinstance(schema, dict):
            return schema
        if schema.get("enum") == _CARD["enum"]:
            return {"$ref": REF.format(name="Card")}
        name = self._names.get(_members(schema))
        if name is not None:
            others = {key: value for key, value in schema.items() if key not in ("anyOf", "discriminator")}
            return {"$ref": REF.format(name=name), **others}
        return {key: self._with_names(value) for key, value in schema.items()}


def _schema_of(kind: type) -> dict[str, Any]:
    """The schema of what msgspec knows none of: `object` is any value."""
    if kind is object:
        return {"description": "Any value."}
    raise NotImplementedError


def _members(schema: Mapping[str, Any]) -> frozenset[str]:
    """The components that a union is made of; nothing for what is no union of components."""
    options = schema.get("anyOf", ())
    if "discriminator" not in schema or not all("$ref" in option for option in options):
        return frozenset()
    return frozenset(option["$ref"] for option in options)


def _bodies(operation: Operation) -> tuple[Any, ...]:
    """The types of which the body may be any."""
    if operation.upload_kind is not None:
        return (operation.upload_kind,)
    return operation.body if isinstance(operation.body, tuple) else (operation.body,)


# --- operations ---


def _operation(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "parameters": _parameters(operation, schemas),
        "responses": _responses(operation, schemas),
        "security": _security(operation),
    }
    paragraphs = [text for text in (operation.description, told(operation)) if text]
    if paragraphs:
        described["description"] = "\n\n".join(paragraphs)
    if operation.body is not None:
        options = [schemas.of(kind) for kind in _bodies(operation)]
        content: dict[str, Any] = {"schema": options[0] if len(options) == 1 else {"anyOf": options}}
        if operation.body_example is not None:
            content["example"] = operation.body_example
        described["requestBody"] = {"required": True, "content": {JSON: content}}
    if operation.upload:
        # A file of lines: text to a client, whatever its media type, but for one JSON value.
        contents = {media_type: {"schema": {"type": "string"}} for media_type in operation.upload}
        if operation.upload_kind is not None:
            contents[JSON] = {"schema": schemas.of(operation.upload_kind)}
        described["requestBody"] = {"required": True, "content": contents}
    return described


def _security(operation: Operation) -> list[dict[str, list[str]]]:
    """What credential it takes; the scope stands as the role that OpenAPI 3.1 has for such schemes."""
    if operation.credential == "none":
        return []
    bearer = {"bearer": [] if operation.scope in (None, "any") else [str(operation.scope)]}
    return [{}, bearer] if operation.credential == "optional" else [bearer]


def _parameters(operation: Operation, schemas: _Schemas) -> list[dict[str, Any]]:
    found = [
        {"name": name, "in": "path", "required": True, "schema": PATH_PARAMETERS[name]}
        for name in PATH_PARAMETERS
        if f"{{{name}}}" in operation.path
    ]
    if operation.query is not None:
        found += schemas.parameters(operation.query)
    for name in operation.headers:
        described = OWN_HEADERS.get((operation.id, name)) or REQUEST_HEADERS[name]
        found.append({"name": name, "in": "header", "required": False, **described})
    return found


def _responses(operation: Operation, schemas: _Schemas) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    for answer in operation.answers:
        response = responses.setdefault(str(answer.status), {"description": answer.description})
        if answer.headers:
            response["headers"] = {name: RESPONSE_HEADERS[name] for name in answer.headers}
        if answer.links:
            response["links"] = {
                name: {"operationId": name, "parameters": {_leading_parameter(name): f"$response.body#{pointer}"}}
                for name, pointer in answer.links.items()
            }
        if answer.kind is not None:
            response.setdefault("content", {}).update(_contents(answer, schemas))
    by_status: dict[int, list[str]] = {}
    for code in problem_codes(operation):
        by_status.setdefault(kind_of(code).status, []).append(code)
    for status, codes in sorted(by_status.items()):
        responses[str(status)] = _problem_response(status, codes)
    return responses


def _leading_parameter(operation: str) -> str:
    """The parameter of an operation's path that says of which game or tournament it is."""
    path = next(each.path for each in OPERATIONS if each.id == operation)
    return path.partition("{")[2].partition("}")[0]


def _contents(answer: AnswerKind, schemas: _Schemas) -> dict[str, Any]:
    contents: dict[str, Any] = {}
    for media_type in answer.media_types:
        # A line of NDJSON, or an event of a stream, has the schema; the whole body is text.
        whole = media_type == JSON
        content: dict[str, Any] = {"schema": schemas.of(answer.kind) if whole else {"type": "string"}}
        if not whole and answer.kind is not str:
            content["x-item-schema"] = schemas.of(answer.kind)
        if answer.example is not None and whole:
            content["example"] = answer.example
        contents[media_type] = content
    return contents


def problem_codes(operation: Operation) -> list[str]:
    """Every problem that an operation can answer with: its own, everybody's, and what follows from its input."""
    codes = [*operation.problems]
    if operation.credential != "none":
        codes += ["credential_invalid"]
    if operation.credential == "needed":
        codes += ["credential_missing"]
    if operation.scope not in (None, "any"):
        codes += ["scope_missing", "outside_of_token"]
    codes += ["invalid_parameter"]
    if operation.body is not None:
        codes += [
            "malformed_json", "nesting_too_deep", "duplicate_key", "invalid_body", "body_too_large",
            "unsupported_media_type",
        ]  # fmt: skip
    if operation.upload:
        codes += ["body_too_large", "unsupported_media_type"]
    if operation.refusals:
        codes += map(str, Code)
    if "game_not_found" in operation.problems:
        codes.append("game_newer")
    codes += SERVER_PROBLEMS
    return list(dict.fromkeys(codes))


def _problem_response(status: int, codes: list[str]) -> dict[str, Any]:
    names = {401: ("WWW-Authenticate",), 503: ("Retry-After",), 412: ("ETag",)}.get(status, ())
    response: dict[str, Any] = {
        "description": "Problem: " + ", ".join(f"`{code}`" for code in codes) + ".",
        "content": {
            PROBLEM: {
                "schema": {"$ref": REF.format(name="ProblemDocument")},
                "examples": {code: {"value": _example(code)} for code in codes},
            }
        },
    }
    if names:
        response["headers"] = {name: RESPONSE_HEADERS[name] for name in names}
    return response


def _example(code: str) -> Any:
    return msgspec.json.decode(Problem(code, kind_of(code).title + ".").body("3b1f6c0a9e52-17"))
