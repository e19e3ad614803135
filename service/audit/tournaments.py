"""The events of a tournament, which are public and few: read one by one, folded as they stand."""

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from domain.fairness import check_board_commitment
from domain.records.diagnosis import plain_object
from domain.records.faults import RecordInvalidError
from domain.tournaments.events import AnyTournamentEvent, TournamentCreated
from domain.tournaments.fold import begin, fold
from domain.tournaments.round_events import MatchDecided, StandingsPublished
from domain.tournaments.state import Tournament
from domain.tournaments.upcasting import decode_stored
from domain.upcasting import SchemaUnknown
from service.audit.agreement import Beside
from service.audit.chains import DAMAGED, Chain
from service.audit.findings import Finding, FindingCode
from service.audit.rows import Row
from service.audit.tournament_rows import Sayings, decision_fault, standings_fault
from service.store.append import APPEND_BYTES_MAX


class TournamentChain(Chain[AnyTournamentEvent]):
    """The events of a tournament; `state` is what they add up to so far.

    With `rules` matches and standings are worked out anew wherever they were decided and published.
    """

    body_bytes_max = APPEND_BYTES_MAX

    def __init__(self, stream: str, shards: int, *, rules: bool) -> None:
        super().__init__(stream, shards)
        self.state: Tournament | None = None
        self.sayings = Sayings()
        self._rules = rules

    @property
    def over(self) -> bool:
        """A tournament is no game."""
        return False

    def disagreements(self, beside: Beside, _at: datetime) -> Iterable[Finding]:
        """Where the tournament's state and its row, its master and its boards are not the same.

        The master opens every game on the boards, and it is kept for good.
        """
        assert self.state is not None
        state, row = self.state, beside.tournament

        def found(code: FindingCode, message: str) -> Finding:
            return Finding(code, message, game=self.stream)

        if row is None:
            message = f"There are {self.events} events, and no row of the tournament."
            yield found(FindingCode.GAME_MISSING, message)
        else:
            if row.version != self.events:
                message = f"The row is at version {row.version}, and there are {self.events} events."
                yield found(FindingCode.GAME_VERSION_WRONG, message)
            if row.status != state.status:
                message = f"The status is {row.status!r}, and by the events {state.status!r}."
                yield found(FindingCode.GAME_STATUS_WRONG, message)
            if row.organiser != state.organiser:
                message = f"The organiser is {row.organiser!r}, and by the events {state.organiser!r}."
                yield found(FindingCode.GAME_FACTS_WRONG, message)
        if beside.master is None:
            yield found(FindingCode.MASTER_MISSING, "The master of the tournament's boards and lots is not kept.")
        elif not check_board_commitment(state.commitment, beside.master):
            message = "The master that is kept of the tournament's boards and lots is not the one committed to."
            yield found(FindingCode.MASTER_WRONG, message)
        if state.boards and beside.boards != state.commitment:
            message = "The commitment of the boards is missing, or not the one that the first event publishes."
            yield found(FindingCode.GAME_FACTS_WRONG, message)

    def _read(self, row: Row) -> AnyTournamentEvent:
        n = row.version
        try:
            value = plain_object(row.body + b"\n", n + 1)
            event = decode_stored(row.schema, row.body)
        except SchemaUnknown as unknown:
            raise self._broken(FindingCode.SCHEMA_UNKNOWN, n, str(unknown)) from unknown
        except RecordInvalidError as invalid:
            raise self._broken(FindingCode.BODY_INVALID, n, invalid.fault.message, invalid.fault.code) from invalid
        except msgspec.MsgspecError as error:
            raise self._broken(FindingCode.BODY_INVALID, n, f"This is no event of a tournament: {error}.") from error
        except DAMAGED as error:
            raise self._broken(FindingCode.UNREADABLE, n, f"Reading the body failed: {error!r}.") from error
        if value.keys() & {"prev", "hash"}:
            raise self._broken(FindingCode.BODY_INVALID, n, "The hashes of an event stand beside its body.")
        if event.n != n:
            raise self._broken(FindingCode.NUMBER_WRONG, n, f"The body is that of event {event.n}.")
        return event

    def _fold(self, happened: Sequence[AnyTournamentEvent], _lasts: Sequence[int]) -> None:
        for event in happened:
            try:
                if self._rules and self.state is not None:
                    self._work_out_anew(self.state, event)
                self.state = self._after(event)
                self.sayings.note(self.stream, event)
            except DAMAGED as error:
                message = f"The event does not fit what went before: {error!r}."
                raise self._broken(FindingCode.DOES_NOT_FOLD, event.n, message) from error

    def _work_out_anew(self, before: Tournament, event: AnyTournamentEvent) -> None:
        """Note where an event says something else than follows from those before it."""
        if isinstance(event, StandingsPublished):
            code, why = FindingCode.STANDINGS_WRONG, standings_fault(before, event)
        elif isinstance(event, MatchDecided):
            code, why = FindingCode.RESULT_WRONG, decision_fault(before, event)
        else:
            return
        if why is not None:
            self._note(code, event.n, why)

    def _after(self, event: AnyTournamentEvent) -> Tournament:
        if self.state is not None:
            return fold(self.state, (event,))
        if not isinstance(event, TournamentCreated):
            raise ValueError("a tournament begins with tournament_created")
        return begin(self.stream, event)
