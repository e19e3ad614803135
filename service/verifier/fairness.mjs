// The fairness of the deals: commitment, context, first dealer, and every deck by the master secret that was revealed.

import { fromHex } from "./bytes.mjs";
import { same } from "./canonical.mjs";
import { expect } from "./expecting.mjs";
import { Fault, checkedAs, need } from "./faults.mjs";
import { hex, isHex, list, oneOf, record, text, whole } from "./shapes.mjs";
import { boardSeed, commitmentOf, deckOf, firstDealerOf, handSeed } from "./shuffle.mjs";

const DEAL = "MELD-DEAL-1";
const BOARD = "MELD-BOARD-1";
const MASTER_BYTES = 128;

const TERMS = new Map(Object.entries({
  [DEAL]: record({ algorithm: text, mode: oneOf("server_only", "players"), commitment: hex(32) }),
  [BOARD]: record({ algorithm: text, tournament: text, commitment: hex(32), boards: list(whole(1, 2 ** 32 - 1)) }),
}));

/** Check the terms of fair deals that `created` states. */
export function checkTerms(fairness) {
  const check = TERMS.get(fairness.algorithm);
  need(check, "fairness_invalid", `${JSON.stringify(fairness.algorithm)} is no algorithm of fair deals`);
  checkedAs("fairness_invalid", check, fairness, "fairness");
  need(fairness.boards?.length !== 0, "fairness_invalid", "a game on boards names one at least");
}

/** The context that `revealed` must show (fairness document, 6). */
function contextOf(game, closed) {
  const { ruleset_hash, players, fairness } = game.created;
  const beacon = closed?.beacon ?? null;
  if (fairness.algorithm === BOARD) {
    return { algorithm: BOARD, tournament: fairness.tournament, ruleset_hash, players, beacon };
  }
  return { algorithm: DEAL, game: game.header.game, ruleset_hash, players, seats: closed?.seats ?? [], beacon };
}

/** Check the reveal itself: the context, and the master behind the commitment. */
export function checkReveal(game, { master, context }) {
  const { fairness } = game.created;
  expect("context", context, contextOf(game, game.table.closed), "fairness_invalid");
  need(isHex(master, MASTER_BYTES), "commitment_wrong", `master must be ${MASTER_BYTES} bytes in lower-case hexadecimal digits`);
  const shown = commitmentOf(fairness.algorithm, fromHex(master));
  expect("the commitment to the master", fairness.commitment, shown, "commitment_wrong");
}

/** The seed of hand k of a fair game. */
function seedsOf(game, revealed) {
  const { fairness } = game.created;
  const { entropy, beacon } = game.table.started;
  const master = fromHex(revealed.master);
  const context = contextOf(game, game.table.closed);
  const randomness = beacon?.randomness ?? null;
  if (fairness.boards) return (k) => boardSeed(context, master, randomness, fairness.boards[k - 1]);
  return (k) => handSeed(context, master, entropy, randomness, k);
}

/**
 * Check the first dealer and every deck of a fair game by what was revealed. Gives the first fault with the number of
 * its event, or null.
 */
export function faultOfDeals(game, revealed) {
  const { started } = game.table;
  if (!started) return null;
  const { fairness, players, ruleset } = game.created;
  const seeds = seedsOf(game, revealed);
  const dealer = fairness.boards ? (fairness.boards[0] - 1) % players : firstDealerOf(seeds(1), players);
  if (started.first_dealer !== dealer) {
    const message = `first_dealer is seat ${started.first_dealer}, but the seeds give seat ${dealer}`;
    return { n: started.n, fault: new Fault("dealer_wrong", message) };
  }
  for (const { n, hand, deck } of game.dealtHands) {
    if (!same(deck, deckOf(seeds(hand), ruleset.packs, ruleset.jokers))) {
      return { n, fault: new Fault("deck_wrong", `the deck of hand ${hand} is not the shuffle of its hand seed`) };
    }
  }
  return null;
}
