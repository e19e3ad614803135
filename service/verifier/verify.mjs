// A game record, checked from its bytes alone. The same code runs in Node and in the page.

import { Chain } from "./chain.mjs";
import { OF_DETAILS, checkEvent, checkHeader, checkTrailer } from "./events.mjs";
import { checkReveal, faultOfDeals } from "./fairness.mjs";
import { Fault, need } from "./faults.mjs";
import { Game } from "./game.mjs";
import { checkCanonical, lineRanges, numberIn, objectIn, plainLine, plainText } from "./reader.mjs";
import { summaryOf } from "./summary.mjs";

const VERSION = "meldhouse/1";

export const CHECKED = [
  "form: UTF-8, canonical JSON, the keys and types of every event",
  "chain: n, prev, hash and the trailer",
  "fairness: commitment, nonces, randomness of the beacon, context, first dealer, every deck by its shuffle",
  "cards: every deal from its deck, every draw, replacement and take; every card laid or discarded was held",
  "turns: who acts when, hands and games that end where they must",
  "counting: every score line, total and winner from what lies on the table",
];

export const NOT_CHECKED = [
  "the legality of every move (first melds, limits of melds, frozen piles, going out): the command meldhouse verify does that",
  "the signature of a beacon, and that its round still lay ahead at closing: only that its randomness is the SHA-256 of the signature",
  "whether the options of the rule set go together, and the position that a practice game begins from: only their form",
  "whether anybody looked at hands that were hidden from them: no record can show that",
  "whether this history is the one that was played: compare its head with one that was kept elsewhere",
];

class Verification {
  constructor() {
    this.line = 0;
    this.header = null;
    this.game = null;
    this.chain = null;
    this.revealed = null;
    this.trailer = null;
    this.played = null;
  }

  /** The first fault of a file with its line, or null. */
  run(bytes) {
    const read = this.#read(bytes);
    const deals = this.#deals();
    // What the header tells of the end is judged last, when everything below it is right.
    if (deals && read?.code === "header_differs") return deals;
    const faults = [deals, this.played, read].filter((fault) => fault !== null);
    return faults.sort((one, other) => one.line - other.line)[0] ?? null;
  }

  #read(bytes) {
    const text = plainText(bytes);
    let rest = bytes;
    try {
      for (const range of lineRanges(bytes)) {
        const { start, end, ended } = range;
        this.line++;
        rest = bytes.subarray(end + ended);
        need(this.trailer === null, "after_trailer", "something stands behind the trailer");
        this.#take(text === null ? objectIn(bytes.subarray(start, end), ended) : plainLine(bytes, text, range));
      }
      this.line++;
      need(this.trailer !== null, "truncated", "the trailer is missing: the file ends too early");
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return at(this.line, error.code === "event_missing" ? this.#lookedFor(error, rest) : error);
    }
    return null;
  }

  /** An event that is missing may stand further down, where lines have been moved. */
  #lookedFor(missing, rest) {
    const due = this.chain.events + 1;
    let line = this.line;
    for (const { start, end } of lineRanges(rest)) {
      line++;
      if (numberIn(rest.subarray(start, end)) === due) {
        return new Fault("event_moved", `event ${due} stands in line ${line} instead: lines have been moved`);
      }
    }
    return missing;
  }

  #take(line) {
    if (this.header === null) this.#begin(line);
    else {
      checkCanonical(line);
      if ("end" in line.value) this.#end(line.value);
      else {
        this.#event(line);
      }
    }
  }

  #event(line) {
    const { value } = line;
    let detail = null;
    try {
      checkEvent(value);
    } catch (fault) {
      if (!OF_DETAILS.has(fault.code)) throw fault;
      detail = fault;
    }
    this.chain.follow(line);
    if (detail) throw detail;
    this.#play(value);
  }

  #begin(line) {
    const { value } = line;
    need(typeof value.record === "string", "header_missing", "the first line is not the header of a record");
    need(value.record === VERSION, "unknown_version", `${JSON.stringify(value.record)} is not ${VERSION}`);
    checkCanonical(line);
    checkHeader(value);
    this.header = value;
    this.chain = new Chain(value.game);
    this.game = new Game(value);
  }

  #end(value) {
    checkTrailer(value);
    this.chain.close(value);
    this.trailer = value;
    if (this.played) return;
    const { status, created } = this.game;
    need(status !== "new", "out_of_place", "a record begins with created");
    need(status === "ended" || status === "revealed", "not_ended", "the game has not ended");
    need(created.fairness === null || status === "revealed", "not_revealed", "the master secret was not revealed");
    this.game.checkHeader();
  }

  /** After the first fault of the play only form and chain are read on, to find what was revealed. */
  #play(event) {
    if (event.type === "revealed") this.revealed = { line: this.line, event };
    if (this.played) return;
    try {
      this.game.apply(event);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.played = at(this.line, error);
    }
  }

  #deals() {
    if (!this.revealed || !this.game.created?.fairness) return null;
    try {
      checkReveal(this.game, this.revealed.event);
    } catch (error) {
      if (error instanceof Fault) return at(this.revealed.line, error);
      throw error;
    }
    const found = faultOfDeals(this.game, this.revealed.event);
    // Event n stands in line n + 1, below the header.
    return found && at(found.n + 1, found.fault);
  }
}

/** A fault with its line, which some faults know better than whoever found them. */
const at = (line, fault) => ({ line: fault.line ?? line, code: fault.code, message: fault.message });

/**
 * Verify the bytes of a record: `ok`, the first `fault` (line, code, message) or null, how many `events` and `hands`
 * were read up to it, `head` of the chain where all is well, what was `checked` and what was not, and the `table`: who
 * sat there, the hands that were counted, and what the deals were made of. Nothing is raised, whatever the bytes are.
 */
export function verify(bytes) {
  const verification = new Verification();
  const fault = verification.run(bytes);
  const { chain, game, header } = verification;
  const ok = fault === null;
  return {
    ok,
    fault,
    game: header?.game ?? null,
    ...summaryOf(header, game),
    events: chain?.events ?? 0,
    head: ok ? chain.head : null,
    checked: CHECKED,
    not_checked: NOT_CHECKED,
  };
}
