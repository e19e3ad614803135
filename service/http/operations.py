"""Operations: one method of one path each, described once for the router, for OpenAPI and for reading its input."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec
from msgspec import Struct

from service.principals import Principal, Scope

if TYPE_CHECKING:
    from service.running import Service
    from service.settings import Settings

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
EVENT_STREAM: Final = "text/event-stream"

Header = tuple[bytes, bytes]
Method = Literal["GET", "POST", "PATCH", "DELETE"]
Credential = Literal["none", "optional", "needed"]

PRIVATE: Final[Header] = (b"cache-control", b"no-store")
"""For everything that depends on who asks, and for everything that changes."""


class Call(Struct):
    """One request, read and checked as its operation says.

    `path` holds the path's parameters as text, `query` and `body` are Structs of the operation's kinds (None where it
    has none), `raw` is the body as it came, `headers` are by lower-case name. `key` stands for the idempotency key
    (`parameters.kept_key`; without a credential it is the key itself) and `expected` is the version of `If-Match`, None
    where the operation does not read them.
    """

    service: "Service"
    request: str
    principal: Principal | None
    path: dict[str, str]
    query: Any
    body: Any
    raw: bytes
    headers: dict[bytes, bytes]
    key: str | None
    expected: int | None
    scheme: str

    @property
    def caller(self) -> Principal:
        """Who asks, in an operation that needs a credential."""
        assert self.principal is not None
        return self.principal

    @property
    def origin(self) -> str:
        """The address under which the caller reached the service."""
        return self.service.origin(self.scheme, self.headers)

    def accepts(self, media_type: str) -> bool:
        """Whether the caller asks for this media type by name."""
        accept = self.headers.get(b"accept", b"").decode("latin-1").lower()
        return any(part.partition(";")[0].strip() == media_type for part in accept.split(","))


class Reply(Struct, frozen=True):
    """What goes back: a status, the bytes of the body and headers."""

    status: int
    content: bytes = b""
    headers: tuple[Header, ...] = (PRIVATE,)
    media_type: str = JSON


Run = Callable[[Call], Awaitable[Reply]]
RunRaw = Callable[[Call, Any, Any], Awaitable[int]]
"""Gets `receive` and `send` too, sends its answer itself unless it raises before, and gives its status."""


class AnswerKind(Struct, frozen=True, kw_only=True):
    """One kind of success: its type is what the body holds, one line of it for NDJSON and streams."""

    status: int
    description: str
    kind: Any = None
    media_types: tuple[str, ...] = (JSON,)
    headers: tuple[str, ...] = ()
    example: Any = None
    links: dict[str, str] = {}
    """Operations that go on from here: the first parameter of their path is what this pointer into the body says."""


class Operation(Struct, frozen=True, kw_only=True):
    """A method of a path. Exactly one of `run` and `run_raw` is there; the latter sends its answer itself.

    `headers` are the request headers it reads, by name as in `headers.REQUEST_HEADERS`; `problems` the codes of its
    own problems, beside those that follow from its input. `scope` is what a token needs, None only where no credential
    is looked at: one that was forgotten lets no token in.
    """

    id: str
    method: Method
    path: str
    tag: str
    summary: str
    answers: tuple[AnswerKind, ...]
    run: Run | None = None
    run_raw: RunRaw | None = None
    description: str = ""
    credential: Credential = "needed"
    scope: Scope | Literal["any"] | None = None
    beyond: bool = False
    """Whether it makes something outside of the game or tournament in its path: then no narrowed token will do."""
    query: type[Struct] | None = None
    body: Any = None
    """The type of the body, or a tuple of types of which it may be any."""
    read: "Callable[[bytes, Settings], Any] | None" = None
    """Reads the bytes of the body where that is not left to `bodies.read`."""
    body_example: Any = None
    upload: tuple[str, ...] = ()
    """The media types of a body that the operation reads itself, piece by piece; it has no `body` then."""
    upload_kind: Any = None
    """The type of what is uploaded as JSON, where that is one of the media types."""
    headers: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    refusals: bool = False
    """Whether the rules may refuse it, with any code of the rule book."""


def reply(status: int, value: object, *headers: Header) -> Reply:
    """A value as a private JSON answer."""
    return Reply(status, msgspec.json.encode(value), (PRIVATE, *headers))
