"""Positions at random, built for what is rare in play: short holdings beside grown melds, and very long holdings."""

from collections.abc import Sequence
from random import Random
from typing import Any

from domain.cards import NONE, RUN_RANKS, SUITS, Cards, count, faces_of, is_wild, text
from domain.evolve import initial_table
from domain.melds import new_meld
from domain.refusals import Refused
from domain.rules import Rules, compile_rules
from domain.rulesets import PRESETS, RuleSetInvalidError, resolve
from domain.state import Laid, State

WILD_FACES = ("JK", "2S", "2H", "2D", "2C")
COPIES_MAX = 6
OPTIONS: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("group_ratio", ("two_to_one", "three_to_two", "half", "more_naturals", "min_two_naturals")),
    ("max_wilds", (0, 1, 2, 3, 5, 20)),
    ("wild_on_finished_canasta", (True, False)),
    ("several_melds_per_rank", (True, False)),
    ("merge_groups", (True, False)),
    ("sequences", (True, False)),
    ("join_sequences", (True, False)),
    ("wild_melds", (True, False)),
    ("wild_melds_closed", (True, False)),
    ("black_three_melds", (True, False)),
    ("black_three_wilds", (True, False)),
    ("black_three_melds_any_time", (True, False)),
    ("concealed_first_meld_waiver", (True, False)),
    ("freezing", ("none", "classic", "wilds_and_black_threes")),
    ("pile_take_natural_plus_wild", (True, False)),
    ("mixed_take_when_frozen", (True, False)),
    ("opening_take", ("pair", "any_meld")),
    ("pile_take_extend", ("off", "below_seven", "any")),
    ("pair_target", ("new", "existing_or_new", "existing")),
    ("run_take", ("upcard_only", "whole_pile", "none")),
    ("wild_top_taken_with_two_wilds", (True, False)),
    ("going_out_requirement", ("one_any", "two_any", "two_with_samba", "two_canastas_one_samba")),
    ("final_discard_required", (True, False)),
    ("black_three_closing_discard", (True, False)),
    ("partner_permission", ("optional", "advisory", "required", "off")),
    ("red_threes", ("optional", "automatic")),
    ("red_three_discard", (True, False)),
    ("red_three_replacement", ("from_stock", "always", "none")),
    ("three_player", ("alone", "lone_side")),
    ("last_red_three_may_meld", (True, False)),
    ("stock_end", ("end_when_cannot_draw", "forced_take", "recycle")),
    ("short_draw", ("take_remaining", "end_hand")),
    ("draw_count", (1, 2)),
)


def rules_at_random(chance: Random, *, options_max: int = 5) -> Rules:
    """A preset with some options, for some number of seats."""
    while True:
        preset = chance.choice(sorted(PRESETS))
        keys = chance.sample(OPTIONS, chance.randint(0, options_max))
        try:
            ruleset = resolve(preset, {key: chance.choice(values) for key, values in keys})
        except RuleSetInvalidError:
            continue
        return compile_rules(ruleset, chance.choice(ruleset.players))


def natural(chance: Random, ranks: str = RUN_RANKS) -> str:
    return chance.choice(ranks) + chance.choice(SUITS)


def card(chance: Random, ranks: str = RUN_RANKS) -> str:
    """Any card, wild cards and threes now and then."""
    kind = chance.random()
    if kind < 0.15:
        return chance.choice(WILD_FACES)
    return "3" + chance.choice(SUITS) if kind < 0.23 else natural(chance, ranks)


def run(chance: Random, length: int) -> list[str]:
    low = chance.randint(0, len(RUN_RANKS) - length)
    suit = chance.choice(SUITS)
    return [rank + suit for rank in RUN_RANKS[low : low + length]]


