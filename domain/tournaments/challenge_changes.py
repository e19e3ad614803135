"""What becomes of the challenges of a ladder: the difference between two states of a tournament."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from domain.tournaments.state import Tournament

Standing = Literal["asked", "accepted"]


class ChallengeChanged(Struct, frozen=True, kw_only=True):
    """A challenge that waits to be answered (`asked`), or to be paired (`accepted`); null where there is none."""

    challenger: str
    challenged: str
    old: Standing | None
    new: Standing | None


def challenges_changed(before: Tournament, after: Tournament) -> Iterator[ChallengeChanged]:
    """Every challenge that is new, answered, paired, or none any more."""
    old, new = _standing(before), _standing(after)
    for each in dict.fromkeys((*old, *new)):
        if old.get(each) != new.get(each):
            challenger, challenged = each
            yield ChallengeChanged(challenger=challenger, challenged=challenged, old=old.get(each), new=new.get(each))


def _standing(state: Tournament) -> dict[tuple[str, str], Standing]:
    found: dict[tuple[str, str], Standing] = dict.fromkeys(state.challenges.items(), "asked")
    return found | dict.fromkeys(state.accepted.items(), "accepted")
