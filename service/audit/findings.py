"""What an audit can find: a code for programs, the place, a sentence for people."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Literal

from msgspec import Struct

from domain.records.faults import RecordFaultCode

Severity = Literal["error", "warning"]
"""An error is something wrong with the archive. A warning is a loss that a signed line has announced already."""

FINDINGS_MAX: Final = 1000
"""The most findings of a kind of work (games, one shard, checkpoints…) that are kept; the others are counted."""

MESSAGE_MAX: Final = 600
"""The most characters of a message."""


class FindingCode(StrEnum):
    """What is wrong. The codes are stable: scripts may rely on them."""

    # --- the rows of a game's events ---

    EVENT_MISSING = "event_missing"
    """The versions of a game have a gap, or do not begin at 1: a row was deleted or moved."""

    EVENT_REPEATED = "event_repeated"
    """A version of a game stands there twice."""

    BODY_CHANGED = "body_changed"
    """The bytes of an event do not give its hash, and the event after it vouches for the hash: the body was changed."""

    HASH_WRONG = "hash_wrong"
    """An event's hash is not that of its body: the hash was changed, or in a game's last event either."""

    PREV_WRONG = "prev_wrong"
    """An event does not follow the one before it: its `prev_hash` is not that one's hash (or that of the game's id)."""

    BODY_INVALID = "body_invalid"
    """An event's body is no canonical JSON of a known event, or hides something; `fault` has the code of a record."""

    NUMBER_WRONG = "number_wrong"
    """The `n` in an event's body is not the version of its row."""

    SCHEMA_UNKNOWN = "schema_unknown"
    """An event is marked with a schema that this program does not know: written by a newer one, or wrong."""

    TYPE_WRONG = "type_wrong"
    """The column `type` is not the type in the body."""

    DOES_NOT_FOLD = "does_not_fold"
    """An event cannot be folded upon those before it, although its hash is right."""

    TOTALS_WRONG = "totals_wrong"
    """The totals of a hand or of the game's end do not follow from those before."""

    NOT_REVEALED = "not_revealed"
    """A fair game has ended without revealing its master, and no seal keeps it back."""

    UNREADABLE = "unreadable"
    """The database cannot read a row, or what it holds cannot be checked at all: damage below the level of rows."""

    # --- the rules, with --rules ---

    RULES_BROKEN = "rules_broken"
    """An event is not what the rules give; `fault` has the code that the verdict on a record would have."""

    FAIRNESS_BROKEN = "fairness_broken"
    """A deal, a commitment or what was revealed is not as the fairness document has it; `fault` tells which."""

    BEACON_BROKEN = "beacon_broken"
    """The beacon's round is not one of its chain, or could be known too soon; `fault` tells which."""

    # --- the rows beside the events ---

    STREAM_MISSING = "stream_missing"
    """There is a row of a game, but not one event."""

    GAME_MISSING = "game_missing"
    """There are events, but no row of the game."""

    GAME_VERSION_WRONG = "game_version_wrong"
    """The `version` in the row of a game is not that of the last turn or change of status."""

    GAME_STATUS_WRONG = "game_status_wrong"
    """The status, the seat to act or the presence of `finished_at` in the row of a game is not what its events give."""

    GAME_FACTS_WRONG = "game_facts_wrong"
    """The rule set, the number of seats or `practice` in the row of a game is not that of its first event; the
    organiser in the row of a tournament is not that of its events."""

    SEAT_WRONG = "seat_wrong"
    """The row of a seat is not what the events give, is missing, or is one too many."""

    MASTER_MISSING = "master_missing"
    """The master of a game's deals is not there although it is still needed."""

    MASTER_LEFT = "master_left"
    """A master is kept that is needed no more, or belongs to no game."""

    MASTER_WRONG = "master_wrong"
    """The master kept is not the one that the game's first event commits to."""

    # --- tournaments ---

    STANDINGS_WRONG = "standings_wrong"
    """Standings that a tournament published are not those that its events before give (with --rules)."""

    LOTS_WRONG = "lots_wrong"
    """The seed of a draw is not the one that the tournament's master gives."""

    TEXT_WRONG = "text_wrong"
    """A text beside the events of a tournament is not the one that its event names, is missing, or is one too many."""

    LINE_UP_WRONG = "line_up_wrong"
    """Who is kept as a player of a tournament is not who stands in its line-ups."""

    MATCH_GAME_WRONG = "match_game_wrong"
    """The row of a game of a match is not what the tournament's events give, it is not played on the boards of its
    match, or its result was counted from another end."""

    MATCH_BEACON_WRONG = "match_beacon_wrong"
    """A game of a match is not dealt by the beacon on which the tournament's boards depend."""

    RESULT_WRONG = "result_wrong"
    """The result of a game of a match is not what its hands come to; with --rules also: a match is decided otherwise
    than its results give."""

    # --- the feed ---

    SHARD_WRONG = "shard_wrong"
    """An event is in another shard of the feed than its game."""

    SHARD_UNKNOWN = "shard_unknown"
    """There is no counter for a shard that events are in, or none for a shard that the feed has."""

    POSITION_MISSING = "position_missing"
    """The positions of a shard have a gap: an event was deleted or moved."""

    POSITION_REPEATED = "position_repeated"
    """A position of a shard stands there twice."""

    POSITION_ORDER = "position_order"
    """The events of a game do not stand in the feed in their order."""

    HEAD_AHEAD = "head_ahead"
    """A shard's counter is above its last event: the end of the shard is missing."""

    HEAD_BEHIND = "head_behind"
    """A shard has events beyond its counter: rows were added past it, or the counter was changed."""

    # --- the signed log ---

    KEY_WRONG = "key_wrong"
    """A signing key is not vouched for by the one before it, or its row was changed."""

    EPOCH_MISSING = "epoch_missing"
    """An epoch of the log was never announced, or its announcement was removed."""

    EPOCH_WRONG = "epoch_wrong"
    """The announcement of an epoch is not signed rightly, or its row was changed."""

    CHECKPOINT_MISSING = "checkpoint_missing"
    """The numbers of the checkpoints have a gap."""

    CHECKPOINT_WRONG = "checkpoint_wrong"
    """The body of a checkpoint cannot be read, or the columns beside it say something else."""

    CHECKPOINT_FORGED = "checkpoint_forged"
    """The signature of a checkpoint is not one of the key that signs at that place."""

    CHECKPOINT_UNLINKED = "checkpoint_unlinked"
    """A checkpoint does not name the one before it: one of the two was replaced."""

    CHECKPOINT_SHRUNK = "checkpoint_shrunk"
    """A checkpoint covers less than the one before it in the same epoch."""

    CHECKPOINT_BEYOND = "checkpoint_beyond"
    """A checkpoint covers more of a shard than there is: the end of the shard is missing."""

    ROOT_WRONG = "root_wrong"
    """The rows do not give the root that a checkpoint signed: rows that it covers were rewritten, with all hashes."""

    NODE_WRONG = "node_wrong"
    """A stored node of a tree is not the one that the rows give: proofs made from it fail."""

    NODE_MISSING = "node_missing"
    """A stored node of a tree is missing: proofs cannot be made."""

    # --- what was kept outside ---

    KEPT_HEAD_MISSING = "kept_head_missing"
    """Somebody kept the hash of an event that is there no more: the end of the game was cut off, or all of it."""

    KEPT_HEAD_DIFFERS = "kept_head_differs"
    """Somebody kept another hash for an event: the game was rewritten."""

    WITNESS_FORGED = "witness_forged"
    """A line of the witness file is not signed by a key of this log; nothing can be said by it."""

    WITNESS_MISSING = "witness_missing"
    """A witnessed line is not among those stored: it was removed here, or a whole older state was put back."""

    WITNESS_DIFFERS = "witness_differs"
    """Another line is stored in place of a witnessed one: the log was signed anew."""

    WITNESS_ROOT_WRONG = "witness_root_wrong"
    """The rows do not give the root that was witnessed: they were rewritten, checkpoints and all."""


