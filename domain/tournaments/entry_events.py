"""Events about entrants: who is in, who left, who stands where, whom they may not meet."""

from typing import Literal

from msgspec import UNSET, UnsetType

from domain.tournaments.event import Text, TournamentEvent
from domain.tournaments.seating import Bye

SeedMethod = Literal["rating", "director", "drawn", "entry"]


class Entered(TournamentEvent, frozen=True, kw_only=True, tag="entered"):
    """Somebody entered. `players` in the order of the line-up, with the level of a bot or null beside each.

    `consents` are the persons who agreed to be seated; `status` is `waiting` on the waiting list. `avoid` are codes of
    clubs or households: who has one in common should not meet early. `rating` orders the seeds (hundredths).
    """

    entrant: str
    players: tuple[str, ...]
    bots: tuple[str | None, ...]
    consents: tuple[str, ...]
    status: Literal["entered", "waiting"]
    name: Text | None = None
    avoid: tuple[str, ...] = ()
    rating: int | None = None
    late_round: int | None = None
    """The first round that a late entrant plays in."""


class Consented(TournamentEvent, frozen=True, kw_only=True, tag="consented"):
    """A person whom somebody else had entered agreed to be seated."""

    entrant: str
    player: str


class Admitted(TournamentEvent, frozen=True, kw_only=True, tag="admitted"):
    """From the waiting list; after the start as a late entrant who plays from `late_round` on."""

    entrant: str
    late_round: int | None = None


class CheckedIn(TournamentEvent, frozen=True, kw_only=True, tag="checked_in"):
    entrant: str


class Withdrawn(TournamentEvent, frozen=True, kw_only=True, tag="withdrawn"):
    """Plays no more from here on; what was played stays. `disqualified`: the director's doing, for good."""

    entrant: str
    disqualified: bool = False
    note: Text | None = None


class Returned(TournamentEvent, frozen=True, kw_only=True, tag="returned"):
    """Plays again from here on, or waits again for a place."""

    entrant: str
    status: Literal["entered", "waiting"] = "entered"


class ByeAsked(TournamentEvent, frozen=True, kw_only=True, tag="bye_asked"):
    """Will not play in these rounds; `bye` is what they count as, null where they are played after all."""

    entrant: str
    rounds: tuple[int, ...]
    bye: Bye | None


class Seeded(TournamentEvent, frozen=True, kw_only=True, tag="seeded"):
    """The order of the seeds, every entrant that plays; `method` says how it came about.

    Seeds that are completed at the start keep their method: who was not seeded then follows by rating.
    """

    order: tuple[str, ...]
    method: SeedMethod


class PairingForbidden(TournamentEvent, frozen=True, kw_only=True, tag="pairing_forbidden"):
    """These two are not to meet; `lifted` takes that back."""

    pair: tuple[str, str]
    lifted: bool = False


class Substituted(TournamentEvent, frozen=True, kw_only=True, tag="substituted"):
    """A new line-up of an entrant. `seats` says who takes whose seat in `matches` that are paired or under way.

    `tables` are those of each match at which seats change; unset, as it once was, at all of them.
    """

    entrant: str
    players: tuple[str, ...]
    bots: tuple[str | None, ...]
    matches: tuple[str, ...] = ()
    seats: dict[str, str] = {}
    tables: dict[str, tuple[int, ...]] | UnsetType = UNSET


class Challenged(TournamentEvent, frozen=True, kw_only=True, tag="challenged"):
    """An entrant of a ladder challenges one above."""

    challenger: str
    challenged: str


class ChallengeAnswered(TournamentEvent, frozen=True, kw_only=True, tag="challenge_answered"):
    """Accepted, a match follows."""

    challenger: str
    challenged: str
    accepted: bool


class ChallengeDropped(TournamentEvent, frozen=True, kw_only=True, tag="challenge_dropped"):
    """A challenge is none any more, and moves nobody: it was `taken_back`, it `lapsed` since nobody answered it in
    time, or one of the two was `paired` with somebody else by hand."""

    challenger: str
    challenged: str
    why: Literal["taken_back", "lapsed", "paired"]
