// The hash chain (formats, part 7): `hash` is the SHA-256 of `prev`, a line feed, and the event without those two.

import { utf8 } from "./bytes.mjs";
import { canonical } from "./canonical.mjs";
import { Fault, need } from "./faults.mjs";
import { sha256Hex } from "./sha256.mjs";
import { isHex } from "./shapes.mjs";

const DIGITS = 64;
const LINE_FEED = 0x0a;

const HASH = '"hash":"';
const PREV = '"prev":"';
const MEMBER = HASH.length + DIGITS + '",'.length;

export class Chain {
  #buffer = new Uint8Array(1 << 16);

  constructor(game) {
    this.head = sha256Hex(utf8(game));
    this.events = 0;
  }

  /** Check that an event is the next one; its line, which is canonical, comes as bytes, text and value. */
  follow(line) {
    const { value: event } = line;
    const due = this.events + 1;
    need(event.n <= due, "event_missing", () => `event ${due} is missing: event ${event.n} stands here`);
    need(event.n === due, "event_repeated", () => `event ${event.n} stands here again: event ${due} is due`);
    const own = isHex(event.prev, DIGITS / 2) && event.hash.length === DIGITS;
    const right = own && (this.#linkQuickly(line) === event.hash || this.#link(event) === event.hash);
    if (event.prev !== this.head) {
      const before = this.events === 0 ? "SHA-256 of the game's id" : "hash of the event before";
      need(
        !right,
        "spliced",
        () => `the event is whole, but its prev is not the ${before}: it is of another place or game`,
      );
      throw new Fault("prev_wrong", `prev is not the ${before}`);
    }
    need(right, "hash_wrong", "hash is not that of the event");
    this.head = event.hash;
    this.events = due;
  }

  /** The hash by the bytes of the line, both members cut out of them; null where they are not easily found. */
  #linkQuickly({ bytes, text, value: { prev, hash } }) {
    const hashAt = text.indexOf(HASH);
    const prevAt = text.indexOf(PREV, hashAt + MEMBER);
    // Where every character is one byte, places in the text are places in the bytes.
    const plain = text.length === bytes.length && hashAt >= 0 && prevAt >= 0;
    const found = plain && text.startsWith(hash, hashAt + HASH.length) && text.startsWith(prev, prevAt + PREV.length);
    if (!found) return null;
    const start = this.#begin(prev, bytes.length);
    const buffer = this.#buffer;
    buffer.set(bytes, start);
    buffer.copyWithin(start + prevAt, start + prevAt + MEMBER, start + bytes.length);
    buffer.copyWithin(start + hashAt, start + hashAt + MEMBER, start + bytes.length - MEMBER);
    return sha256Hex(buffer, start + bytes.length - 2 * MEMBER);
  }

  /** The hash by its definition. */
  #link({ prev, hash: _, ...own }) {
    const body = utf8(canonical(own));
    const start = this.#begin(prev, body.length);
    this.#buffer.set(body, start);
    return sha256Hex(this.#buffer, start + body.length);
  }

  /** Put `prev`, which is hexadecimal, and a line feed into the buffer with room for `more` bytes; where these begin. */
  #begin(prev, more) {
    const most = DIGITS + 1 + more;
    if (this.#buffer.length < most) this.#buffer = new Uint8Array(2 * most);
    for (let i = 0; i < DIGITS; i++) this.#buffer[i] = prev.charCodeAt(i);
    this.#buffer[DIGITS] = LINE_FEED;
    return DIGITS + 1;
  }

  /** Check the trailer. */
  close({ events, head }) {
    need(events === this.events, "count_wrong", () => `the trailer counts ${events} events, there are ${this.events}`);
    need(head === this.head, "head_wrong", "head is not the hash of the last event");
  }
}