def meld_at_random(chance: Random) -> list[str]:
    """Cards that are likely to make a meld, grown ones often."""
    kind = chance.random()
    length = chance.choice((3, 3, 4, 5, 6, 6, 7, 7, 7, 8))
    if kind < 0.35:
        return run(chance, min(length, 7))
    if kind < 0.45:
        return [chance.choice(WILD_FACES) for _ in range(min(length, 7))]
    if kind < 0.5:
        return [chance.choice(("3S", "3C")) for _ in range(length)]
    wilds = chance.randint(0, min(length // 2, 3))
    rank = chance.choice(RUN_RANKS)
    return [rank + chance.choice(SUITS) for _ in range(length - wilds)] + chance.choices(WILD_FACES, k=wilds)


def melds_at_random(chance: Random, rules: Rules, number: int, first: int) -> dict[str, Laid]:
    """Melds that may lie side by side, ids from `first` on."""
    lying: dict[str, Laid] = {}
    for _ in range(3 * number):
        if len(lying) == number:
            break
        faces = meld_at_random(chance)
        if lying and chance.random() < 0.3:
            faces = neighbour(chance, chance.choice(list(lying.values())))
        meld_id = f"m{first + len(lying)}"
        try:
            laid = new_meld(rules, lying, (), faces, meld_id)
        except Refused:
            continue
        if laid.meld.kind != "black_threes" or rules.black_three_melds_any_time:
            lying[meld_id] = laid
    return lying


def neighbour(chance: Random, laid: Laid) -> list[str]:
    """A meld that could be joined with one that lies."""
    cards = laid.meld.cards
    if laid.meld.kind != "sequence":
        rank = cards[-1][0]
        return [rank + chance.choice(SUITS) for _ in range(3)] + [WILD_FACES[1]] * chance.randint(0, 1)
    high = RUN_RANKS.index(cards[-1][0]) + chance.choice((1, 1, 2))
    return [rank + cards[0][1] for rank in RUN_RANKS[high : high + chance.choice((3, 4))]]


def holding_at_random(chance: Random, size: int, lying: dict[str, Laid]) -> list[str]:
    """Cards that are likely to fit one another and the melds that lie."""
    ranks = "".join(chance.sample(RUN_RANKS, chance.choice((2, 3, 5, 11))))
    held: list[str] = []
    while len(held) < size:
        kind = chance.random()
        if kind < 0.2:
            held += run(chance, chance.choice((3, 3, 4, 5, 6, 7)))
        elif kind < 0.4:
            held += [natural(chance, chance.choice(ranks)), natural(chance, chance.choice(ranks))] * 2
        elif kind < 0.75 and lying:
            held.append(fitting(chance, chance.choice(list(lying.values()))))
        elif kind < 0.8:
            held += [chance.choice(("3S", "3C", "2S", "JK"))] * 3
        else:
            held.append(card(chance, ranks))
    return held[:size]


def fitting(chance: Random, laid: Laid) -> str:
    cards = laid.meld.cards
    if laid.meld.kind == "sequence":
        place = chance.choice((RUN_RANKS.index(cards[0][0]) - 1, RUN_RANKS.index(cards[-1][0]) + 1))
        return RUN_RANKS[min(max(place, 0), len(RUN_RANKS) - 1)] + cards[0][1]
    return chance.choice(cards)


def position_at_random(chance: Random, rules: Rules, *, held: int, melds: int, phase: str = "play") -> State:
    """A position with a turn to play; cards are not conserved, which no rule of melding asks for."""
    sides = len(rules.sides)
    lying: list[dict[str, Laid]] = []
    first = 1
    for _ in range(sides):
        lying.append(melds_at_random(chance, rules, melds, first))
        first += len(lying[-1])
    turn = chance.randrange(rules.players)
    lone = chance.choice((None, turn, (turn + 1) % 3)) if rules.lone_side else None
    own = lying[rules.side_of[turn]]
    state = State(table=initial_table(rules), version=1, phase=phase, hand=1, turn=turn)  # type: ignore[arg-type]
    state.scores = state.totals = tuple(chance.choice((-50, -50, 0, 0, 1500, 3000)) for _ in range(sides))
    state.holdings = [holding(chance, rules, chance.randint(2, 5), {}) for _ in range(rules.players)]
    state.holdings[turn] = holding(chance, rules, held, own)
    state.melds = list(lying)
    state.red_threes = [NONE] * sides
    state.pile = text(pile_at_random(chance, faces_of(state.holdings[turn]), own))
    stock = [natural(chance) for _ in range(chance.choice((0, 1, 2, 9)))]
    state.stock, state.stock_count = (text(stock),), len(stock)
    state.next_meld = state.turn_first_meld = first
    state.lone = lone
    if phase == "play":
        state.began = chance.choice(("stock", "stock", "pile"))
        state.melded_this_turn = chance.random() < 0.3
        state.last_turn = rules.last_red_three_may_meld and chance.random() < 0.3
    if rules.partner_permission != "off" and phase == "play":
        state.permission = chance.choice((None, "granted", "granted", "refused"))
    return state


def holding(chance: Random, rules: Rules, size: int, lying: dict[str, Laid]) -> Cards:
    """A holding of at most so many cards, no face more often than any pack has it; automatic red threes are rare."""
    faces = holding_at_random(chance, size, lying)
    if rules.red_threes == "automatic" and chance.random() < 0.9:
        faces = [face for face in faces if face not in ("3H", "3D")]
    return count([face for at, face in enumerate(faces) if is_wild(face) or faces[:at].count(face) < COPIES_MAX])


def pile_at_random(chance: Random, held: Sequence[str], lying: dict[str, Laid]) -> list[str]:
    """A pile whose upcard often fits what the seat holds or what lies."""
    pile = [card(chance) for _ in range(chance.choice((0, 0, 1, 2, 9)))]
    kind = chance.random()
    if kind < 0.5 and held:
        return [*pile, like(chance, chance.choice(held))]
    if kind < 0.8 and lying:
        return [*pile, fitting(chance, chance.choice(list(lying.values())))]
    return [*pile, card(chance)] if kind < 0.98 else []


def like(chance: Random, face: str) -> str:
    """A card of the same rank."""
    return face if is_wild(face) else face[0] + chance.choice(SUITS)
