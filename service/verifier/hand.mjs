// One hand as its events make it: holdings, melds, pile and stock, and whose turn it is. Every card that an event
// names must come from where it says; whether the rules allow the move is no matter of this verifier. The cards of a
// holding lie in no order.

import { inOrder, isBlackThree, isRedThree, without } from "./cards.mjs";
import { layRedThrees } from "./dealing.mjs";
import { expect } from "./expecting.mjs";
import { need } from "./faults.mjs";
import { added, joinedMelds, laid, taken } from "./laying.mjs";
import { setOf } from "./melds.mjs";

const EVENT_OF_MOVE = { take_pile: "took_pile", take_upcard: "took_upcard", meld: "melded", discard: "discarded" };

/** The types of event that must follow once a partner grants these moves. */
export const promisedBy = (then) => then.map(({ type }) => EVENT_OF_MOVE[type]);

/** Every list of cards in a move. */
const cardsOf = ({ with: own = [], melds = [], new: laid = [], add = {}, cards = [] }) => [
  own, cards, ...melds, ...laid, ...Object.values(add),
];

const refused = (condition, message) => need(condition, "move_refused", message);

export class Hand {
  /** `began` holds what a deal or a position gives: number, dealer, turn, holdings, pile, stock and the like. */
  constructor(rules, began) {
    const seats = Array.from({ length: rules.seats });
    this.rules = rules;
    Object.assign(this, {
      phase: "draw", began: null, melds: new Map(), redThrees: seats.map(() => []), lone: null, recycles: 0,
      hasMelded: seats.map(() => false), hadTurn: seats.map(() => false), lastTurn: false, ended: null, ...began,
    });
    this.nextMeld = 1 + Math.max(0, ...[...this.melds.keys()].map((id) => Number(id.slice(1))));
    // The ids first laid in this turn, and whether anything was laid, or laid on an older meld, in this turn.
    this.turnMelds = [];
    this.turnLaid = (began.meldedThisTurn ?? false) || this.began === "pile" || this.began === "upcard";
    this.turnTouchedOld = (began.meldedThisTurn ?? false) || this.began === "upcard";
    this.promised = [];
    this.owed = null;
  }

  /** Take over what a fork knows of the hand beyond its position. */
  carry({ next_meld, turn_first_meld, touched_old }) {
    this.nextMeld = next_meld;
    this.turnMelds = [...this.melds.keys()].filter((id) => Number(id.slice(1)) >= turn_first_meld);
    this.turnTouchedOld = touched_old;
  }

  /** The seats that play together with a seat in this hand (rule book 2.3). */
  party(seat) {
    if (!this.rules.loneSide) return this.rules.sides.find((side) => side.includes(seat));
    if (this.lone === null || this.lone === seat) return [seat];
    return [0, 1, 2].filter((other) => other !== this.lone);
  }

  /** The seat whose move is awaited: in phase `answer` the partner's. */
  get toAct() {
    if (this.phase !== "answer") return this.turn;
    const { seats } = this.rules;
    const party = this.party(this.turn);
    for (let i = 1; i < seats; i++) {
      const seat = (this.turn + i) % seats;
      if (party.includes(seat)) return seat;
    }
    return null;
  }

  apply(event) {
    const act = ACTS[event.type];
    refused(this.ended === null, () => `the hand has ended: ${event.type} cannot follow`);
    refused(event.seat === this.toAct, () => `seat ${event.seat} acts, but it is the turn of seat ${this.toAct}`);
    refused(act.phases.includes(this.phase), () => `${event.type} cannot happen in phase ${this.phase}`);
    if (this.promised.length > 0) {
      const due = this.promised.shift();
      need(event.type === due, "out_of_place", () => `${due} was granted by the partner and must follow`);
    }
    if (this.owed !== null) refused(event.type === "laid_red_three", () => `the last card, ${this.owed}, must be laid`);
    act.run(this, event);
  }

  /** Whether the hand is in the middle of something that must go on before anything else happens. */
  get mustGoOn() {
    return this.promised.length > 0 || this.owed !== null;
  }

  /** Put cards into a seat's holding. */
  hold(seat, cards) {
    this.holdings[seat].push(...cards);
  }

  /** Take cards out of a seat's holding. */
  spend(seat, cards) {
    const left = without(this.holdings[seat], cards);
    need(left !== null, "move_refused", () => `seat ${seat} does not hold ${cards.join(" ")}`);
    this.holdings[seat] = left;
  }

