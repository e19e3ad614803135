// Cards (formats, part 1): two characters each, rank and suit, or JK.

const RANKS = "2AKQJT9876543";
const SUITS = "SHDC";
const LOW_TO_HIGH = "456789TJQKA";

/** Every face, in canonical order. */
const FACES = ["JK", ...[...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit))];

const PLACE = new Map(FACES.map((face, place) => [face, place]));

/** The suit of a face; a joker has none that another card has. */
export const suitOf = (card) => card[1];

/** Whether text names a face. */
export const isFace = (text) => PLACE.has(text);

/** The key of a face in `card_values`: its rank, `JK` for a joker. */
export const valueKey = (card) => (card === "JK" ? card : card[0]);

export const isWild = (card) => card === "JK" || card[0] === "2";
export const isRedThree = (card) => card === "3H" || card === "3D";
export const isBlackThree = (card) => card === "3S" || card === "3C";

/** The place of a rank in a sequence, from 4 up to the ace; -1 for ranks that are in none. */
export const step = (card) => (card === "JK" ? -1 : LOW_TO_HIGH.indexOf(card[0]));

/** Cards in canonical order, as a new list. Most lists come in it already. */
export function inOrder(cards) {
  const ordered = [...cards];
  let highest = -1;
  for (const card of cards) {
    const place = PLACE.get(card);
    if (place < highest) return ordered.sort((one, other) => PLACE.get(one) - PLACE.get(other));
    highest = place;
  }
  return ordered;
}

/** The cards that are left of `cards` when `taken` are taken away, or null where one of them is not there. */
export function without(cards, taken) {
  const left = [...cards];
  for (const card of taken) {
    const at = left.indexOf(card);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/** Whether a deck holds every card of the pack and no other. */
export function isPack(deck, packs, jokers) {
  const counts = new Uint8Array(FACES.length);
  for (const card of deck) counts[PLACE.get(card)]++;
  return deck.length === 52 * packs + jokers && counts.every((count, place) => count === (place === 0 ? jokers : packs));
}

const known = new Map();

/** The pack (formats, part 9): the faces in canonical order, each as often as the rule set has it. Not to be changed. */
export function pack(packs, jokers) {
  const key = `${packs} ${jokers}`;
  if (!known.has(key)) known.set(key, FACES.flatMap((face) => Array(face === "JK" ? jokers : packs).fill(face)));
  return known.get(key);
}
