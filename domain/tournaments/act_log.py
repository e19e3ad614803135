"""What persons did in a tournament, in a sentence an event: the log of the director's acts and of the entrants' own."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from domain.tournaments import entry_events, events, round_events
from domain.tournaments.draws import LOTS, SEEDS
from domain.tournaments.event import Reason, Text
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.numbering import SERVICE

MATCHES_TOLD: Final = 4
"""Most matches of a pairing that are told one by one; the round itself has all of them."""

ENTRANTS_TOLD: Final = 5
"""Most entrants of an order that are told one by one, and of a longer one the first."""

_PURPOSES: Final = {LOTS: "what nothing else decides", SEEDS: "the seeds"}
_METHODS: Final = {"rating": "by rating", "director": "set by hand", "drawn": "drawn by lot", "entry": "by entry"}
_DROPPED: Final = {"taken_back": "is taken back", "lapsed": "lapses", "paired": "is none any more"}


class LoggedAct(Struct, frozen=True, kw_only=True):
    """One event that somebody brought about. `told` names entrants, matches and players by id; `text` is a note or an
    announcement kept beside the log."""

    n: int
    at: str
    by: str
    token: str | None
    event: str
    told: str
    reason: Reason | None = None
    text: Text | None = None


def act_log(happened: Iterable[AnyTournamentEvent]) -> tuple[LoggedAct, ...]:
    """The acts among the events, in order: everything that did not happen of itself."""
    return tuple(
        LoggedAct(
            n=event.n,
            at=event.at,
            by=event.by,
            token=event.token,
            event=str(event.__struct_config__.tag),
            told=tell(event),
            reason=event.reason,
            text=getattr(event, "note", None) or getattr(event, "text", None),
        )
        for event in happened
        if event.by != SERVICE
    )


def tell(event: AnyTournamentEvent) -> str:
    """An event as a sentence without its full stop."""
    return _TELLERS[type(event)](event)


def _entered(event: entry_events.Entered) -> str:
    where = "is put on the waiting list" if event.status == "waiting" else "is entered"
    return f"{event.entrant} {where}{_from_round(event.late_round)}: {_line_up(event.players, event.bots)}"


def _admitted(event: entry_events.Admitted) -> str:
    return f"{event.entrant} is admitted from the waiting list{_from_round(event.late_round)}"


def _from_round(number: int | None) -> str:
    return "" if number is None else f", to play from round {number} on"


def _line_up(players: tuple[str, ...], bots: tuple[str | None, ...]) -> str:
    pairs = zip(players, bots, strict=True)
    return ", ".join(player if bot is None else f"a bot ({bot})" for player, bot in pairs)


def _some(entrants: Sequence[str]) -> str:
    """An order, of a long one only its beginning."""
    if len(entrants) <= ENTRANTS_TOLD:
        return ", ".join(entrants)
    return f"{', '.join(entrants[:ENTRANTS_TOLD])} and {len(entrants) - ENTRANTS_TOLD} more"


def _lots(event: events.LotsDrawn) -> str:
    kind, _, number = event.purpose.partition("/")
    if kind == "cut":
        return f"Lots are drawn for a rank shared at the cut into stage {int(number) + 1}"
    again = ", anew since registration was open again" if number else ""
    return f"Lots are drawn for {_PURPOSES.get(kind, _words(kind))}{again}"


def _withdrawn(event: entry_events.Withdrawn) -> str:
    return f"{event.entrant} is disqualified" if event.disqualified else f"{event.entrant} withdraws"


def _bye_asked(event: entry_events.ByeAsked) -> str:
    rounds = ", ".join(map(str, event.rounds))
    if event.bye is None:
        return f"{event.entrant} plays in round {rounds} after all"
    return f"{event.entrant} sits out round {rounds}: {_words(event.bye)}"


def _forbidden(event: entry_events.PairingForbidden) -> str:
    one, other = event.pair
    return f"{one} and {other} may meet" if event.lifted else f"{one} and {other} are not to meet"


def _substituted(event: entry_events.Substituted) -> str:
    seats = ", ".join(f"{new} takes the seat of {old}" for old, new in event.seats.items())
    return f"{event.entrant} plays as {_line_up(event.players, event.bots)}" + (f"; {seats}" if seats else "")


def _answered(event: entry_events.ChallengeAnswered) -> str:
    return f"{event.challenged} {'accepts' if event.accepted else 'declines'} the challenge of {event.challenger}"


def _dropped(event: entry_events.ChallengeDropped) -> str:
    return f"The challenge of {event.challenger} to {event.challenged} {_DROPPED[event.why]}"


def _round_paired(event: round_events.RoundPaired) -> str:
    if len(event.matches) + len(event.byes) <= MATCHES_TOLD:
        told = [" v ".join("+".join(side) for side in match.sides) for match in event.matches]
        told += [f"{entrant} {_words(bye)}" for entrant, bye in event.byes.items()]
        return f"Round {event.round} is paired ({event.engine}): {'; '.join(told)}"
    sums = [_count(len(event.matches), "match", "matches")]
    sums += [_count(many, _words(bye), f"{_words(bye)}s") for bye, many in Counter(event.byes.values()).items()]
    return f"Round {event.round} is paired ({event.engine}): {', '.join(sums)}"


def _count(many: int, one: str, several: str) -> str:
    return f"{many} {one if many == 1 else several}"


def _clock_changed(event: round_events.ClockChanged) -> str:
    return f"{_of_round(event.round, event.matches)} ends at {event.due_at}"


def _of_round(number: int, matches: tuple[str, ...]) -> str:
    return f"Round {number}" if not matches else f"Round {number}, {', '.join(matches)}:"


def _time_called(event: round_events.TimeCalled) -> str:
    matches = f" for {', '.join(event.matches)}" if event.matches else ""
    return f"Time is called in round {event.round}{matches}"


def _result(event: round_events.ResultRecorded) -> str:
    result = event.result
    points = " : ".join(map(str, result.points))
    return f"{result.match}, table {result.table}, game {result.leg}: {points} ({_words(result.reason)})"


def _decided(event: round_events.MatchDecided) -> str:
    return f"{event.match} is decided{_worth(event.points, event.score)}"


def _worth(points: tuple[int, ...], score: tuple[int, ...] | None) -> str:
    told = f": {' : '.join(map(str, points))}"
    return told if score is None else f"{told}, scored {' : '.join(map(hundredths, score))}"


def hundredths(score: int) -> str:
    """A score as people read it."""
    whole, part = divmod(abs(score), 100)
    return f"{'-' if score < 0 else ''}{whole}.{part:02d}"


def _ruling(event: round_events.RulingIssued) -> str:
    if event.adjustment is None:
        return f"{event.match}: the ruling is taken back"
    adjustment = event.adjustment
    again = f", in the place of ruling {event.supersedes}" if event.supersedes is not None else ""
    match adjustment.kind:
        case "forfeit":
            absent = ", ".join(str(side + 1) for side, each in enumerate(adjustment.forfeit) if each)
            return f"{event.match}: side {absent} forfeits{_scored(event.score)}{again}"
        case "average":
            boards = ", ".join(map(str, adjustment.boards))
            on = f" on board{'s' if len(adjustment.boards) > 1 else ''} {boards}" if boards else ""
            return f"{event.match}: averages {', '.join(adjustment.average)}{on}{_scored(event.score)}{again}"
        case "void":
            return f"{event.match} counts for nobody{again}"
        case _:
            return f"{event.match} is ruled{_worth(event.points, event.score)}{again}"


def _scored(score: tuple[int, ...] | None) -> str:
    return "" if score is None else f", scored {' : '.join(map(hundredths, score))}"


def _penalty(event: round_events.PenaltyGiven) -> str:
    if event.lifts is not None:
        return f"{event.entrant}: penalty {event.lifts} is lifted"
    round_told = f" in round {event.round}" if event.round is not None else ""
    lost = f"loses {hundredths(event.score)}" if event.score > 0 else f"gets {hundredths(-event.score)}"
    return f"{event.entrant} {lost}{round_told}"


def _words(code: str) -> str:
    return code.replace("_", " ")


_TELLERS: Final[dict[type, Callable[[Any], str]]] = {
    events.TournamentCreated: lambda _event: "The tournament is announced",
    events.TermsChanged: lambda _event: "The terms are changed",
    events.Retitled: lambda _event: "The title is changed",
    events.RegistrationOpened: lambda _event: "Registration opens",
    events.RegistrationClosed: lambda _event: "Registration closes",
    entry_events.Entered: _entered,
    entry_events.Consented: lambda event: f"{event.player} agrees to be seated for {event.entrant}",
    entry_events.Admitted: _admitted,
    entry_events.CheckedIn: lambda event: f"{event.entrant} is there",
    entry_events.Withdrawn: _withdrawn,
    entry_events.Returned: lambda event: f"{event.entrant} plays again",
    entry_events.ByeAsked: _bye_asked,
    entry_events.Seeded: lambda event: f"Seeds {_METHODS[event.method]}: {_some(event.order)}",
    events.LotsDrawn: _lots,
    entry_events.PairingForbidden: _forbidden,
    events.HandedOver: lambda event: f"{event.organiser} is the organiser from now on",
    events.BeaconFixed: lambda _event: "The boards depend on a round of the beacon to come",
    events.BeaconShown: lambda _event: "The beacon's round is out",
    events.BoardsCommitted: lambda event: f"{event.boards} boards are committed to",
    events.TournamentStarted: lambda _event: "The tournament starts",
    round_events.StageBegun: lambda event: f"Stage {event.stage + 1} begins with {len(event.entrants)} entrants",
    round_events.CarriedChanged: lambda event: f"What is carried into stage {event.stage + 1} is corrected",
    round_events.StageUndone: lambda event: f"The beginning of stage {event.stage + 1} is taken back",
    round_events.StageShortened: lambda event: f"Stage {event.stage + 1} ends after {event.rounds} of its rounds",
    round_events.RoundPaired: _round_paired,
    round_events.PairingUndone: lambda event: f"The pairing of round {event.round} is taken back",
    round_events.RoundStarted: lambda event: f"Round {event.round} starts",
    round_events.ClockChanged: _clock_changed,
    round_events.TimeCalled: _time_called,
    round_events.NoShowNoted: lambda event: f"{event.entrant} did not come to {event.match}",
    entry_events.Substituted: _substituted,
    round_events.GameFinished: lambda event: f"{event.match}, table {event.table}, game {event.leg} has ended",
    round_events.ResultRecorded: _result,
    round_events.MatchDecided: _decided,
    round_events.RulingIssued: _ruling,
    round_events.PenaltyGiven: _penalty,
    round_events.RoundClosed: lambda event: f"Round {event.round} is closed",
    round_events.StandingsPublished: lambda event: f"Standings after round {event.round} are published",
    round_events.RungsMoved: lambda event: f"The ladder, from the top: {_some(event.order)}",
    entry_events.Challenged: lambda event: f"{event.challenger} challenges {event.challenged}",
    entry_events.ChallengeAnswered: _answered,
    entry_events.ChallengeDropped: _dropped,
    events.Announced: lambda _event: "An announcement is made",
    events.BoardsRevealed: lambda _event: "The boards are shown",
    events.TournamentFinished: lambda event: f"The tournament is finished: {_some(event.order)}",
    events.TournamentReopened: lambda _event: "The tournament is reopened",
    events.TournamentCancelled: lambda _event: "The tournament is cancelled",
}
