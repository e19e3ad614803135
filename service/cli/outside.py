"""The log of a service as an outsider fetches it, every line checked before it is believed."""

import asyncio
import re
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote, urlencode

import httpx
import msgspec
from msgspec import Struct

from service.checkpoints.signed import Checkpoint, Epoch, LineFault, Signed, read_line
from service.checkpoints.watching import Contradiction, Watch, check_growth, checkpoint_of
from service.cli.client import Answer, NotReached, Problem
from service.cli.faults import WrongUse

READ_SECONDS_MAX: Final = 30.0
"""Nothing at all may come for so long."""

REQUEST_SECONDS_MAX: Final = 30.0
"""A whole request may last so long, however much of its answer has come."""

PAGE_LINES: Final = 100
"""A full page is caught up with by one proof, up to its last checkpoint; otherwise each checkpoint is proved."""

PAGES_MAX: Final = 100
"""Keys and epochs are few: so many pages of either are taken."""

ANSWER_BYTES_MAX: Final = 1 << 24
"""A full page of checkpoints over the most shards that a feed may have is below it."""

NDJSON: Final = "application/x-ndjson"

_FOLLOWING: Final = re.compile(r"[?&]after=([0-9]{1,16})(?![0-9])")
"""Where in a `Link` header it is said after which line the next page begins."""


class _Proofs(Struct, frozen=True):
    proofs: tuple[tuple[str, ...], ...]


