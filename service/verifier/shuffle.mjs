// Shuffle and seeds: formats part 9, MELD-DEAL-1 and MELD-BOARD-1 of the fairness document.

import { fourBytes, fromHex, joined, utf8 } from "./bytes.mjs";
import { canonical } from "./canonical.mjs";
import { pack } from "./cards.mjs";
import { sha256Hex } from "./sha256.mjs";
import { Shake256 } from "./shake256.mjs";

const SEED_BYTES = 128;

/** Even numbers out of a stream of four-byte words. */
export class Words {
  #stream;

  constructor(seed) {
    this.#stream = new Shake256(seed);
  }

  #word() {
    let word = 0;
    for (let i = 0; i < 4; i++) word = (word << 8) | this.#stream.byte();
    return word >>> 0;
  }

  /** A number from 0 to limit - 1, each as likely as the other. */
  below(limit) {
    const end = 4294967296 - (4294967296 % limit);
    for (;;) {
      const word = this.#word();
      if (word < end) return word % limit;
    }
  }
}

/** The deck that follows from a hand seed, in drawing order. */
export function deckOf(handSeed, packs, jokers) {
  const cards = [...pack(packs, jokers)];
  const words = new Words(joined([handSeed, utf8("deck")]));
  for (let i = cards.length - 1; i > 0; i--) {
    const j = words.below(i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

/** The first dealer that follows from the hand seed of hand 1. */
export function firstDealerOf(handSeed, players) {
  return new Words(joined([handSeed, utf8("dealer")])).below(players);
}

/** Parts, each behind its length in four bytes. */
function enc(...parts) {
  return joined(parts.flatMap((part) => [fourBytes(part.length), part]));
}

/** The commitment to a master secret, under `MELD-DEAL-1` or `MELD-BOARD-1`. */
export function commitmentOf(algorithm, master) {
  return sha256Hex(enc(utf8(`${algorithm}/commit`), master));
}

/** The commitment of a player to a nonce. */
export function nonceCommitment(nonce) {
  return sha256Hex(enc(utf8("MELD-DEAL-1/player"), nonce));
}

/** The seed of hand k of a game: nonces by seat in hexadecimal digits or null, as is the randomness of the beacon. */
export function handSeed(context, master, nonces, randomness, k) {
  const number = fourBytes(k);
  const own = new Shake256(enc(utf8("MELD-DEAL-1/hand"), master, number)).bytes(SEED_BYTES);
  return enc(
    utf8("MELD-DEAL-1/seed"),
    utf8(canonical(context)),
    own,
    ...nonces.map((nonce) => fromHex(nonce ?? "")),
    fromHex(randomness ?? ""),
    number,
  );
}

/** The seed of board b of a tournament. */
export function boardSeed(context, master, randomness, b) {
  const number = fourBytes(b);
  const own = new Shake256(enc(utf8("MELD-BOARD-1/hand"), master, number)).bytes(SEED_BYTES);
  return enc(utf8("MELD-BOARD-1/seed"), utf8(canonical(context)), own, fromHex(randomness ?? ""), number);
}

/** The seed of hand k of a practice game, from the seed that its origin names. */
export function practiceSeed(seed, k) {
  return enc(utf8("MELD-PRACTICE-1/hand"), fromHex(seed), fourBytes(k));
}
