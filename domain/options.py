"""The options of a seat: blocks with their points, whether they are possible, and the reason why not."""

from msgspec import UNSET, Struct, UnsetType, field

from domain.moves import Move
from domain.refusals import Refusal


class Option(Struct, frozen=True, omit_defaults=True):
    """A block: the move that makes it alone, whether it is possible now, and if not, why.

    `points` is the card value laid. `completion` is the whole move to send where the block needs others beside it.
    """

    move: Move
    possible: bool
    points: int | UnsetType = UNSET
    completion: Move | UnsetType = UNSET
    reason: Refusal | UnsetType = UNSET


class MeldOption(Struct, frozen=True, omit_defaults=True):
    """A new meld as an option: its rank (`2` wild meld, `3` black threes) or its suit, its naturals and wild cards."""

    kind: str
    naturals: int
    wilds: int
    move: Move
    possible: bool
    points: int
    rank: str | UnsetType = UNSET
    suit: str | UnsetType = UNSET
    completion: Move | UnsetType = UNSET
    reason: Refusal | UnsetType = UNSET


class LegalMoves(Struct, frozen=True, omit_defaults=True):
    """Everything a seat may do at one version of a game.

    `reason` says why nothing but `resign` is possible, where that is so. `requirement` is the first-meld minimum that
    still has to be reached. `way_out` are moves by which the seat goes out at once, where such were found.
    """

    version: int
    seat: int
    phase: str
    resign: bool
    reason: Refusal | UnsetType = UNSET
    requirement: int | UnsetType = UNSET
    draw: Option | UnsetType = UNSET
    takes: list[Option] = []
    melds: list[MeldOption] = []
    additions: list[Option] = []
    joins: list[Option] = []
    red_threes: list[Option] = []
    discards: list[Option] = []
    pass_: Option | UnsetType = field(name="pass", default=UNSET)
    ask: Option | UnsetType = UNSET
    answers: list[Option] = []
    way_out: list[Move] | UnsetType = UNSET
