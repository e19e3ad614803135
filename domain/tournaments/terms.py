"""The terms of a tournament: everything that is settled before it starts, resolved and stored in its first event.

Times are RFC 3339 in UTC; the zone by name is kept for calendars and for whoever reads times of day.
"""

from typing import Annotated, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.rulesets import RuleSet
from domain.tournaments.formats import Format
from domain.tournaments.matches import BOARD_SCORES, MatchTerms, Score, Unplayed, VictoryPoints, WinDrawLoss

ENTRANTS_MAX: Final = 5000
"""Most entrants of one tournament, whatever its own capacity."""

STAGES_MAX: Final = 8
PLAYERS_OF_ENTRANT_MAX: Final = 12

Time = Annotated[str, Meta(max_length=32)]
"""RFC 3339 in UTC, as events have it."""

TieBreak = Literal[
    "direct_encounter", "opponents_vp_cut_1", "opponents_vp", "buchholz", "buchholz_cut_1", "median_buchholz",
    "sonneborn_berger", "progressive", "koya", "wins", "opponents_match_win", "margin", "lot",
]  # fmt: skip
DEFAULT_VP: Final[tuple[TieBreak, ...]] = ("direct_encounter", "opponents_vp_cut_1", "margin", "wins", "lot")
DEFAULT_WDL: Final[tuple[TieBreak, ...]] = (
    "direct_encounter", "buchholz_cut_1", "buchholz", "sonneborn_berger", "margin", "lot",
)  # fmt: skip
DEFAULT_BOARDS: Final[tuple[TieBreak, ...]] = ("direct_encounter", "margin", "wins", "lot")
"""Where boards are compared with all tables: whom one met at one's own says little."""


def usual_tie_breaks(score: Score) -> tuple[TieBreak, ...]:
    """Those of a stage that declares none (background b.10)."""
    if isinstance(score, BOARD_SCORES):
        return DEFAULT_BOARDS
    return DEFAULT_WDL if isinstance(score, WinDrawLoss) else DEFAULT_VP


class Carry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a stage takes over from the one before: a part of its score, or the matches among those who go on."""

    what: Literal["nothing", "score", "head_to_head"] = "nothing"
    percent: Annotated[int, Meta(ge=0, le=100)] = 100


class Stage(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rounds of one format. `qualifiers` of the stage before enter it (None: all), with what they carry."""

    format: Format
    match: MatchTerms = MatchTerms()
    score: Score = VictoryPoints()
    unplayed: Unplayed = Unplayed()
    tie_breaks: tuple[TieBreak, ...] = DEFAULT_VP
    qualifiers: Annotated[int, Meta(ge=2, le=ENTRANTS_MAX)] | None = None
    carry: Carry = Carry()


class Condition(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every person of an entrant has to meet, or be refused with the reason.

    rating_at_least, rating_at_most   shown rating in the pool of the tournament
    rated_games_at_least   rated results in that pool
    account_days_at_least  days since the player came
    persons_only           no bots
    listed                 one of `players`
    """

    kind: Literal[
        "rating_at_least", "rating_at_most", "rated_games_at_least", "account_days_at_least", "persons_only", "listed"
    ]
    value: int | None = None
    players: tuple[str, ...] | None = None


class Registration(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one gets in. `code_hash` is the SHA-256 (hex) of the entry code.

    `late_rounds`: until the end of that round one may still enter (0: not after the start); a late entrant has
    `late_score` percent of a match for each round missed, once at most `late_scored_rounds` times.
    """

    opens_at: Time | None = None
    closes_at: Time | None = None
    capacity: Annotated[int, Meta(ge=2, le=ENTRANTS_MAX)] = ENTRANTS_MAX
    waiting_list: bool = True
    code_hash: Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)")] | None = None
    conditions: tuple[Condition, ...] = ()
    check_in_minutes: Annotated[int, Meta(ge=0, le=10_080)] = 0
    """Entrants confirm in the last so many minutes before the start that they are there; 0: nobody has to."""
    late_rounds: Annotated[int, Meta(ge=0, le=200)] = 0
    late_score: Annotated[int, Meta(ge=0, le=100)] = 0
    late_scored_rounds: Annotated[int, Meta(ge=0, le=10)] = 1


class Boards(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Duplicate: the same decks at every table (fairness, MELD-BOARD-1).

    `movement`: `barometer`, everybody plays the same boards at one time; `rotating`, sets go round (Mitchell).
    """

    stock: Literal["common", "striped"] = "striped"
    movement: Literal["barometer", "rotating"] = "barometer"
    beacon: bool = False


class Pace(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What goes on of itself. Without `automatic` a director pairs and starts every round.

    `starts_at` is when the first round begins, `round_times` when each further one does; a round without a time
    begins `pause_seconds` after the one before. `round_ends` is when the clock of each round ends, the first one first;
    without such a time, or where no hand could begin before it any more, the clock is that of the match.

    An entrant of whom no move came in a match, though one was awaited for
    `no_show_minutes`, is noted as missing: `forfeit` loses the match then, `report` leaves it to the director.
    """

    automatic: bool = True
    starts_at: Time | None = None
    round_times: tuple[Time, ...] = ()
    pause_seconds: Annotated[int, Meta(ge=0, le=604_800)] = 60
    no_show_minutes: Annotated[int, Meta(ge=1, le=100_000)] | None = 10
    no_show: Literal["forfeit", "report"] = "report"
    round_ends: tuple[Time, ...] | UnsetType = UNSET
    """Unset in tournaments that were announced before there were such times, and where there are none."""


class Terms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tournament, resolved. `ruleset` is complete; `players` are the seats of a table.

    entrants   `fixed`: as many persons as a side has (a pair at four seats, one where everybody plays alone);
               `individuals`: single persons whose partners change; `teams`: two tables of one match, opposite seats
    shown      public tournaments stand in the list; unlisted ones have those who know the address
    time_zone  a name of the IANA database
    """

    ruleset: RuleSet
    ruleset_hash: str
    players: Annotated[int, Meta(ge=2, le=6)]
    entrants: Literal["fixed", "individuals", "teams"]
    stages: Annotated[tuple[Stage, ...], Meta(min_length=1, max_length=STAGES_MAX)]
    registration: Registration = Registration()
    boards: Boards | None = None
    pace: Pace = Pace()
    rated: bool = True
    shown: Literal["public", "unlisted"] = "public"
    watch: Literal["anyone", "nobody"] = "anyone"
    time_zone: Annotated[str, Meta(max_length=64)] = "UTC"
    substitutes_max: Annotated[int, Meta(ge=0, le=PLAYERS_OF_ENTRANT_MAX)] = 4
    stand_in_level: Literal["random", "greedy"] | None = None
    """The bot that takes the seats of missing persons, declared beforehand; without one nobody does."""
