"""A plain client of the public API, with nothing but the standard library."""

import contextlib
import http.client
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final, Self

import msgspec
from msgspec import Struct

REQUEST_SECONDS_MAX: Final = 30.0


class Answer(Struct, frozen=True):
    """What the service answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON values."""
        return msgspec.json.decode(self.body)


class NotReached(Exception):
    """Nothing answers at the address."""


class Problem(Exception):
    """The service refused; the text is its own."""

    def __init__(self, answer: Answer) -> None:
        try:
            document = answer.json()
            told = str(document.get("detail") or document.get("title"))
        except (msgspec.DecodeError, AttributeError):
            told = answer.body[:200].decode(errors="replace")
        super().__init__(f"{answer.status}: {told}")
        self.status = answer.status


class Client:
    """One connection to the service, kept open, with the token of one caller; also a context manager."""

    def __init__(self, host: str, port: int, token: str | None = None) -> None:
        self.address = f"http://{host}:{port}"
        self._connection = http.client.HTTPConnection(host, port, timeout=REQUEST_SECONDS_MAX)
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, path: str, **headers: str) -> Answer:
        """The answer to a GET. Raises `Problem`, `NotReached`."""
        return self._request("GET", path, None, headers)

    def post(self, path: str, body: object = None, **headers: str) -> Answer:
        """The answer to a POST of JSON; a header is named with `_` for `-`. Raises `Problem`, `NotReached`."""
        return self._request("POST", path, body, headers)

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()

    def _request(self, method: str, path: str, body: object, headers: Mapping[str, str]) -> Answer:
        sent = self._headers | {name.replace("_", "-"): value for name, value in headers.items()}
        raw = None
        if body is not None:
            raw = msgspec.json.encode(body)
            sent["Content-Type"] = "application/json"
        try:
            self._connection.request(method, path, raw, sent)
            response = self._connection.getresponse()
            answer = Answer(response.status, {k.lower(): v for k, v in response.getheaders()}, response.read())
        except (OSError, http.client.HTTPException) as error:
            with contextlib.suppress(OSError):
                self._connection.close()
            raise NotReached(
                f"The service at {self.address} does not answer: {str(error) or type(error).__name__}."
            ) from error
        if answer.status >= 300:
            raise Problem(answer)
        return answer
