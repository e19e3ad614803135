"""The rule set compiled for one number of seats: plain values for the engine, nothing by players any more."""

from functools import lru_cache
from typing import Final, TypeVar

from domain.cards import FACES, JOKER, RED_THREE_FACES
from domain.editions import EDITION
from domain.rulesets import GoingOutRequirement, RuleSet, SharedKeys

V = TypeVar("V", int, GoingOutRequirement)

Sides = tuple[tuple[int, ...], ...]

_COMPILED_MAX: Final = 256
"""How many compiled rule sets are kept."""


class PlayersNotPermittedError(ValueError):
    """The rule set is not played with so many seats; `permitted` tells with how many it is."""

    def __init__(self, players: int, permitted: tuple[int, ...]) -> None:
        super().__init__(f"This rule set is not for {players} players, but for {', '.join(map(str, permitted))}.")
        self.players = players
        self.permitted = permitted


class Rules(SharedKeys, frozen=True, kw_only=True):
    """A rule set at a table of `players` seats. Keys of the rule set keep their names (rule book part 13).

    sides, side_of        seats by side, and a seat's side (2.1)
    lone_side             whether one of three seats comes to play alone (2.3)
    points                card value by face; red threes have none here, they are scored otherwise (11.1)
    first_meld            steps as (below, points); the last `below` is None (part 5)
    red_threes_all        how many red threes there are
    line_keys             the score lines of this rule set in their order (part 11)
    edition               by which edition of the engine its moves are decided (`domain.editions`)
    """

    ruleset: RuleSet
    ruleset_hash: str
    players: int
    sides: Sides
    side_of: tuple[int, ...]
    lone_side: bool
    hand_size: int
    draw_count: int
    going_out_requirement: GoingOutRequirement
    target: int
    points: dict[str, int]
    first_meld: tuple[tuple[int | None, int], ...]
    red_threes_all: int
    line_keys: tuple[str, ...]
    edition: int

    def requirement(self, total: int) -> int:
        """The first-meld requirement of a side with this sheet total (part 5)."""
        for below, points in self.first_meld:
            if below is None or total < below:
                return points
        raise AssertionError("The last step of a rule set is open.")


@lru_cache(maxsize=_COMPILED_MAX)
def compile_rules(ruleset: RuleSet, players: int, edition: int = EDITION) -> Rules:
    """The rules of a table, kept for the next one like it; a game's have its own edition.

    Raises `PlayersNotPermittedError`.
    """
    if players not in ruleset.players:
        raise PlayersNotPermittedError(players, ruleset.players)
    sides = _sides(ruleset, players)
    shared = {key: getattr(ruleset, key) for key in SharedKeys.__struct_fields__}
    return Rules(
        **shared,
        ruleset=ruleset,
        ruleset_hash=ruleset.sha256(),
        players=players,
        sides=sides,
        side_of=tuple(next(i for i, side in enumerate(sides) if seat in side) for seat in range(players)),
        lone_side=players == 3 and ruleset.three_player == "lone_side",
        hand_size=_at(ruleset.hand_size, players),
        draw_count=_at(ruleset.draw_count, players),
        going_out_requirement=_at(ruleset.going_out_requirement, players),
        target=_at(ruleset.target, players),
        points={face: _points(ruleset, face) for face in FACES},
        first_meld=tuple((step.below, step.points) for step in ruleset.first_meld),
        red_threes_all=2 * ruleset.packs,
        line_keys=_line_keys(ruleset),
        edition=edition,
    )


def _sides(ruleset: RuleSet, players: int) -> Sides:
    """Two, three and five seats alone, four in pairs, six as the rule set has it (2.1)."""
    match players, ruleset.six_player_teams:
        case 4, _:
            number = 2
        case 6, "two_trios":
            number = 2
        case 6, _:
            number = 3
        case _:
            number = players
    return tuple(tuple(range(first, players, number)) for first in range(number))


def _at(value: V | dict[str, V], players: int) -> V:
    """A by-players value at a table of so many seats."""
    return value[str(players)] if isinstance(value, dict) else value


def _points(ruleset: RuleSet, face: str) -> int:
    if face in RED_THREE_FACES:
        return 0
    return ruleset.card_values[JOKER if face == JOKER else face[0]]


def _line_keys(ruleset: RuleSet) -> tuple[str, ...]:
    """The lines that are present for this rule set (part 11), in the order of formats part 6."""
    lines = {
        "cards": True,
        "natural_canastas": True,
        "mixed_canastas": True,
        "wild_canastas": ruleset.wild_melds,
        "sambas": ruleset.sequences,
        "red_threes": True,
        "going_out": True,
        "in_hand": True,
        "stock_penalty": ruleset.stock_end == "recycle",
        "total": True,
    }
    return tuple(key for key, present in lines.items() if present)