  drawOne(seat) {
    const card = this.stock.draw(seat);
    // The last card to leave the stock may end the hand (7.4).
    this.lastDrawn = this.stock.size === 0 ? card : null;
    return card;
  }

  replace(seat) {
    return this.stock.size > 0 ? this.drawOne(seat) : null;
  }

  end(reason, by) {
    this.ended = { reason, by, concealed: reason === "out" && this.isConcealed(by) };
  }

  /** Whether a seat that is out now is out concealed (8.6). */
  isConcealed(seat) {
    if (this.hasMelded[seat]) return false;
    if (this.rules.concealed_condition === "whole_hand") return true;
    return !this.turnTouchedOld && this.turnMelds.some((id) => setOf(this.melds.get(id), this.rules) !== null);
  }

  outIfEmpty(seat) {
    if (this.holdings[seat].length === 0) this.end("out", seat);
  }

  /** What follows where the last card of the stock was a red three (7.4). */
  afterLastCard() {
    if (!this.rules.last_red_three_ends_hand || !this.lastDrawn || !isRedThree(this.lastDrawn)) return;
    if (this.rules.last_red_three_may_meld) this.lastTurn = true;
    else this.end("stock", null);
  }

  passOn() {
    this.hasMelded[this.turn] ||= this.turnLaid;
    this.hadTurn[this.turn] = true;
    this.turn = (this.turn + 1) % this.rules.seats;
    this.phase = "draw";
    this.began = null;
    this.turnMelds = [];
    this.turnLaid = false;
    this.turnTouchedOld = false;
  }

  begin(how) {
    this.began = how;
    this.phase = "play";
    this.lastDrawn = null;
  }
}

/** How many cards a draw takes, and whether the pile is turned over for it (10.1). */
function served({ rules, stock, pile }) {
  const due = rules.draw_count;
  if (stock.size >= due) return { count: due, turned: false };
  if (rules.stock_end === "recycle" && stock.size + pile.length >= due) return { count: due, turned: true };
  refused(stock.size > 0 && rules.short_draw === "take_remaining", () => `a stock of ${stock.size} cannot serve a draw`);
  return { count: stock.size, turned: false };
}

function draw(hand, event) {
  const { rules, stock } = hand;
  const { seat } = event;
  const { count, turned } = served(hand);
  hand.begin("stock");
  const drawn = [];
  while (drawn.length < count && stock.size > 0) drawn.push(hand.drawOne(seat));
  if (turned) {
    stock.refill(hand.pile, seat);
    expect("recycled", event.recycled ?? null, hand.pile.length);
    hand.pile = [];
    hand.recycles++;
    while (drawn.length < count) drawn.push(hand.drawOne(seat));
  } else need(event.recycled === undefined, "differs", "recycled stands here, but the pile was not turned over");
  let redThrees = [];
  if (rules.red_threes === "automatic") redThrees = layAll(hand, seat, drawn, rules.red_three_replacement !== "none");
  else {
    // In the optional mode only a last red three brings those drawn with it to the table (7.4).
    const ends = rules.last_red_three_ends_hand && hand.lastDrawn && isRedThree(hand.lastDrawn);
    if (ends) redThrees = inOrder(drawn.filter(isRedThree)).map((card) => ({ seat, card, replacement: null }));
    hand.redThrees[seat].push(...redThrees.map(({ card }) => card));
    hand.hold(seat, ends ? drawn.filter((card) => !isRedThree(card)) : drawn);
  }
  expect("cards", event.cards, inOrder(drawn));
  expect("red_threes", event.red_threes, redThrees);
  expect("stock", event.stock, stock.size);
  hand.afterLastCard();
}

/** Lay every red three that a seat holds or gets; gives what the event must say of it. */
function layAll(hand, seat, gained, replaced) {
  const draws = () => (replaced ? hand.replace(seat) : null);
  const { kept, laid } = layRedThrees(seat, [...hand.holdings[seat], ...gained], draws);
  hand.holdings[seat] = kept;
  hand.redThrees[seat].push(...laid.map(({ card }) => card));
  return laid;
}

function takePile(hand, event) {
  const { rules, pile } = hand;
  const { seat } = event;
  refused(pile.length > 0, "the pile is empty");
  hand.begin("pile");
  taken(hand, seat, event.meld, pile.at(-1));
  for (const meld of event.melds) laid(hand, seat, meld);
  const rest = inOrder(pile.slice(0, -1));
  hand.pile = [];
  let redThrees = [];
  if (rules.red_threes === "automatic") {
    redThrees = layAll(hand, seat, rest, rules.red_three_replacement === "always");
  } else hand.hold(seat, rest);
  expect("picked_up", event.picked_up, rest);
  expect("red_threes", event.red_threes, redThrees);
  if (rules.loneSide && hand.lone === null) hand.lone = seat;
  hand.outIfEmpty(seat);
  if (hand.ended === null) hand.afterLastCard();
}

