// The course of a game: what may follow what, hands dealt and counted, totals and winners.

import { utf8 } from "./bytes.mjs";
import { canonical, same } from "./canonical.mjs";
import { inOrder, isPack } from "./cards.mjs";
import { deal } from "./dealing.mjs";
import { expect } from "./expecting.mjs";
import { checkTerms } from "./fairness.mjs";
import { Fault, need } from "./faults.mjs";
import { Hand, MOVES } from "./hand.mjs";
import { handFrom } from "./placing.mjs";
import { checkOrigin, practiceDealer, practiceDeck, practiceNextDealer } from "./practice.mjs";
import { checkRuleset, rulesFor } from "./rulesets.mjs";
import { linesOf } from "./scoring.mjs";
import { sha256Hex } from "./sha256.mjs";
import { Table } from "./table.mjs";

const EDITION = / rules\/([1-9][0-9]{0,5})$/;

/** A header that does not fit the game: the fault is in line 1. */
class HeaderFault extends Fault {
  line = 1;

  constructor(message) {
    super("header_differs", message);
  }
}

const place = (condition, message) => need(condition, "out_of_place", message);

/** The sides with the highest total among some. */
function best(totals, sides) {
  const highest = Math.max(...sides.map((side) => totals[side]));
  return sides.filter((side) => totals[side] === highest);
}

export class Game {
  constructor(header) {
    this.header = header;
    this.status = "new";
    this.hand = null;
    this.counted = [];
    this.ending = null;
    this.dealtHands = [];
  }

  apply(event) {
    const { type } = event;
    if (this.rules && "seat" in event) {
      const known = event.seat >= 0 && event.seat < this.rules.seats;
      const code = MOVES.has(type) || type === "resigned" ? "unknown_seat" : "table_refused";
      need(known, code, () => `there is no seat ${event.seat}`);
    }
    if (MOVES.has(type)) {
      const code = this.status === "between" ? "move_refused" : "out_of_place";
      const played = this.status === "playing" && this.hand.ended === null;
      need(played, code, () => `${type} stands where no hand is played`);
      this.hand.apply(event);
      return;
    }
    const { from, run } = COURSE[type];
    const code = OF_TABLE.has(type) && CHANGES_SEATS.has(this.status) ? "table_refused" : "out_of_place";
    need(from.includes(this.status), code, () => `${type} cannot stand here: the game is ${SAID[this.status]}`);
    if (this.status === "playing") {
      const over = this.hand.ended !== null;
      place(over === (type === "hand_ended"), over ? "hand_ended must follow" : "the hand has not ended");
      place(!this.hand.mustGoOn, "what was begun must go on first");
    }
    run(this, event);
  }

  /** Check what the header tells of a game that has ended. */
  checkHeader() {
    const { header, table, totals, ending } = this;
    if (!same(header.result, { totals, winners: ending.winners })) {
      throw new HeaderFault("the header's result is not that of the game");
    }
    const named = header.players.map(({ seat }) => seat);
    const ascending = named.every((seat, i) => i === 0 || seat > named[i - 1]);
    const right = header.players.every(({ seat, kind }) => table.last[seat]?.kind === kind);
    const whole = table.seats.every((sitting, seat) => sitting === null || named.includes(seat));
    if (!ascending || !right || !whole) {
      throw new HeaderFault("the header's players are not those who held the seats last");
    }
  }
}

function created(game, event) {
  const { header } = game;
  const edition = Number(EDITION.exec(event.engine)?.[1] ?? 1);
  need(edition === 1, "unknown_engine", () => `the game was decided by edition ${edition} of the engine, 1 is known here`);
  checkRuleset(event.ruleset);
  expect("ruleset_hash", event.ruleset_hash, sha256Hex(utf8(canonical(event.ruleset))));
  game.rules = rulesFor(event.ruleset, event.players);
  expect("sides", event.sides, game.rules.sides);
  const alike = same(header.ruleset, event.ruleset) && same(header.sides, event.sides);
  if (!alike) throw new HeaderFault("the header's rule set or sides are not those of the game");
  const { fairness, origin } = event;
  const either = (fairness === null) !== (origin === null);
  need(either, "table_refused", "a game has either fairness or, in a practice game, an origin");
  if (fairness === null) checkOrigin(event, game.rules);
  else checkTerms(fairness);
  game.totals = event.sides.map(() => 0);
  game.created = event;
  game.table = new Table(event);
  game.status = "open";
}

function dealt(game, event) {
  const { rules } = game;
  place(game.hand !== null || !game.created.origin?.position, "placed must stand here");
  const { boards } = game.created.fairness ?? {};
  const number = game.hand ? game.hand.number + 1 : 1;
  let dealer = game.table.started.first_dealer;
  if (game.hand) dealer = practiceNextDealer(game.created.origin, number) ?? (game.hand.dealer + 1) % rules.seats;
  if (boards) {
    place(number <= boards.length, () => `there are ${boards.length} boards, and no hand ${number}`);
    dealer = (boards[number - 1] - 1) % rules.seats;
  }
  expect("hand", event.hand, number);
  expect("dealer", event.dealer, dealer);
  need(isPack(event.deck, rules.packs, rules.jokers), "not_a_pack", "deck is not the pack of the rule set");
  const { holdings, pile, stock, redThrees } = deal(rules, game.created.stock, dealer, event.deck);
  expect("holdings", event.holdings, holdings);
  expect("pile", event.pile, pile);
  expect("stock", event.stock, stock.size);
  expect("red_threes", event.red_threes, redThrees);
  if (game.created.fairness === null) expect("deck", event.deck, practiceDeck(game.created, number), "deck_wrong");
  game.hand = new Hand(rules, { number, dealer, turn: (dealer + 1) % rules.seats, holdings, pile, stock });
  for (const { seat, card } of redThrees) game.hand.redThrees[seat].push(card);
  game.dealtHands.push(event);
  game.status = "playing";
}

