"""What persons did in a tournament, in a sentence an event: the log of the director's acts and of the entrants' own."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import Struct

from domain.tournaments import entry_events, events, round_events
from domain.tournaments.event import Reason, Text
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.numbering import SERVICE


class LoggedAct(Struct, frozen=True, kw_only=True):
    """One event that somebody brought about. `told` names entrants and players by id; `text` is a note or an
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
    where = "waits" if event.status == "waiting" else "is entered"
    late = f", to play from round {event.late_round} on" if event.late_round is not None else ""
    return f"{event.entrant} ({_line_up(event.players, event.bots)}) {where}{late}"


def _line_up(players: tuple[str, ...], bots: tuple[str | None, ...]) -> str:
    pairs = zip(players, bots, strict=True)
    return ", ".join(player if bot is None else f"{player}, a bot ({bot})" for player, bot in pairs)


def _withdrawn(event: entry_events.Withdrawn) -> str:
    return f"{event.entrant} is disqualified" if event.disqualified else f"{event.entrant} withdraws"


def _bye_asked(event: entry_events.ByeAsked) -> str:
    rounds = ", ".join(map(str, event.rounds))
    return f"{event.entrant} sits out round {rounds}: {_words(event.bye)}"


def _forbidden(event: entry_events.PairingForbidden) -> str:
    one, other = event.pair
    return f"{one} and {other} may meet" if event.lifted else f"{one} and {other} are not to meet"


def _substituted(event: entry_events.Substituted) -> str:
    seats = ", ".join(f"{new} takes the seat of {old}" for old, new in event.seats.items())
    return f"{event.entrant} plays as {_line_up(event.players, event.bots)}" + (f"; {seats}" if seats else "")


def _answered(event: entry_events.ChallengeAnswered) -> str:
    return f"{event.challenged} {'accepts' if event.accepted else 'declines'} the challenge of {event.challenger}"


def _round_paired(event: round_events.RoundPaired) -> str:
    matches = "; ".join(" v ".join("+".join(side) for side in match.sides) for match in event.matches)
    byes = "; ".join(f"{entrant} {_words(bye)}" for entrant, bye in event.byes.items())
    return f"Round {event.round} is paired ({event.engine}): {matches}" + (f"; {byes}" if byes else "")


def _clock_changed(event: round_events.ClockChanged) -> str:
    return f"{_of_round(event.round, event.matches)} ends at {event.due_at}"


def _of_round(number: int, matches: tuple[str, ...]) -> str:
    return f"Round {number}" if not matches else f"Round {number}, {', '.join(matches)}:"


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
            return f"{event.match}: averages {', '.join(adjustment.average)}{_scored(event.score)}{again}"
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
    entry_events.Admitted: lambda event: f"{event.entrant} is admitted from the waiting list",
    entry_events.CheckedIn: lambda event: f"{event.entrant} is there",
    entry_events.Withdrawn: _withdrawn,
    entry_events.Returned: lambda event: f"{event.entrant} plays again",
    entry_events.ByeAsked: _bye_asked,
    entry_events.Seeded: lambda event: f"Seeds by {event.method}: {', '.join(event.order)}",
    events.LotsDrawn: lambda event: f"Lots are drawn for {event.purpose}",
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
    round_events.TimeCalled: lambda event: f"{_of_round(event.round, event.matches)} time is called",
    round_events.NoShowNoted: lambda event: f"{event.entrant} did not come to {event.match}",
    entry_events.Substituted: _substituted,
    round_events.GameFinished: lambda event: f"{event.match}, table {event.table}, game {event.leg} has ended",
    round_events.ResultRecorded: _result,
    round_events.MatchDecided: _decided,
    round_events.RulingIssued: _ruling,
    round_events.PenaltyGiven: _penalty,
    round_events.RoundClosed: lambda event: f"Round {event.round} is closed",
    round_events.StandingsPublished: lambda event: f"Standings after round {event.round} are published",
    round_events.RungsMoved: lambda event: f"The ladder, from the top: {', '.join(event.order)}",
    entry_events.Challenged: lambda event: f"{event.challenger} challenges {event.challenged}",
    entry_events.ChallengeAnswered: _answered,
    events.Announced: lambda _event: "An announcement is made",
    events.BoardsRevealed: lambda _event: "The boards are shown",
    events.TournamentFinished: lambda event: f"The tournament is finished: {', '.join(event.order)}",
    events.TournamentReopened: lambda _event: "The tournament is reopened",
    events.TournamentCancelled: lambda _event: "The tournament is cancelled",
}
