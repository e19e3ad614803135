"""What a director may do about registration and entrants, one shape an act."""

from typing import Annotated

from msgspec import Meta

from domain.tournaments.act import BotLevel, Club, DirectorsAct, Id, Ids, Name, Note, Rating, RoundNumber
from domain.tournaments.event import Reason
from domain.tournaments.seating import Bye
from domain.tournaments.terms import PLAYERS_OF_ENTRANT_MAX


class OpenRegistration(DirectorsAct, frozen=True, kw_only=True, tag="open_registration"):
    """From now on, whatever the terms say about the time; also anew after closing, before the start."""


class CloseRegistration(DirectorsAct, frozen=True, kw_only=True, tag="close_registration"):
    """Nobody enters any more; late entry by the terms stays."""


class Enter(DirectorsAct, frozen=True, kw_only=True, tag="enter"):
    """Enter somebody: `players` are persons, `bots` the levels of bots that play with them, or alone.

    In the line-up persons come first, unless `bots` has a null for each of them, in its place. Conditions, code and
    window are left aside; persons still have to agree to be seated. `late_round` is the first round of a late entrant,
    without it the next one to be paired. Bots have their ids from the service: what `decide` is given has everybody in
    `players`, and in `bots` a level or null beside each.
    """

    players: Annotated[tuple[Id, ...], Meta(max_length=PLAYERS_OF_ENTRANT_MAX)] = ()
    bots: Annotated[tuple[BotLevel | None, ...], Meta(max_length=PLAYERS_OF_ENTRANT_MAX)] | None = None
    avoid: Annotated[tuple[Club, ...], Meta(max_length=10)] = ()
    rating: Rating | None = None
    name: Name | None = None
    late_round: RoundNumber | None = None


class Admit(DirectorsAct, frozen=True, kw_only=True, tag="admit"):
    """From the waiting list, whatever its order and the capacity."""

    entrant: Id


class CheckIn(DirectorsAct, frozen=True, kw_only=True, tag="check_in"):
    """These are there."""

    entrants: Ids


class Withdraw(DirectorsAct, frozen=True, kw_only=True, tag="withdraw"):
    """Plays no more from here on. An open match of a round under way is left to `forfeit` or `rule`."""

    entrant: Id
    note: Note | None = None


class Disqualify(DirectorsAct, frozen=True, kw_only=True, tag="disqualify"):
    """Out for good: what was played stays, an open match is forfeited."""

    entrant: Id
    reason: Reason
    note: Note | None = None


class Return(DirectorsAct, frozen=True, kw_only=True, tag="return"):
    """Plays again from the next round on. Only a director takes a disqualification back."""

    entrant: Id


class GiveBye(DirectorsAct, frozen=True, kw_only=True, tag="give_bye"):
    """Sits out these rounds, which count as `bye`; only rounds that are not paired yet. Null takes byes back that were
    asked for or given: these rounds are played after all."""

    entrant: Id
    rounds: Annotated[tuple[RoundNumber, ...], Meta(min_length=1, max_length=200)]
    bye: Bye | None


class AnswerChallenge(DirectorsAct, frozen=True, kw_only=True, tag="answer_challenge"):
    """On a ladder: the challenge of `challenger` is taken up, or declined, for whoever was challenged."""

    challenger: Id
    accepted: bool


class TakeBackChallenge(DirectorsAct, frozen=True, kw_only=True, tag="take_back_challenge"):
    """On a ladder: no challenge of `challenger` any more, also where it was taken up and is not paired yet."""

    challenger: Id


class Substitute(DirectorsAct, frozen=True, kw_only=True, tag="substitute"):
    """`outgoing` leaves the line-up for `incoming`, or for a bot of the level `bot`, in open matches at once.

    A person who comes in takes the seat as soon as they agree. A bot has its id from the service: what `decide` is
    given has both.
    """

    entrant: Id
    outgoing: Id
    incoming: Id | None = None
    bot: BotLevel | None = None