class Outside:
    """One connection to the service at an address, also a context manager. Raises `NotReached`, `Problem`."""

    def __init__(self, url: str, token: str | None = None) -> None:
        if not url.startswith(("http://", "https://")):
            raise WrongUse("URL must be an address that begins with http:// or https://.")
        self._url = url.rstrip("/")
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        # Only an event loop can end a request at a certain time whatever it is waiting for.
        self._runner = asyncio.Runner()
        self._client = httpx.AsyncClient(timeout=READ_SECONDS_MAX, headers=headers)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._runner:
            self._runner.run(self._client.aclose())

    def proof(self, game: str, n: int, checkpoint: int, code: str | None) -> bytes:
        """What the service says of a game's event under a checkpoint, which is still to be judged."""
        asked = {"n": n, "checkpoint": checkpoint} | ({} if code is None else {"code": code})
        return self._get(f"/v1/games/{quote(game, safe='')}/proof?{urlencode(asked)}").body

    def check_last(self, watch: Watch) -> None:
        """Look whether the last checkpoint that was kept is there still, word for word. Raises `Contradiction`."""
        last = watch.last
        if last is None:
            return
        number = checkpoint_of(last).number
        try:
            found = self._get(f"/v1/log/checkpoints/{number}")
        except Problem as problem:
            if problem.status != 404:
                raise
            raise Contradiction("log_shrank", f"The service has no checkpoint {number} any more.", last) from problem
        if found.body != last.line:
            same_body = _signed_body(found.body) == last.raw
            raise Contradiction(
                "line_wrong" if same_body else "number_reused",
                f"The service shows another checkpoint {number} than the one that was kept.",
                last,
                found.body,
            )

    def take_new(self, watch: Watch, keep: Callable[[Signed], None], keys_taken: Callable[[], None]) -> None:
        """Take every new line, and keep each that is good, in order. Raises `Contradiction`."""
        while True:
            after = 0 if watch.last is None else checkpoint_of(watch.last).number
            # What a checkpoint needs was there before it: asked for later, it is found.
            checkpoints = _read_lines(self._page("checkpoints", after).body)
            epochs = self._all("epochs")
            for line in self._all("keys"):
                if watch.take(line) is not None:
                    keep(line)
            keys_taken()
            self._take_page(watch, checkpoints, epochs, keep)
            if len(checkpoints) < PAGE_LINES:
                return
            if watch.last is None or checkpoint_of(watch.last).number <= after:
                raise NotReached(f"The service at {self._url} repeats the checkpoint {after} for ever.")

    def _take_page(
        self, watch: Watch, checkpoints: list[Signed], epochs: list[Signed], keep: Callable[[Signed], None]
    ) -> None:
        full = len(checkpoints) == PAGE_LINES
        proved = watch.last
        accepted: list[Signed] = []
        for at, line in enumerate(checkpoints):
            number = line.body.number if isinstance(line.body, Checkpoint) else 0
            while epochs and _after(epochs[0]) < number:
                announced = epochs.pop(0)
                if watch.take(announced) is not None:
                    accepted.append(announced)
            unsettled = watch.unsettled
            settles = watch.settles(line)
            before = watch.last
            if watch.take(line) is None:
                continue
            if settles and unsettled is not None:
                self._prove(unsettled, line)
            if before is not None and checkpoint_of(before).epoch != checkpoint_of(line).epoch:
                proved = None
            ends = at == len(checkpoints) - 1 or _epoch(checkpoints[at + 1]) != _epoch(line)
            if proved is None:
                proved = line
            elif not full or ends:
                self._prove(proved, line)
                proved = line
            accepted.append(line)
            if not full or ends:
                _keep_all(accepted, keep)
        if not full:
            # One that is said to begin after a checkpoint that is not here yet has to wait for it.
            last = 0 if watch.last is None else checkpoint_of(watch.last).number
            accepted += [line for line in epochs if _after(line) <= last and watch.take(line) is not None]
        _keep_all(accepted, keep)

    def _prove(self, old: Signed, new: Signed) -> None:
        """Have it proved that a checkpoint goes on from an earlier one. Raises `Contradiction`."""
        first, second = checkpoint_of(old), checkpoint_of(new)
        across = "&across=true" if first.epoch != second.epoch else ""
        try:
            answer = self._get(f"/v1/log/consistency?from={first.number}&to={second.number}{across}")
        except Problem as problem:
            if problem.status not in (404, 409):
                raise
            raise Contradiction(
                "rewritten", f"Checkpoint {second.number} does not go on from {first.number}: {problem}", old, new
            ) from problem
        try:
            proofs = msgspec.json.decode(answer.body, type=_Proofs).proofs
        except msgspec.DecodeError:
            proofs = ()
        check_growth(old, new, proofs)

    def _all(self, name: str) -> list[Signed]:
        """All keys or epochs. Raises `NotReached` for pages that do not come to an end."""
        found: list[Signed] = []
        after = 0
        for _ in range(PAGES_MAX):
            answer = self._page(name, after)
            found += _read_lines(answer.body)
            link = answer.headers.get("link")
            if link is None:
                return found
            following = _FOLLOWING.search(link)
            if following is None or int(following[1]) <= after:
                raise NotReached(f"The service at {self._url} does not lead on from its {name} after {after}.")
            after = int(following[1])
        raise NotReached(f"The service at {self._url} has more than {PAGES_MAX} pages of {name}.")

    def _page(self, name: str, after: int) -> Answer:
        return self._get(f"/v1/log/{name}?after={after}&limit={PAGE_LINES}", NDJSON)

    def _get(self, path: str, accept: str = "application/json") -> Answer:
        try:
            found = self._runner.run(self._fetch(path, accept))
        except TimeoutError as error:
            raise NotReached(
                f"The service at {self._url} does not end its answer within {REQUEST_SECONDS_MAX:g} seconds."
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise NotReached(
                f"The service at {self._url} does not answer: {str(error) or type(error).__name__}."
            ) from error
        if found.status >= 300:
            raise Problem(found)
        return found

    async def _fetch(self, path: str, accept: str) -> Answer:
        pieces = []
        size = 0
        async with (
            asyncio.timeout(REQUEST_SECONDS_MAX),
            self._client.stream("GET", self._url + path, headers={"accept": accept}) as answer,
        ):
            async for piece in answer.aiter_bytes():
                pieces.append(piece)
                size += len(piece)
                if size > ANSWER_BYTES_MAX:
                    raise NotReached(f"The service at {self._url} answers with more than {ANSWER_BYTES_MAX} bytes.")
        return Answer(answer.status_code, dict(answer.headers), b"".join(pieces))


def _keep_all(accepted: list[Signed], keep: Callable[[Signed], None]) -> None:
    for line in accepted:
        keep(line)
    accepted.clear()


def _epoch(line: Signed) -> int | None:
    return line.body.epoch if isinstance(line.body, Checkpoint) else None


def _after(line: Signed) -> int:
    return line.body.after if isinstance(line.body, Epoch) else 0


def _signed_body(line: bytes) -> bytes | None:
    try:
        return read_line(line).raw
    except LineFault:
        return None


def _read_lines(content: bytes) -> list[Signed]:
    """The lines of a page. Raises `Contradiction` where one cannot be read."""
    found = []
    for line in content.splitlines():
        try:
            found.append(read_line(line))
        except LineFault as fault:
            raise Contradiction("line_wrong", str(fault), None, line) from fault
    return found
