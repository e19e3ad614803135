"""Counting a hand and ending a game (rule book 11, 12)."""

from collections.abc import Sequence

from domain.cards import (
    BLACK_THREE_FACES,
    RED_THREES,
    Cards,
    faces_of,
    number_of,
    number_of_red_threes,
    points,
)
from domain.events import GameEndReason, Meld
from domain.going_out import meets_requirement
from domain.melds import SET_SIZE, count_sets
from domain.rules import Rules
from domain.state import Ended, State


def score_lines(state: State, ended: Ended) -> tuple[dict[str, int], ...]:
    """The lines of a hand by side, in the order and with the keys of formats, part 6."""
    rules = state.table.rules
    parties = _parties(state, ended)
    melds = [_melds_of(state, party) for party in parties]
    lines = []
    for side, seats in enumerate(rules.sides):
        index = next(index for index, party in enumerate(parties) if seats[0] in party)
        line = meld_lines(rules, melds[index])
        line["red_threes"] = _own_red_threes(rules, state.red_threes[side], melds[index])
        line["red_threes"] -= _charge(state, side, melds[index])
        line["going_out"] = 0
        if ended.by is not None and ended.by in parties[index]:
            line["going_out"] = rules.going_out_bonus + (rules.concealed_bonus if ended.concealed else 0)
        line["in_hand"] = -_in_hand(rules, [state.holdings[seat] for seat in parties[index]], ended)
        line["stock_penalty"] = -rules.recycle_penalty * state.recycles
        total = sum(line[key] for key in rules.line_keys if key != "total")
        lines.append({key: total if key == "total" else line[key] for key in rules.line_keys})
    return tuple(lines)


def _parties(state: State, ended: Ended) -> tuple[tuple[int, ...], ...]:
    """The parties for the count: with a lone side as in 11.4, else the sides."""
    rules = state.table.rules
    if not rules.lone_side:
        return rules.sides
    lone = ended.by if state.lone is None else state.lone
    if lone is None:
        return rules.sides
    return ((lone,), tuple(seat for seat in range(rules.players) if seat != lone))


def _melds_of(state: State, party: tuple[int, ...]) -> list[Meld]:
    owners = sorted({state.table.rules.side_of[seat] for seat in party})
    return [laid.meld for owner in owners for laid in state.melds[owner].values()]


def meld_lines(rules: Rules, melds: Sequence[Meld]) -> dict[str, int]:
    """The lines that follow from the melds alone."""
    lines = {"cards": 0, "natural_canastas": 0, "mixed_canastas": 0, "wild_canastas": 0, "sambas": 0}
    for meld in melds:
        lines["cards"] += points(meld.cards, rules.points)
        if len(meld.cards) < SET_SIZE:
            continue
        if meld.kind == "sequence":
            lines["sambas"] += rules.samba_bonus
        elif meld.kind == "wild":
            lines["wild_canastas"] += rules.wild_canasta_bonus
        elif meld.kind == "group" or rules.black_three_wilds:
            mixed = any(face == "JK" or face[0] == "2" for face in meld.cards)
            bonus = rules.mixed_canasta_bonus if mixed else rules.natural_canasta_bonus
            lines["mixed_canastas" if mixed else "natural_canastas"] += bonus
    return lines


def _own_red_threes(rules: Rules, laid: Cards, melds: Sequence[Meld]) -> int:
    """Own red threes, for or against (11.1)."""
    number = number_of_red_threes(laid)
    every = number == rules.red_threes_all
    if _red_threes_count(rules, melds):
        return rules.all_red_threes_bonus if every else number * rules.red_three_bonus
    if every and rules.all_red_threes_penalty == "mirror":
        return -rules.all_red_threes_bonus
    return -number * rules.red_three_bonus


def _red_threes_count(rules: Rules, melds: Sequence[Meld]) -> bool:
    """Whether red threes count for the party (11.1)."""
    condition = rules.red_three_condition
    if condition == "always":
        return True
    if condition == "any_meld":
        return bool(melds)
    if condition == "two_sets":
        return sum(count_sets(rules, melds)) >= 2
    return meets_requirement(rules, melds)


def _charge(state: State, side: int, melds: Sequence[Meld]) -> int:
    """What the red threes of others cost a side that has fewer than two sets (11.2)."""
    rules = state.table.rules
    if not rules.all_red_threes_charge:
        return 0
    holders = [
        other
        for other, laid in enumerate(state.red_threes)
        if other != side and number_of_red_threes(laid) == rules.red_threes_all
    ]
    canastas, sambas = count_sets(rules, melds)
    sets = canastas if rules.all_red_threes_charge_unless == "two_canastas" else canastas + sambas
    return rules.all_red_threes_charge * len(holders) if sets < 2 else 0


def _in_hand(rules: Rules, holdings: Sequence[Cards], ended: Ended) -> int:
    """What the cards left in the hands of a party cost (11.3)."""
    black_three = rules.black_three_hand_value if ended.reason == "out" else rules.points["3S"]
    cost = red_threes = 0
    for holding in holdings:
        black_threes = sum(number_of(holding, face) for face in BLACK_THREE_FACES)
        cost += points(faces_of(holding), rules.points) + black_threes * (black_three - rules.points["3S"])
        if holding & RED_THREES:
            red_threes += number_of_red_threes(holding)
    if red_threes and rules.unmelded_red_three_scope == "per_side":
        red_threes = 1
    return cost + red_threes * rules.unmelded_red_three_penalty


def outcome(rules: Rules, hand: int, totals: Sequence[int]) -> tuple[GameEndReason, tuple[int, ...]] | None:
    """Whether the game ends after a hand: the reason and the winning sides, or None (rule book 12.1, 12.2)."""
    best = max(totals)
    if best >= rules.target:
        winners = tuple(side for side, total in enumerate(totals) if total == best)
        if len(winners) == 1 or rules.tie == "draw":
            return "target", winners
    if rules.hand_cap is not None and hand >= rules.hand_cap:
        return "hand_cap", tuple(range(len(totals)))
    return None


def winners_against(totals: Sequence[int], side: int | None) -> tuple[int, ...]:
    """The winning sides of a game that ended against a side, or with None by the best totals (12.3, 12.4)."""
    others = [other for other in range(len(totals)) if other != side]
    best = max(totals[other] for other in others)
    return tuple(other for other in others if totals[other] == best)
