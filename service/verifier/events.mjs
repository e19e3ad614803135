// The form of every event (formats, part 5), in the complete form of a record: nothing hidden.

import { Fault } from "./faults.mjs";
import { checkColumns } from "./rulesets.mjs";
import {
  anything, bool, byKey, card, checked, hex, list, nullable, object, oneOf, record, salt, shown, text, time, whole,
} from "./shapes.mjs";

const cards = list(card);
const seat = whole();
const count = whole(0);
const ids = list(text);
const reason = oneOf("absence", "agreement", "ruling", "time", "technical", null);
const kind = oneOf("human", "bot");
const bot = oneOf("random", "greedy", "careful", "search", "teaching", null);

const meld = { id: text, kind: oneOf("group", "sequence", "wild", "black_threes"), cards };
const melds = list(record(meld));
const redThrees = list(record({ seat, card, replacement: nullable(card) }));
const ending = { side: nullable(seat), reason };

const PLANNED = new Map(Object.entries({
  take_pile: record({ type: text }, { with: cards, onto: text, melds: list(cards) }),
  take_upcard: record({ type: text, onto: text }),
  meld: record({ type: text }, { new: list(cards), add: byKey(cards), join: list(ids) }),
  discard: record({ type: text, cards }),
}));

/** A move that is to follow a question (formats, part 4). */
export function plannedMove(value, path) {
  object(value, path);
  oneOf(...PLANNED.keys())(value.type, path);
  return PLANNED.get(value.type)(value, path);
}

const KEYS = {
  created: {
    ruleset: object, ruleset_hash: hex(32), players: whole(), sides: list(list(seat)),
    clock: nullable(record({ kind: oneOf("per_move"), move_seconds: whole(1) })),
    watch: record({ who: oneOf("anyone", "link", "nobody"), delay_seconds: count }),
    stock: oneOf("common", "striped"), fairness: nullable(object), origin: nullable(object), engine: text,
  },
  seated: { seat, player: text, kind, bot },
  unseated: { seat, player: text, kind, bot },
  closed: { seats: ids, nonce_commitments: list(nullable(text)), beacon: nullable(object) },
  nonce_revealed: { seat, nonce: hex(32) },
  placed: { position: object },
  started: { entropy: list(nullable(hex(32))), beacon: nullable(object), first_dealer: seat },
  dealt: {
    hand: whole(1), dealer: seat, deck: cards, holdings: list(shown(card)), pile: cards, stock: count,
    red_threes: redThrees,
  },
  drew: { seat, cards: shown(card), red_threes: redThrees, stock: count },
  took_pile: { seat, meld: record(meld), melds, picked_up: cards, red_threes: redThrees },
  took_upcard: { seat, meld: record(meld) },
  melded: { seat, new: melds, added: melds, joined: list(record({ ...meld, of: ids })) },
  laid_red_three: { seat, card, replacement: nullable(card) },
  asked: { seat, then: list(plannedMove) },
  answered: { seat, yes: bool },
  discarded: { seat, cards },
  passed: { seat },
  hand_ended: {
    hand: whole(1), reason: oneOf("out", "stock"), by: nullable(seat), concealed: bool, holdings: list(shown(card)),
    lines: list(object), totals: list(whole()),
  },
  stood_in: { seat, reason },
  resigned: { seat, ...ending },
  timed_out: ending,
  adjudicated: ending,
  aborted: ending,
  game_ended: {
    reason: oneOf("target", "hand_cap", "resigned", "timed_out", "adjudicated", "aborted"), totals: list(whole()),
    winners: list(seat),
  },
  revealed: { master: text, context: object },
};

const OPTIONAL = { drew: { recycled: whole(1) } };
const HIDDEN = { dealt: ["deck"], asked: ["then"] };

const CHECKS = new Map(
  Object.entries(KEYS).map(([type, keys]) => {
    const common = { n: whole(1), at: time, type: anything, salt, prev: text, hash: text };
    return [type, record({ ...common, ...keys }, OPTIONAL[type], { line: true })];
  }),
);

/** Faults of an event's details, which are told only where the event is bound into the chain. */
export const OF_DETAILS = new Set(["bad_salt", "bad_time", "incomplete"]);

/** Check the form of an event, hidden parts included: a record hides nothing. */
export function checkEvent(event) {
  if (!Object.hasOwn(event, "type")) throw new Fault("missing_key", "type is missing");
  const check = CHECKS.get(event.type);
  if (!check) throw new Fault("unknown_event_type", `${JSON.stringify(event.type)} is not a type of event`);
  for (const name of HIDDEN[event.type] ?? []) {
    if (!Object.hasOwn(event, name)) throw new Fault("incomplete", `${name} is hidden: a record hides nothing`);
  }
  checked(check, event);
}

const HEADER = record({
  record: text, game: text, ruleset: checkColumns, players: list(record({ seat, name: text, kind })),
  sides: list(list(seat)), result: record({ winners: list(seat), totals: list(whole()) }),
}, {}, { line: true });
const TRAILER = record({ end: oneOf(true), events: whole(), head: text }, {}, { line: true });

/** Line 1 of a record. Its version is known by whoever calls. */
export const checkHeader = (header) => checked(HEADER, header);

/** The last line of a record. */
export const checkTrailer = (trailer) => checked(TRAILER, trailer);
