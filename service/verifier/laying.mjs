// Melds as events lay them: every card comes from the holding, the pile or a meld that lay before.

import { without } from "./cards.mjs";
import { expect } from "./expecting.mjs";
import { need } from "./faults.mjs";
import { kindOf, written } from "./melds.mjs";

/** Check that a meld is of its kind and written in order. */
function sound({ id, kind, cards }) {
  const found = kindOf(cards);
  need(found !== null, "move_refused", () => `${id} is no meld of any kind: ${cards.join(" ")}`);
  expect("kind", kind, found);
  expect("cards of the meld", cards, written(kind, cards));
}

function known(hand, seat, id) {
  const meld = hand.melds.get(id);
  const own = meld !== undefined && hand.party(seat).includes(meld.seat);
  need(own, "move_refused", () => `${id} is not a meld of seat ${seat}'s party`);
  return meld;
}

/** Put a meld on the table that holds the cards `before` and others of the seat's holding. */
function put(hand, seat, meld, before, owner) {
  sound(meld);
  const own = without(meld.cards, before);
  need(own !== null, "move_refused", () => `${meld.id} lacks cards that must lie in it: ${before.join(" ")}`);
  hand.spend(seat, own);
  hand.melds.set(meld.id, { kind: meld.kind, cards: meld.cards, seat: owner });
  hand.turnLaid = true;
  return own;
}

function putNew(hand, seat, meld, before) {
  expect("id of the new meld", meld.id, `m${hand.nextMeld}`);
  hand.nextMeld++;
  put(hand, seat, meld, before, seat);
  hand.turnMelds.push(meld.id);
}

function touch(hand, ...ids) {
  if (ids.some((id) => !hand.turnMelds.includes(id))) hand.turnTouchedOld = true;
}

/** A new meld out of the holding. */
export function laid(hand, seat, meld) {
  putNew(hand, seat, meld, []);
}

/** A meld that got cards of the holding. */
export function added(hand, seat, meld) {
  const before = known(hand, seat, meld.id);
  touch(hand, meld.id);
  const own = put(hand, seat, meld, before.cards, before.seat);
  need(own.length > 0, "move_refused", () => `nothing was added to ${meld.id}`);
}

/** Melds joined into one, with cards of the holding if there are any. */
export function joinedMelds(hand, seat, { id, kind, cards, of }) {
  need(new Set(of).size === of.length && of.length > 1, "move_refused", "melds are joined from two on, each once");
  expect("id of the joined meld", id, of[0]);
  const before = of.map((each) => known(hand, seat, each));
  touch(hand, ...of);
  put(hand, seat, { id, kind, cards }, before.flatMap((meld) => meld.cards), before[0].seat);
  for (const each of of.slice(1)) hand.melds.delete(each);
  hand.turnMelds = hand.turnMelds.filter((each) => hand.melds.has(each));
}

/** The meld that a take makes or extends with the upcard. */
export function taken(hand, seat, meld, upcard) {
  if (hand.melds.has(meld.id)) {
    const before = known(hand, seat, meld.id);
    touch(hand, meld.id);
    put(hand, seat, meld, [...before.cards, upcard], before.seat);
  } else putNew(hand, seat, meld, [upcard]);
}