class Finding(Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong, and its place as far as it has one.

    game, n          the game or the tournament, and the number of its event
    shard, position  the place in the feed
    checkpoint, epoch  numbers in the signed log
    line             the line of a file that was given
    fault            the code that the verdict on a game's record would have
    """

    code: FindingCode
    message: str
    severity: Severity = "error"
    game: str | None = None
    n: int | None = None
    shard: int | None = None
    position: int | None = None
    checkpoint: int | None = None
    epoch: int | None = None
    line: int | None = None
    fault: RecordFaultCode | None = None

    def place(self) -> str:
        """The place in words."""
        parts = (
            ("game", self.game), ("event", self.n), ("shard", self.shard), ("position", self.position),
            ("epoch", self.epoch), ("checkpoint", self.checkpoint), ("line", self.line),
        )  # fmt: skip
        return " ".join(f"{name} {value}" for name, value in parts if value is not None)


class Findings(Struct):
    """Findings in the order they were made: as many as are kept, and how many there were by code in all."""

    kept: list[Finding] = []
    counts: dict[FindingCode, int] = {}
    errors: int = 0

    def add(self, findings: Iterable[Finding]) -> None:
        """Some more."""
        for finding in findings:
            self.counts[finding.code] = self.counts.get(finding.code, 0) + 1
            self.errors += finding.severity == "error"
            if len(self.kept) < FINDINGS_MAX:
                self.kept.append(finding)

    def include(self, others: "Findings") -> None:
        """All that another lot has."""
        self.kept.extend(others.kept)
        self.errors += others.errors
        for code, number in others.counts.items():
            self.counts[code] = self.counts.get(code, 0) + number

    @property
    def number(self) -> int:
        """How many there were."""
        return sum(self.counts.values())
