// What the verifier's own building blocks come to: a list of calls on standard input, their results on standard output.

import { fromHex, utf8 } from "../../../service/verifier/bytes.mjs";
import { canonical } from "../../../service/verifier/canonical.mjs";
import { sha256Hex } from "../../../service/verifier/sha256.mjs";
import { Shake256 } from "../../../service/verifier/shake256.mjs";
import * as shuffle from "../../../service/verifier/shuffle.mjs";

const hex = (bytes) => Buffer.from(bytes).toString("hex");

const CALLS = {
  sha256: (message) => sha256Hex(fromHex(message)),
  shake256: (message, bytes) => hex(new Shake256(fromHex(message)).bytes(bytes)),
  canonical: (text) => hex(utf8(canonical(JSON.parse(text)))),
  deck: (seed, packs, jokers) => shuffle.deckOf(fromHex(seed), packs, jokers),
  below: (seed, label, limits) => {
    const words = new shuffle.Words(Uint8Array.of(...fromHex(seed), ...utf8(label)));
    return limits.map((limit) => words.below(limit));
  },
  commitment: (algorithm, master) => shuffle.commitmentOf(algorithm, fromHex(master)),
  nonce: (nonce) => shuffle.nonceCommitment(fromHex(nonce)),
  hand: (context, master, nonces, randomness, k) =>
    hex(shuffle.handSeed(context, fromHex(master), nonces, randomness, k)),
  board: (context, master, randomness, b) => hex(shuffle.boardSeed(context, fromHex(master), randomness, b)),
  dealer: (seed, players) => shuffle.firstDealerOf(fromHex(seed), players),
};

let given = "";
for await (const piece of process.stdin.setEncoding("utf8")) given += piece;
const calls = JSON.parse(given);
process.stdout.write(JSON.stringify(calls.map(([name, ...given]) => CALLS[name](...given))));
