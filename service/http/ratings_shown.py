"""Ratings as they are shown. Their decimals, nine places of them, are numbers here."""

from datetime import datetime

from msgspec import Struct

from domain.ratings.models import value_of
from domain.ratings.shapes import Kind, Rating
from service.ratings.subjects import RatedSubject, RatingChange


class PlackettLuceShown(Struct, frozen=True, kw_only=True, tag_field="model", tag="plackett_luce"):
    """`value` is mu - 3 sigma, by which leaderboards are ordered."""

    value: float
    mu: float
    sigma: float


class GlickoShown(Struct, frozen=True, kw_only=True, tag_field="model", tag="glicko_2"):
    """`value` is the rating less two deviations, by which leaderboards are ordered."""

    value: float
    rating: float
    deviation: float
    volatility: float


RatingShown = PlackettLuceShown | GlickoShown


class RatedPlayer(Struct, frozen=True):
    """A player who is rated, alone or with a partner."""

    id: str
    name: str | None


class RatedShown(Struct, frozen=True, kw_only=True):
    """A person, or partners rated as one, after so many results.

    A rating is `provisional` at first. `with_fixed_partner_only` says of a person that all results were with the same
    partner: then it rates the two, and is nobody's own.
    """

    pool: str
    subject: str
    kind: Kind
    players: tuple[RatedPlayer, ...]
    rating: RatingShown
    results: int
    provisional: bool
    with_fixed_partner_only: bool
    last_result_at: datetime


class EntryShown(Struct, frozen=True, kw_only=True):
    """Equal values share a `rank`; `place` counts on."""

    rank: int
    place: int
    rated: RatedShown


class Leaderboard(Struct, frozen=True, kw_only=True):
    """A page of the leaderboard as it was after the result `as_of`; `next` is the cursor of the following one."""

    pool: str
    kind: Kind
    as_of: int
    entries: tuple[EntryShown, ...]
    next: str | None


class PoolShown(Struct, frozen=True, kw_only=True):
    """A pool: its model with its parameters, the rating of a newcomer, and those of the bots, which never change."""

    id: str
    family: str
    seats: int
    humans_only: bool
    results: int
    model: str
    version: str
    parameters: dict[str, str]
    newcomer: RatingShown
    bots: dict[str, RatingShown]


class PoolList(Struct, frozen=True, kw_only=True):
    """All pools that there can be."""

    pools: tuple[PoolShown, ...]


class PlayerRatings(Struct, frozen=True, kw_only=True):
    """What a player is rated, alone and with partners; `next` is the cursor of the following partnerships."""

    player: str
    name: str | None
    ratings: tuple[RatedShown, ...]
    partnerships: tuple[RatedShown, ...]
    next: str | None


class ChangeShown(Struct, frozen=True, kw_only=True):
    """What a result did: the rank of the side among `of_sides`, and the rating before and after it.

    `sequence` is the result's number in the pool. Of `game`, or `tournament` and `match`, whichever it was is named.
    """

    sequence: int
    at: datetime
    game: str | None
    tournament: str | None
    match: str | None
    rank: int
    of_sides: int
    before: RatingShown
    after: RatingShown
    results: int


class ChangePage(Struct, frozen=True, kw_only=True):
    """Changes of a rating, the last one first; `next` is the `before` of the following page, null at the end."""

    rated: RatedShown
    changes: tuple[ChangeShown, ...]
    next: int | None


def show_rating(rating: Rating) -> RatingShown:
    """A rating by either model."""
    if rating.volatility is None:
        return PlackettLuceShown(
            value=float(value_of(rating)), mu=float(rating.estimate), sigma=float(rating.deviation)
        )
    return GlickoShown(
        value=float(value_of(rating)),
        rating=float(rating.estimate),
        deviation=float(rating.deviation),
        volatility=float(rating.volatility),
    )


def show_rated(rated: RatedSubject, names: dict[str, str]) -> RatedShown:
    """A subject with the names of its players."""
    return RatedShown(
        pool=rated.pool,
        subject=rated.subject,
        kind=rated.kind,
        players=tuple(RatedPlayer(player, names.get(player)) for player in rated.players),
        rating=show_rating(rated.rating),
        results=rated.results,
        provisional=rated.provisional,
        with_fixed_partner_only=rated.with_fixed_partner_only,
        last_result_at=rated.at,
    )


def show_change(change: RatingChange, *, own: bool) -> ChangeShown:
    """A change; what is not public is named to those alone whose `own` it is."""
    kind, _, name = change.key.partition("/") if own or change.public else ("", "", "")
    tournament, _, match = name.partition("/") if kind == "match" else ("", "", "")
    return ChangeShown(
        sequence=change.sequence,
        at=change.after.at,
        game=name if kind == "game" else None,
        tournament=tournament or None,
        match=match or None,
        rank=change.rank,
        of_sides=change.of_sides,
        before=show_rating(change.before),
        after=show_rating(change.after.rating),
        results=change.after.results,
    )
