"""Which card the greedy bot can best do without: of little use to itself and to the next seats."""

from typing import Final

from domain.bots.chance import Numbers, one_of
from domain.bots.outlook import Outlook, rank_of
from domain.cards import BLACK_THREE_FACES, RED_THREE_FACES, RUN_RANKS, is_wild
from domain.melds import SET_SIZE
from domain.moves import Discard
from domain.options import LegalMoves

A_WILD_CARD_GIVEN: Final = 1000.0
"""A wild card goes only where there is nothing else."""

A_STOPPER: Final = 12.0
"""What keeping a black three is worth while the pile is small: it is the safe discard for later."""

PILE_WORTH_STOPPING: Final = 5
"""From so many cards on the pile is kept from the next seat by a black three."""

A_PAIR: Final = 14.0
"""What a second card of a rank is worth in hand; a third and so on as much again."""

A_NEIGHBOUR: Final = 4.0
"""What a card of the same suit within two ranks is worth, where there are sequences."""

ON_THEIR_MELD: Final = 30.0
"""What a card costs that the others can use on a meld of theirs."""

FOR_THEIR_PAIR: Final = 0.8
"""What every unseen card of its rank makes a discard cost: the others may hold a pair."""


def discard(outlook: Outlook, legal: LegalMoves, chance: Numbers) -> Discard | None:
    """The discard that costs least, or None where none is possible."""
    moves = [option.move for option in legal.discards if option.possible and isinstance(option.move, Discard)]
    closing = next((move for move in moves if len(move.cards) > 1), None)
    if closing is not None or not moves:
        return closing
    costs = {move.cards[0]: _use(outlook, move.cards[0]) + _danger(outlook, move.cards[0]) for move in moves}
    least = min(costs.values())
    return one_of(chance, [move for move in moves if costs[move.cards[0]] == least])


def _use(outlook: Outlook, face: str) -> float:
    """What the card may still do for the bot's own party, less what it costs in hand at the end."""
    burden = outlook.value(face) * (0.5 if outlook.ending else 0.1)
    if is_wild(face):
        return A_WILD_CARD_GIVEN + outlook.value(face)
    if face in RED_THREE_FACES:
        return -burden
    if face in BLACK_THREE_FACES:
        return (A_STOPPER if len(outlook.view.pile) < PILE_WORTH_STOPPING else -A_STOPPER) - burden
    use = A_PAIR * (sum(held[0] == face[0] for held in outlook.held) - 1)
    if outlook.rules.sequences:
        use += A_NEIGHBOUR * _neighbours(outlook, face)
    if any(_fits(meld.kind, meld.cards, face) for meld in outlook.own):
        use += A_PAIR
    return use - burden


def _neighbours(outlook: Outlook, face: str) -> int:
    place = RUN_RANKS.index(face[0])
    near = RUN_RANKS[max(place - 2, 0) : place + 3]
    return len({held for held in outlook.held if held[1] == face[1] and held != face and held[0] in near})


def _danger(outlook: Outlook, face: str) -> float:
    """What the card may do for the others, who take it with the pile."""
    if face[0] == "3" or is_wild(face):
        return 0.0
    at_stake = 1 + len(outlook.view.pile) / 4
    cost = FOR_THEIR_PAIR * outlook.unseen[face[0]]
    for meld in outlook.theirs:
        if _fits(meld.kind, meld.cards, face):
            cost += ON_THEIR_MELD
    return cost * at_stake


def _fits(kind: str, cards: tuple[str, ...], face: str) -> bool:
    """Whether a natural card belongs to a meld on the table."""
    if kind == "group":
        return rank_of(cards) == face[0]
    if kind != "sequence" or len(cards) >= SET_SIZE or cards[0][1] != face[1]:
        return False
    low, high = RUN_RANKS.index(cards[0][0]), RUN_RANKS.index(cards[-1][0])
    return RUN_RANKS.index(face[0]) in (low - 1, high + 1)
