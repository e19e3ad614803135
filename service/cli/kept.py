"""A record beside what was kept outside the service: heads that players noted, checkpoints that a witness has."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from operator import attrgetter
from pathlib import Path
from typing import Final, Literal

import msgspec
from msgspec import Struct

from domain.records.lines import split_lines
from domain.records.verdicts import Verdict
from service.audit.kept import KeptHead, read_heads
from service.audit.source import AuditImpossible
from service.checkpoints.holding import Kept, judge, read_kept
from service.checkpoints.watching import Contradiction, checkpoint_of
from service.cli.client import NotReached, Problem
from service.cli.faults import WrongUse
from service.cli.inputs import chunks
from service.cli.outside import Outside
from service.cli.printable import in_short

Code = Literal[
    "held", "not_an_answer", "head_differs", "head_missing", "checkpoint_not_kept", "checkpoint_differs", "proof_wrong",
    "no_proof", "none_kept",
]  # fmt: skip


class Comparison(Struct, frozen=True):
    """What comes of comparing a record with what was kept; `held` where they agree."""

    code: Code
    message: str

    @property
    def ok(self) -> bool:
        return self.code == "held"


class _Hashed(Struct, frozen=True):
    hash: str


_hashed: Final = msgspec.json.Decoder(_Hashed)


class Heads:
    """The hashes that players kept, by game and event (`{"game", "n", "hash"}`, one a line)."""

    def __init__(self, path: Path) -> None:
        """Raises `WrongUse` for a file that is none."""
        self._kept: dict[str, list[KeptHead]] = {}
        self._wanted: set[int] = set()
        self._seen: dict[int, str] = {}
        try:
            for _, head in read_heads(split_lines(chunks(path))):
                self._kept.setdefault(head.game, []).append(head)
                self._wanted.add(head.n)
        except AuditImpossible as trouble:
            raise WrongUse(f"{path}: {trouble}") from trouble

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines of a record, of which the hashes that matter are noted as they pass."""
        self._seen.clear()
        for n, line in enumerate(lines):
            if n in self._wanted:
                # That a line holds no event is for the verdict to say.
                with suppress(msgspec.DecodeError, UnicodeDecodeError):
                    self._seen[n] = _hashed.decode(line).hash
            yield line

    def compare(self, verdict: Verdict) -> Comparison:
        """What comes of the heads that were kept of the game whose record was watched last: the first that is wrong."""
        kept = sorted(self._kept.get(verdict.game or "", ()), key=attrgetter("n"))
        # Below a line that is wrong nothing was read.
        reached = [head for head in kept if verdict.ok or head.n in self._seen]
        if not reached:
            why = "none of this game was kept" if not kept else "the record is wrong before the first of them"
            return Comparison("none_kept", f"No head could be compared: {why}.")
        wrong = [head for head in reached if self._seen.get(head.n) != head.hash]
        if not wrong:
            return Comparison(
                "held", f"{len(reached)} kept heads are there, the last one that of event {reached[-1].n}."
            )
        first = wrong[0]
        there = self._seen.get(first.n)
        of_all = f" ({len(wrong)} of {len(reached)} kept heads are wrong.)"
        if there is None:
            message = f"A head was kept of event {first.n}, which the record does not have.{of_all}"
            return Comparison("head_missing", message)
        return Comparison("head_differs", f"Event {first.n} had the hash {first.hash}, and now has {there}.{of_all}")


class Witness:
    """Signed lines that were kept (`meldhouse witness`), and where a proof that a game is under them comes from."""

    def __init__(self, path: Path, *, url: str | None, proof: Path | None, code: str | None, token: str | None) -> None:
        """Raises `WrongUse` for a file that is none."""
        try:
            self._kept: Kept = read_kept(split_lines(chunks(path)))
        except Contradiction as wrong:
            raise WrongUse(f"{path}: {wrong}") from wrong
        if self._kept.newest is None:
            raise WrongUse(f"{path} holds no checkpoint yet; `meldhouse witness` fetches them.")
        self._url = url
        self._proof = proof
        self._code = code
        self._token = token

    def compare(self, verdict: Verdict) -> Comparison:
        """Whether the record is under a checkpoint that was kept, and the same as it was then."""
        if verdict.game is None or verdict.head is None:
            return Comparison("no_proof", "Only a record that is right can be looked for under a checkpoint.")
        try:
            answer = self._answer(verdict.game, verdict.events)
        except (NotReached, Problem) as trouble:
            why = in_short(str(trouble))
            return Comparison("no_proof", f"The service gave no proof for event {verdict.events}. {why}")
        holding = judge(verdict.game, verdict.events, verdict.head, answer, self._kept)
        return Comparison(holding.code, holding.message)

    def _answer(self, game: str, n: int) -> bytes:
        if self._proof is not None:
            return b"".join(chunks(self._proof))
        assert self._url is not None
        assert self._kept.newest is not None
        with Outside(self._url, self._token) as outside:
            return outside.proof(game, n, checkpoint_of(self._kept.newest).number, self._code)
