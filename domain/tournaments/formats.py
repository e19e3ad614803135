"""The formats of a stage: who meets whom, and for how many rounds (background: the field's usual movements)."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

ROUNDS_MAX = 200
"""Most rounds of one stage."""

ANSWER_MINUTES_MAX = 576_000
"""Longest time to answer a challenge: the 400 days that a ladder may last."""

Rounds = Annotated[int, Meta(ge=1, le=ROUNDS_MAX)]
Relaxation = Literal["avoided", "forbidden", "recent_rematch", "any_rematch"]
"""What a pairing may give up where there is no other, in this order unless told otherwise."""


class Swiss(Struct, frozen=True, tag_field="kind", tag="swiss", forbid_unknown_fields=True, kw_only=True):
    """Who stands alike meets, nobody twice.

    `method`: `victory_points` is a minimum-cost perfect matching; the two of FIDE go by win, draw and loss.
    `first_round`: by seed, the upper half against the lower one, or drawn by lot.
    """

    rounds: Rounds
    method: Literal["victory_points", "fide_dutch", "fide_team"] = "victory_points"
    first_round: Literal["seeded", "drawn"] = "seeded"
    relaxations: tuple[Relaxation, ...] = ("avoided", "recent_rematch", "any_rematch")
    rematch_after: Annotated[int, Meta(ge=1, le=ROUNDS_MAX)] = 3
    """With `recent_rematch`: those who met so many rounds ago or longer may meet again."""


class Danish(Struct, frozen=True, tag_field="kind", tag="danish", forbid_unknown_fields=True, kw_only=True):
    """First against second, third against fourth; `rematches` says which are allowed."""

    rounds: Rounds
    rematches: Literal["all", "not_of_last_round", "none"] = "not_of_last_round"
    first_round: Literal["seeded", "drawn"] = "seeded"


class RoundRobin(Struct, frozen=True, tag_field="kind", tag="round_robin", forbid_unknown_fields=True, kw_only=True):
    """All play all, once or twice with the sides reversed."""

    cycles: Literal[1, 2] = 1


class Mitchell(Struct, frozen=True, tag_field="kind", tag="mitchell", forbid_unknown_fields=True, kw_only=True):
    """North-South stay, East-West move up one table; with an even number of tables they skip one half way.

    Without `rounds` as many as there can be. Two winners, unless `arrow_switched_rounds` at the end turn the sides.
    """

    rounds: Rounds | None = None
    arrow_switched_rounds: Annotated[int, Meta(ge=0, le=ROUNDS_MAX)] = 0


class Howell(Struct, frozen=True, tag_field="kind", tag="howell", forbid_unknown_fields=True, kw_only=True):
    """All play all, every table the same boards at one time, sides as well balanced as can be. One winner."""

    rounds: Rounds | None = None


class Individual(Struct, frozen=True, tag_field="kind", tag="individual", forbid_unknown_fields=True, kw_only=True):
    """Partners change every round: a whist movement, or by standing (`swiss`)."""

    rounds: Rounds | None = None
    movement: Literal["whist", "swiss"] = "whist"


class Elimination(Struct, frozen=True, tag_field="kind", tag="elimination", forbid_unknown_fields=True, kw_only=True):
    """Who loses leaves, or with `double` loses twice. `tie` says how a drawn match is decided."""

    double: bool = False
    third_place: bool = False
    tie: Literal["extra_hand", "higher_seed"] = "higher_seed"


class Arena(Struct, frozen=True, tag_field="kind", tag="arena", forbid_unknown_fields=True, kw_only=True):
    """Whoever is free is paired anew, until the time is over; only matches begun before the end count."""

    minutes: Annotated[int, Meta(ge=1, le=1440)]
    pairing_seconds: Annotated[int, Meta(ge=1, le=600)] = 10


class Ladder(Struct, frozen=True, tag_field="kind", tag="ladder", forbid_unknown_fields=True, kw_only=True):
    """Entrants challenge those up to `reach` rungs above; a winner from below moves up half of the way.

    A challenge that nobody has answered for `answer_minutes` lapses, and moves nobody; without them it stands.
    """

    days: Annotated[int, Meta(ge=1, le=400)]
    reach: Annotated[int, Meta(ge=1, le=1000)] = 10
    answer_minutes: Annotated[int, Meta(ge=1, le=ANSWER_MINUTES_MAX)] | UnsetType | None = UNSET
    """Unset in ladders that were announced before there was such a limit, and where it is left out."""


Format = Swiss | Danish | RoundRobin | Mitchell | Howell | Individual | Elimination | Arena | Ladder
