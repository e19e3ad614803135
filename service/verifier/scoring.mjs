// Counting a hand (rule book, part 11).

import { isBlackThree, isRedThree, valueKey } from "./cards.mjs";
import { setOf } from "./melds.mjs";

const SETS = ["natural_canastas", "mixed_canastas", "wild_canastas", "sambas"];
const BONUS = {
  natural_canastas: "natural_canasta_bonus",
  mixed_canastas: "mixed_canasta_bonus",
  wild_canastas: "wild_canasta_bonus",
  sambas: "samba_bonus",
};
const REQUIREMENT = {
  one_any: (sets) => sets.all >= 1,
  two_any: (sets) => sets.all >= 2,
  two_with_samba: (sets) => sets.all >= 2 && sets.sambas >= 1,
  two_canastas_one_samba: (sets) => sets.canastas >= 2 && sets.sambas >= 1,
};
const CONDITION = {
  going_out_sets: (party, rules) => REQUIREMENT[rules.going_out_requirement](party.sets),
  two_sets: (party) => party.sets.all >= 2,
  any_meld: (party) => party.melds.length > 0,
  always: () => true,
};

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/**
 * The lines of a hand by side. `hand` has `melds` (each with the `seat` that laid it), `redThrees` and `holdings` by
 * seat, `lone`, `recycles`; `ended` has `reason`, `by`, `concealed`.
 */
export function linesOf(rules, hand, ended) {
  const parties = partiesOf(rules, hand, ended).map((seats) => counted(rules, hand, ended, seats));
  const laid = rules.sides.map((side) => sum(side.map((seat) => hand.redThrees[seat].length)));
  return rules.sides.map((side, index) => {
    const party = parties.find(({ seats }) => seats.includes(side[0]));
    const lines = { ...party.lines, red_threes: redThreeLine(rules, party, laid, index) };
    lines.total = sum(Object.values(lines));
    return lines;
  });
}

/** Who counts together (11.4). */
function partiesOf(rules, hand, { reason, by }) {
  if (!rules.loneSide) return rules.sides;
  const lone = hand.lone ?? (reason === "out" ? by : null);
  return lone === null ? rules.sides : [[lone], [0, 1, 2].filter((seat) => seat !== lone)];
}

function counted(rules, hand, ended, seats) {
  const melds = [...hand.melds.values()].filter((meld) => seats.includes(meld.seat));
  const found = melds.map((meld) => setOf(meld, rules)).filter((set) => set !== null);
  const sambas = found.filter((set) => set === "sambas").length;
  const lines = { cards: sum(melds.flatMap((meld) => meld.cards.map((card) => rules.card_values[valueKey(card)]))) };
  for (const set of SETS) {
    if (set === "wild_canastas" && !rules.wild_melds) continue;
    if (set === "sambas" && !rules.sequences) continue;
    lines[set] = rules[BONUS[set]] * found.filter((each) => each === set).length;
  }
  lines.going_out = 0;
  if (ended.reason === "out" && seats.includes(ended.by)) {
    lines.going_out = rules.going_out_bonus + (ended.concealed ? rules.concealed_bonus : 0);
  }
  lines.in_hand = inHand(rules, seats.flatMap((seat) => hand.holdings[seat]), ended.reason);
  if (rules.stock_end === "recycle") lines.stock_penalty = -rules.recycle_penalty * hand.recycles;
  return { seats, melds, sets: { all: found.length, sambas, canastas: found.length - sambas }, lines };
}

/** Minus the cards left in hand (11.3). */
function inHand(rules, cards, reason) {
  const blackThree = reason === "out" ? rules.black_three_hand_value : rules.card_values["3"];
  const redThrees = cards.filter(isRedThree).length;
  const fined = rules.unmelded_red_three_scope === "per_side" ? Math.min(redThrees, 1) : redThrees;
  const others = cards.filter((card) => !isRedThree(card));
  const values = others.map((card) => (isBlackThree(card) ? blackThree : rules.card_values[valueKey(card)]));
  return -sum(values) - fined * rules.unmelded_red_three_penalty;
}

/** Red threes of a side, and the charge where another side has them all (11.1, 11.2). */
function redThreeLine(rules, party, laid, side) {
  const all = 2 * rules.packs;
  const own = laid[side];
  const each = own * rules.red_three_bonus;
  let line;
  if (CONDITION[rules.red_three_condition](party, rules)) line = own === all ? rules.all_red_threes_bonus : each;
  else line = own === all && rules.all_red_threes_penalty === "mirror" ? -rules.all_red_threes_bonus : -each;
  const charged = laid.some((number, other) => other !== side && number === all);
  const spared = rules.all_red_threes_charge_unless === "two_canastas" ? party.sets.canastas : party.sets.all;
  return charged && spared < 2 ? line - rules.all_red_threes_charge : line;
}