function placed(game, event) {
  expect("position", event.position, game.created.origin?.position ?? null);
  const { hand, scores } = handFrom(game.rules, event.position, game.created);
  game.hand = hand;
  game.totals = scores;
  game.status = "playing";
  if (hand.ended === null) return;
  // A position after the end of a hand: it is counted as it stands, and the next hand may be dealt.
  const lines = linesOf(game.rules, hand, hand.ended);
  game.totals = scores.map((total, side) => total + lines[side].total);
  game.status = "between";
}

function handEnded(game, event) {
  const { rules, hand } = game;
  expect("hand", event.hand, hand.number);
  for (const key of ["reason", "by", "concealed"]) expect(key, event[key], hand.ended[key]);
  expect("holdings", event.holdings, hand.holdings.map(inOrder));
  const lines = linesOf(rules, hand, hand.ended);
  lines.forEach((line, side) => expect(`lines of side ${side}`, event.lines[side] ?? null, line));
  need(event.lines.length === lines.length, "differs", "lines must be one a side");
  game.totals = lines.map((line, side) => game.totals[side] + line.total);
  expect("totals", event.totals, game.totals);
  game.counted.push({ hand: hand.number, reason: event.reason, by: event.by, lines, totals: game.totals });
  game.ending = endAfterHand(rules, game.totals, hand.number);
  game.status = game.ending ? "ending" : "between";
}

/** How the game ends after a hand (rule book 12.1, 12.2), or null where it goes on. */
function endAfterHand(rules, totals, number) {
  const sides = totals.map((_, side) => side);
  if (Math.max(...totals) >= rules.target) {
    const winners = best(totals, sides);
    if (winners.length === 1 || rules.tie === "draw") return { reason: "target", winners };
  }
  return rules.hand_cap !== null && number >= rules.hand_cap ? { reason: "hand_cap", winners: sides } : null;
}

/** An end that is no count: `resigned`, `timed_out`, `adjudicated`, `aborted` (rule book 12.3, 12.4). */
function brokenOff(game, { type, side, seat }) {
  const { sides } = game.rules;
  const all = sides.map((_, index) => index);
  let winners = [];
  if (type === "aborted") expect("side", side, null);
  else if (side === null) {
    need(type === "adjudicated", "ill_typed", "side must say who loses");
    winners = best(game.totals, all);
  } else {
    need(side >= 0 && side < sides.length, "unknown_seat", () => `there is no side ${side}`);
    if (type === "resigned") need(sides[side].includes(seat), "differs", () => `seat ${seat} is not of side ${side}`);
    winners = best(game.totals, all.filter((other) => other !== side));
  }
  game.ending = { reason: type, winners };
  game.status = "ending";
}

function gameEnded(game, event) {
  expect("reason", event.reason, game.ending.reason);
  expect("totals", event.totals, game.totals);
  expect("winners", event.winners, game.ending.winners);
  game.status = "ended";
}

const SAID = {
  new: "not created yet", open: "open for players", closed: "closed", started: "started", playing: "in a hand",
  between: "between two hands", ending: "about to end", ended: "over", revealed: "over and revealed",
};

const OF_TABLE = new Set(["seated", "unseated", "closed", "nonce_revealed", "started", "stood_in"]);
const CHANGES_SEATS = new Set(["open", "closed", "playing"]);

const COURSE = {
  created: { from: ["new"], run: created },
  seated: { from: ["open", "playing"], run: (game, event) => game.table.seated(event) },
  unseated: {
    from: ["open", "closed", "playing"],
    run: (game, event) => {
      game.table.unseated(event);
      if (game.status === "closed") game.status = "open";
    },
  },
  closed: {
    from: ["open"],
    run: (game, event) => {
      game.table.close(event);
      game.status = "closed";
    },
  },
  nonce_revealed: { from: ["closed"], run: (game, event) => game.table.reveal(event) },
  started: {
    from: ["closed"],
    run: (game, event) => {
      game.table.start(event);
      if (!game.table.fair) expect("first_dealer", event.first_dealer, practiceDealer(game.created));
      game.status = "started";
    },
  },
  placed: { from: ["started"], run: placed },
  dealt: { from: ["started", "between"], run: dealt },
  hand_ended: { from: ["playing"], run: handEnded },
  stood_in: { from: ["playing"], run: (game, event) => place(event.seat === game.hand.toAct, "the seat is not to act") },
  resigned: { from: ["playing", "between"], run: brokenOff },
  timed_out: { from: ["playing", "between"], run: brokenOff },
  adjudicated: { from: ["playing", "between"], run: brokenOff },
  aborted: { from: ["open", "closed", "playing", "between"], run: brokenOff },
  game_ended: { from: ["ending"], run: gameEnded },
  revealed: {
    from: ["ended"],
    run: (game) => {
      need(game.created.fairness !== null, "out_of_place", "a practice game has nothing to reveal");
      game.status = "revealed";
    },
  },
};