function takeUpcard(hand, event) {
  refused(hand.pile.length > 0, "the pile is empty");
  refused(hand.melds.has(event.meld.id), () => `${event.meld.id} is not a meld of the party`);
  hand.begin("upcard");
  const held = hand.holdings[event.seat].length;
  taken(hand, event.seat, event.meld, hand.pile.at(-1));
  need(hand.holdings[event.seat].length === held, "differs", "cards of the hand went with the upcard");
  hand.pile.pop();
  hand.outIfEmpty(event.seat);
}

function meld(hand, event) {
  // Additions count as made in the order of their melds, however the player named them.
  const number = ({ id }) => Number(id.slice(1));
  expect("added", event.added, [...event.added].sort((one, other) => number(one) - number(other)));
  for (const each of event.added) added(hand, event.seat, each);
  for (const each of event.joined) joinedMelds(hand, event.seat, each);
  for (const each of event.new) laid(hand, event.seat, each);
  refused(event.added.length + event.joined.length + event.new.length > 0, "nothing is melded");
  hand.outIfEmpty(event.seat);
}

function layRedThree(hand, event) {
  const { rules, stock } = hand;
  const { seat, card } = event;
  refused(rules.red_threes === "optional", "red threes are laid unasked in this rule set");
  refused(isRedThree(card), () => `${card} is no red three`);
  if (hand.owed !== null) {
    expect("card", card, hand.owed);
    hand.owed = null;
    hand.spend(seat, [card]);
    hand.redThrees[seat].push(card);
    expect("replacement", event.replacement, null);
    hand.afterLastCard();
    return;
  }
  const allowed = hand.phase === "play" || rules.red_three_phase === "draw_or_play";
  const first = rules.red_three_phase === "first_draw_or_play" && !hand.hadTurn[seat];
  refused(allowed || first, "a red three cannot be laid before the turn is begun");
  hand.spend(seat, [card]);
  hand.redThrees[seat].push(card);
  const how = rules.red_three_replacement;
  const replaced = stock.size > 0 && (how === "always" || (how === "from_stock" && hand.began !== "pile"));
  const replacement = replaced ? hand.drawOne(seat) : null;
  if (replaced) hand.hold(seat, [replacement]);
  expect("replacement", event.replacement, replacement);
  if (replaced && rules.last_red_three_ends_hand && hand.lastDrawn && isRedThree(replacement)) hand.owed = replacement;
  if (hand.phase === "play") hand.outIfEmpty(seat);
}

function ask(hand, event) {
  hand.askedIn = hand.phase;
  hand.phase = "answer";
  refused(hand.toAct !== null, "there is no partner to ask");
  refused(event.then.length > 0, "nothing is to follow the question");
  for (const move of event.then) {
    for (const cards of cardsOf(move)) expect("cards of a move in then", cards, inOrder(cards));
  }
  hand.asked = promisedBy(event.then);
}

function answer(hand, event) {
  hand.phase = hand.askedIn;
  hand.promised = event.yes ? hand.asked : [];
}

function discard(hand, event) {
  const { seat, cards } = event;
  const held = hand.holdings[seat];
  const closing = cards.length === held.length && cards.length >= 3 && cards.every(isBlackThree);
  refused(cards.length === 1 || (closing && hand.rules.black_three_closing_discard), "one card is discarded");
  refused(!hand.lastTurn, "nothing can be discarded in the last turn");
  expect("cards", cards, inOrder(cards));
  hand.spend(seat, cards);
  hand.pile.push(...cards);
  hand.outIfEmpty(seat);
  if (hand.ended === null) hand.passOn();
}

const ACTS = {
  drew: { phases: ["draw"], run: draw },
  took_pile: { phases: ["draw"], run: takePile },
  took_upcard: { phases: ["draw"], run: takeUpcard },
  melded: { phases: ["play"], run: meld },
  laid_red_three: { phases: ["draw", "play"], run: layRedThree },
  asked: { phases: ["draw", "play"], run: ask },
  answered: { phases: ["answer"], run: answer },
  discarded: { phases: ["play"], run: discard },
  passed: { phases: ["draw", "play"], run: (hand) => hand.end("stock", null) },
};

/** The types of event that a hand is made of. */
export const MOVES = new Set(Object.keys(ACTS));
