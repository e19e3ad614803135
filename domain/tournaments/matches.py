"""What a match is: how long, by which clock, what it is worth (background b.1, b.2, b.9)."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.standings.step_scales import BURRACO_3, BURRACO_4

HANDS_MAX: Final = 32
"""Most hands of a match that has a number of them."""

MINUTES_MAX: Final = 100_000
"""Ten weeks: the rounds of a league by correspondence."""

Hands = Annotated[int, Meta(ge=1, le=HANDS_MAX)]
Minutes = Annotated[int, Meta(ge=1, le=MINUTES_MAX)]


class FixedHands(Struct, frozen=True, tag_field="kind", tag="hands", forbid_unknown_fields=True):
    """So many hands, whatever the points."""

    hands: Hands


class ToTarget(Struct, frozen=True, tag_field="kind", tag="target", forbid_unknown_fields=True):
    """One game to so many points; without `target` a full game, to the target of the rule set."""

    target: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None


Length = FixedHands | ToTarget


class RunningScore(Struct, frozen=True, tag_field="kind", tag="running", forbid_unknown_fields=True):
    """The first meld's minimum follows the score of the match so far, which begins at zero."""


class PerHand(Struct, frozen=True, tag_field="kind", tag="per_hand", forbid_unknown_fields=True):
    """The first meld's minimum of hand 1, 2, …, the last one for all further: every hand is a game of its own."""

    points: Annotated[tuple[Annotated[int, Meta(ge=0, le=1000)], ...], Meta(min_length=1, max_length=HANDS_MAX)]


FirstMeld = RunningScore | PerHand


class MatchTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a match is played.

    `minutes` is the round's clock, None for no limit; no hand begins in the last `last_hand_minutes` of it.
    `end_of_time`: `finish_hand` plays the hand in play to its end, however long (the clock of the moves goes on);
    `score_position` breaks it off and counts cards on the table less cards in hand, without a bonus for going out;
    `drop_hand` breaks it off and counts only hands that are finished.
    `hands_to_count`: with fewer finished hands at the end of time the match has no result of its own and is shared.
    """

    length: Length = FixedHands(4)
    minutes: Minutes | None = None
    last_hand_minutes: Annotated[int, Meta(ge=0, le=MINUTES_MAX)] = 10
    end_of_time: Literal["finish_hand", "score_position", "drop_hand"] = "finish_hand"
    first_meld: FirstMeld = RunningScore()
    hands_to_count: Annotated[int, Meta(ge=0, le=HANDS_MAX)] = 1
    move_seconds: Annotated[int, Meta(ge=1, le=10_000_000)] | None = None


PRESETS: Final[dict[str, MatchTerms]] = {
    "2x25": MatchTerms(length=FixedHands(2), minutes=25, last_hand_minutes=8),
    "3x40": MatchTerms(length=FixedHands(3), minutes=40),
    "4x50": MatchTerms(length=FixedHands(4), minutes=50),
}
"""The usual rounds: hands and minutes."""


class WbfScale(Struct, frozen=True, tag_field="kind", tag="wbf", forbid_unknown_fields=True):
    """The continuous scale of 20 to 0; `blitz` points a root of the number of hands make 20 to 0."""

    blitz: Annotated[int, Meta(ge=1, le=1_000_000)] = 3000


class Steps(Struct, frozen=True, tag_field="kind", tag="steps", forbid_unknown_fields=True):
    """A table of margins: up to the first 10 to 10, up to the next 11 to 9, …, more than the last 20 to 0."""

    margins: Annotated[tuple[Annotated[int, Meta(ge=0, le=1_000_000)], ...], Meta(min_length=10, max_length=10)]


STEP_SCALES: Final[dict[str, Steps]] = {
    "burraco_3": Steps(tuple(step.margin for step in BURRACO_3.steps)),
    "burraco_4": Steps(tuple(step.margin for step in BURRACO_4.steps)),
}
"""The tables of Burraco for matches of three and of four hands."""


class VictoryPoints(Struct, frozen=True, tag_field="kind", tag="victory_points", forbid_unknown_fields=True):
    """The margin of the match as victory points, 20 in all."""

    scale: WbfScale | Steps = WbfScale()


class WinDrawLoss(Struct, frozen=True, tag_field="kind", tag="win_draw_loss", forbid_unknown_fields=True):
    """A win, a draw and a loss are worth so many hundredths of a point."""

    win: Annotated[int, Meta(ge=0, le=10_000)] = 100
    draw: Annotated[int, Meta(ge=0, le=10_000)] = 50
    loss: Annotated[int, Meta(ge=0, le=10_000)] = 0


class RawPoints(Struct, frozen=True, tag_field="kind", tag="points", forbid_unknown_fields=True):
    """The points of the games themselves."""


class Matchpoints(Struct, frozen=True, tag_field="kind", tag="matchpoints", forbid_unknown_fields=True):
    """By board, 2 for each result beaten and 1 for each equal one, as a percentage of the most there could be."""


class CrossImps(Struct, frozen=True, tag_field="kind", tag="cross_imps", forbid_unknown_fields=True):
    """By board, IMPs against every other table, a margin of `divisor` points counting as one."""

    divisor: Annotated[int, Meta(ge=1, le=1000)] = 4


class Butler(Struct, frozen=True, tag_field="kind", tag="butler", forbid_unknown_fields=True):
    """By board, IMPs against the mean of all results, without the `trimmed` highest and lowest."""

    divisor: Annotated[int, Meta(ge=1, le=1000)] = 4
    trimmed: Annotated[int, Meta(ge=0, le=100)] = 0


class BoardAMatch(Struct, frozen=True, tag_field="kind", tag="board_a_match", forbid_unknown_fields=True):
    """By board of a match of teams, 2 for the better result, 1 for an equal one."""


class ImpMatch(Struct, frozen=True, tag_field="kind", tag="imp_match", forbid_unknown_fields=True):
    """A match of teams by IMPs a board, as victory points; `blitz` IMPs a root of the number of boards make 20 to 0."""

    divisor: Annotated[int, Meta(ge=1, le=1000)] = 4
    blitz: Annotated[int, Meta(ge=1, le=1000)] = 15


class Placing(Struct, frozen=True, tag_field="kind", tag="placing", forbid_unknown_fields=True):
    """By the place at a table of several sides: 20 for the first, 0 for the last, evenly between, shared when equal."""


Score = (
    VictoryPoints | WinDrawLoss | RawPoints | Matchpoints | CrossImps | Butler | BoardAMatch | ImpMatch | Placing
)  # fmt: skip

BOARD_SCORES: Final = (Matchpoints, CrossImps, Butler)
"""Scores that compare a board with all other tables, so that they need boards and are known once all have played."""


class Unplayed(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a round is worth that was not played, in percent of the most that a match can give.

    bye           nobody was left to play against; null: 60, by win, draw and loss a win (in FIDE's team system a draw)
    half_bye      the entrant asked not to play (`half_byes_max` times); null: 50, by win, draw and loss a draw
    forfeit_win, forfeit_loss   the other side, the entrant itself did not come; both missing have nothing; null: 70 and
                  30 up to three hands, 60 and 40 from four on; by win, draw and loss a win and nothing
    """

    bye: Annotated[int, Meta(ge=0, le=100)] | None = None
    half_bye: Annotated[int, Meta(ge=0, le=100)] | None = 50
    half_byes_max: Annotated[int, Meta(ge=0, le=10)] = 1
    forfeit_win: Annotated[int, Meta(ge=0, le=100)] | None = None
    forfeit_loss: Annotated[int, Meta(ge=0, le=100)] | None = None
