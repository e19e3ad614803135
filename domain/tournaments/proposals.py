"""What a format proposes for a round, before it is believed, seated and written down."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from msgspec import Struct

from domain.canonical import canonical
from domain.pairing.shapes import NoPairing, Sides
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.seating import Bye


class ProposedMatch(Struct, frozen=True):
    """The sides of a match, the first North-South, its place in a bracket, its set of boards where sets go round."""

    sides: Sides
    bracket: str | None = None
    boards: int | None = None


class Proposal(Struct, frozen=True, kw_only=True):
    """Matches by table. `given` is what the engine (name and version) was given, as plain JSON values."""

    matches: tuple[ProposedMatch, ...]
    byes: Mapping[str, Bye]
    engine: str
    given: Any
    relaxations: tuple[str, ...] = ()
    explanation: tuple[str, ...] = ()
    """What the engine says of how it came about, a sentence or two a line."""
    rematches: bool = False
    """Whether entrants may meet again without more ado: schedules and brackets know themselves whom they pair."""

    @property
    def digest(self) -> str:
        """SHA-256 (hex) of the canonical JSON of what was given."""
        return sha256(canonical(self.given)).hexdigest()


def check_proposal(proposal: Proposal, there: Iterable[str], met: Iterable[frozenset[str]]) -> None:
    """A proposal is believed when everybody who is there is in it once, and nobody else; and who met, meets not again
    without a relaxation that says so.

    Raises `TournamentRefused`: `no_pairing`.
    """
    seated = [entrant for match in proposal.matches for side in match.sides for entrant in side]
    named = [*seated, *proposal.byes]
    expected = set(there)
    if len(set(named)) != len(named) or not set(named) <= expected:
        raise _unsound("Everybody once, and nobody who is not there.", sorted(set(named) ^ expected))
    if len(named) != len(expected):
        raise _unsound("Everybody is in a match or has a bye.", sorted(expected - set(named)))
    if proposal.rematches:
        return
    before = set(met)
    relaxed = {frozenset(each.split(":", 1)[1].split("+")) for each in proposal.relaxations if ":" in each}
    for match in proposal.matches:
        if len(match.sides) == 2:
            pair = frozenset(match.sides[0] + match.sides[1])
            if pair in before and pair not in relaxed:
                raise _unsound("Nobody meets again unless a relaxation says so.", sorted(pair))


def no_pairing(error: NoPairing) -> TournamentRefused:
    """The refusal of a round that cannot be paired."""
    told = error.params | {"why": str(error.code), "entrants": list(error.entrants), "told": str(error)}
    return TournamentRefused(TournamentCode.NO_PAIRING, **told)


def _unsound(needed: str, entrants: list[str]) -> TournamentRefused:
    return TournamentRefused(TournamentCode.NO_PAIRING, why="engine_unsound", needed=needed, entrants=entrants)
