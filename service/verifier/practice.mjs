// Practice games: what they begin from, and the decks that follow from it (`created.origin`).

import { same } from "./canonical.mjs";
import { isPack } from "./cards.mjs";
import { checkedAs, need } from "./faults.mjs";
import { checkPosition } from "./placing.mjs";
import { bool, card, hex, hexBetween, list, object, record, text, whole } from "./shapes.mjs";
import { deckOf, firstDealerOf, practiceSeed } from "./shuffle.mjs";

const seed = hexBetween(1, 128);
const dealer = whole(0);
const decks = list(list(card));
const carried = record(
  { next_meld: whole(1), turn_first_meld: whole(1), touched_old: bool },
  { stripes: list(whole(0)) },
);
const ORIGINS = new Map(Object.entries({
  seed: record({ kind: text, seed }, { dealer }),
  decks: record({ kind: text, decks }, { dealer, seed }),
  position: record({ kind: text, position: object }, { seed }),
  fork: record({ kind: text, game: text, n: whole(1) }, { hash: hex(32), position: object, carried, decks, dealers: list(whole(0)), dealer, seed }),
}));

const refused = (condition, message) => need(condition, "table_refused", message);

/** Check the origin that a practice game's `created` names. */
export function checkOrigin({ origin, players, stock, ruleset }, rules) {
  refused(ORIGINS.has(origin.kind), `${JSON.stringify(origin.kind)} is no origin of a practice game`);
  checkedAs("table_refused", ORIGINS.get(origin.kind), origin, "origin");
  const { position, carried: known, decks: given = [] } = origin;
  refused(origin.dealer === undefined || origin.dealer < players, "origin.dealer must be a seat");
  const complete = given.every((deck) => isPack(deck, ruleset.packs, ruleset.jokers));
  refused(complete, "origin.decks must be packs of the rule set");
  const { dealers = [] } = origin;
  const seated = dealers.every((seat) => seat < players) && [0, given.length].includes(dealers.length);
  refused(seated, "origin.dealers must be a seat for each deck");
  if (position) {
    checkedAs("table_refused", checkPosition(rules), position, "origin.position");
    const alike = same(position.ruleset, ruleset) && position.players === players;
    refused(alike, "origin.position must have the rule set and the seats of the table");
  }
  const striped = stock === "striped";
  refused(!position || striped === Boolean(known?.stripes), "origin.carried must have the stripes of a striped stock");
  refused(!known || position, "origin.carried must stand beside a position");
  if (known?.stripes) {
    const size = known.stripes.reduce((sum, stripe) => sum + stripe, 0);
    refused(known.stripes.length === players && size === position.stock.count, "origin.carried.stripes do not fit");
  }
}

/** The first dealer that the origin of a practice game gives. */
export function practiceDealer({ origin, players }) {
  if (origin.position) return origin.position.dealer;
  const drawn = origin.kind === "seed" || (origin.kind === "fork" && !origin.decks?.length && origin.seed !== undefined);
  return origin.dealer ?? (drawn ? firstDealerOf(practiceSeed(origin.seed, 1), players) : 0);
}

/** Which of the decks of an origin a hand is dealt from, counted from 0. */
const indexOf = (origin, hand) => hand - 1 - (origin.position?.hand ?? 0);

/** The dealer that the origin of a practice game names for a later hand; undefined where the deal passes clockwise. */
export const practiceNextDealer = (origin, hand) => origin?.dealers?.[indexOf(origin, hand)];

/** The deck that the origin of a practice game gives a hand; `out_of_place` where it gives none. */
export function practiceDeck({ origin, ruleset }, hand) {
  const given = origin.decks?.[indexOf(origin, hand)];
  if (given) return given;
  need(origin.seed !== undefined, "out_of_place", `the origin of this practice game gives no hand ${hand}`);
  return deckOf(practiceSeed(origin.seed, hand), ruleset.packs, ruleset.jokers);
}
