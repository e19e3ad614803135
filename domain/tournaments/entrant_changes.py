"""What becomes of entrants: the difference between two states of a tournament."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from domain.tournaments.seating import Bye
from domain.tournaments.state import EntrantStatus, Tournament

_TOLD: Final = ("status", "seed", "players", "checked_in", "byes_asked")


class EntrantChanged(Struct, frozen=True, kw_only=True):
    """An entrant's status, seed, line-up, whether it is checked in, and its byes beforehand, by round; `old` is null
    for one that is new."""

    entrant: str
    old: EntrantStatus | None
    new: EntrantStatus
    seed_old: int | None
    seed_new: int | None
    players_old: tuple[str, ...]
    players_new: tuple[str, ...]
    checked_in_old: bool
    checked_in_new: bool
    byes_asked_old: dict[int, Bye]
    byes_asked_new: dict[int, Bye]


def entrants_changed(before: Tournament, after: Tournament) -> Iterator[EntrantChanged]:
    """Every entrant that is new, or of whom any of this differs."""
    for key, new in after.entrants.items():
        old = before.entrants.get(key)
        if old is None or any(getattr(old, each) != getattr(new, each) for each in _TOLD):
            yield EntrantChanged(
                entrant=key,
                old=None if old is None else old.status,
                new=new.status,
                seed_old=None if old is None else old.seed,
                seed_new=new.seed,
                players_old=() if old is None else old.players,
                players_new=new.players,
                checked_in_old=old is not None and old.checked_in,
                checked_in_new=new.checked_in,
                byes_asked_old={} if old is None else old.byes_asked,
                byes_asked_new=new.byes_asked,
            )
