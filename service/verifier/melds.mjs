// What kind of meld cards are, and what a meld counts as. The limits of a meld are no matter of this verifier.

import { inOrder, isBlackThree, isRedThree, isWild, step, suitOf } from "./cards.mjs";

const FULL = 7;

/** The kind that cards are (rule book 4.1 to 4.5), or null where they are no meld of any kind. */
export function kindOf(cards) {
  if (cards.length < 3 || cards.some(isRedThree)) return null;
  const naturals = cards.filter((card) => !isWild(card));
  if (naturals.length === 0) return "wild";
  if (naturals.some(isBlackThree)) return naturals.every(isBlackThree) ? "black_threes" : null;
  if (naturals.every((card) => card[0] === naturals[0][0])) return "group";
  if (naturals.length < cards.length || cards.length > FULL) return null;
  const run = lowToHigh(cards);
  const follows = run.every((card, i) => i === 0 || step(card) === step(run[i - 1]) + 1);
  return follows && run.every((card) => suitOf(card) === suitOf(run[0])) ? "sequence" : null;
}

const lowToHigh = (cards) => [...cards].sort((one, other) => step(one) - step(other));

/** The cards of a meld in the order in which they are written. */
export function written(kind, cards) {
  return kind === "sequence" ? lowToHigh(cards) : inOrder(cards);
}

/** What a meld counts as: `natural_canastas`, `mixed_canastas`, `wild_canastas`, `sambas`, or null for no set. */
export function setOf(meld, rules) {
  if (meld.cards.length < FULL) return null;
  if (meld.kind === "wild") return "wild_canastas";
  if (meld.kind === "sequence") return "sambas";
  if (meld.kind === "black_threes" && !rules.black_three_wilds) return null;
  return meld.cards.some(isWild) ? "mixed_canastas" : "natural_canastas";
}
