"""What is noted and moves nobody yet: who is not to meet, who is missing, whose time is called, what games came to."""

from collections.abc import Iterator

from msgspec import Struct

from domain.tournaments.state import Tournament


class ForbiddenChanged(Struct, frozen=True, kw_only=True):
    """Whether two entrants, in the order of entering, are kept apart."""

    pair: tuple[str, str]
    old: bool
    new: bool


class MissingChanged(Struct, frozen=True, kw_only=True):
    """The entrants who are noted as missing from a match."""

    match: str
    old: tuple[str, ...]
    new: tuple[str, ...]


class TimeCalledChanged(Struct, frozen=True, kw_only=True):
    """Whether time is called in a round, and with `match` in one of its matches."""

    round: int
    match: str | None
    old: bool
    new: bool


def forbidden_changed(before: Tournament, after: Tournament) -> Iterator[ForbiddenChanged]:
    """Every pair that is forbidden now, or allowed again."""
    for pair in sorted(_by_entering(after, each) for each in before.forbidden ^ after.forbidden):
        kept_apart = frozenset(pair) in after.forbidden
        yield ForbiddenChanged(pair=pair, old=not kept_apart, new=kept_apart)


def missing_changed(before: Tournament, after: Tournament) -> Iterator[MissingChanged]:
    """Every match that somebody is missing from, or has come to after all."""
    for key, match in after.matches.items():
        known = before.matches.get(key)
        old = () if known is None else known.missing
        if old != match.missing:
            yield MissingChanged(match=key, old=old, new=match.missing)


def time_called_changed(before: Tournament, after: Tournament) -> Iterator[TimeCalledChanged]:
    """Every round whose time is called now or not any more; then every match."""
    for number, each in after.rounds.items():
        known = before.rounds.get(number)
        old = known is not None and known.time_called
        if old != each.time_called:
            yield TimeCalledChanged(round=number, match=None, old=old, new=each.time_called)
    for key, match in after.matches.items():
        before_it = before.matches.get(key)
        old = before_it is not None and before_it.time_called
        if old != match.time_called:
            yield TimeCalledChanged(round=match.round, match=key, old=old, new=match.time_called)


def _by_entering(state: Tournament, pair: frozenset[str]) -> tuple[str, str]:
    one, other = sorted(pair, key=lambda each: state.entrants[each].place)
    return one, other
