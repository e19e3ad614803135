// A practice game begins from a position (formats, part 3), which the event `placed` holds complete.

import { plannedMove } from "./events.mjs";
import { need } from "./faults.mjs";
import { Hand, promisedBy } from "./hand.mjs";
import { bool, card, list, nullable, oneOf, record, text, whole } from "./shapes.mjs";
import { dealtStripes, stockOf } from "./stock.mjs";

const seat = whole(0);
const cards = list(card);
const redThrees = list(list(oneOf("3H", "3D")));
const melds = list(list(record({ id: text, kind: oneOf("group", "sequence", "wild", "black_threes"), cards })));

const checkUsed = record(
  {
    hand: whole(1), dealer: seat, scores: list(whole()), turn: seat,
    phase: oneOf("draw", "play", "answer", "hand_over"), holdings: list(cards), melds, pile: cards,
    stock: record({ count: whole(0), next: cards }), began: oneOf("stock", "pile", "upcard", null),
    melded_this_turn: bool, last_turn: bool, has_melded: list(bool), had_turn: list(bool), lone: nullable(seat),
    recycles: whole(0),
    ended: nullable(record({ by: nullable(seat), reason: oneOf("out", "stock"), concealed: bool })),
    ask: nullable(record({ type: oneOf("ask"), then: list(plannedMove) })),
  },
  { red_threes: redThrees, red_threes_by_seat: redThrees },
  { open: true },
);

/** The check of a position's form for a table: what is used of it here, and lists of the right lengths. */
export const checkPosition = ({ sides, seats }) => (position, path) => {
  checkUsed(position, path);
  const fits = (key, number) => need(position[key].length === number, "ill_typed", `${path}.${key} has a wrong length`);
  for (const key of ["holdings", "has_melded", "had_turn"]) fits(key, seats);
  need(Array.isArray(position[redThreesKey(position)]), "ill_typed", `${path}.red_threes is missing`);
  for (const key of ["melds", "scores", redThreesKey(position)]) fits(key, sides.length);
  const known = (who) => need(who === null || who < seats, "ill_typed", `${path} names a seat that there is not`);
  for (const who of [position.turn, position.dealer, position.lone, position.ended?.by ?? null]) known(who);
  const over = position.phase === "hand_over";
  need(over === (position.ended !== null), "ill_typed", `${path}.ended does not fit the phase`);
  need(position.phase !== "answer" || position.ask !== null, "ill_typed", `${path}.ask is missing`);
  const { count, next } = position.stock;
  need(count === next.length, "ill_typed", `${path}.stock hides cards`);
};

const redThreesKey = (position) => ("red_threes_by_seat" in position ? "red_threes_by_seat" : "red_threes");

/** The hand that a position puts on the table by the origin of its game, and the sheet totals before it. */
export function handFrom(rules, position, { origin }) {
  const { sides, seats } = rules;
  const { next } = position.stock;
  const bySide = position[redThreesKey(position)];
  const laid = Array.from({ length: seats }, () => []);
  sides.forEach((side, index) => laid[side[0]].push(...bySide[index]));
  const lying = position.melds.flatMap((own, side) => own.map((meld) => [meld.id, { ...meld, seat: sides[side][0] }]));
  const hand = new Hand(rules, {
    number: position.hand, dealer: position.dealer, turn: position.turn, phase: position.phase, began: position.began,
    holdings: position.holdings.map((held) => [...held]), pile: [...position.pile], melds: new Map(lying),
    stock: origin.carried?.stripes ? dealtStripes(next, origin.carried.stripes) : stockOf("common", next, seats, 0),
    redThrees: laid, lone: position.lone, recycles: position.recycles, hasMelded: [...position.has_melded],
    hadTurn: [...position.had_turn], lastTurn: position.last_turn, meldedThisTurn: position.melded_this_turn,
  });
  if (position.phase === "hand_over") hand.ended = position.ended;
  if (position.phase === "answer") {
    hand.askedIn = position.began === null ? "draw" : "play";
    hand.asked = promisedBy(position.ask.then);
  }
  if (origin.carried) hand.carry(origin.carried);
  return { hand, scores: position.scores };
}
