// Seats, closing and nonces: what happens before the first card, and who sits where during the game.

import { fromHex } from "./bytes.mjs";
import { expect } from "./expecting.mjs";
import { checkedAs, need } from "./faults.mjs";
import { sha256Hex } from "./sha256.mjs";
import { hex, hexBetween, isHex, record, whole } from "./shapes.mjs";
import { nonceCommitment } from "./shuffle.mjs";

const fixedBeacon = record({ chain: hex(32), round: whole(1) });
const shownBeacon = record({ chain: hex(32), round: whole(1), signature: hexBetween(48, 96), randomness: hex(32) });

const refused = (condition, message) => need(condition, "table_refused", message);

export class Table {
  constructor({ players, fairness }) {
    this.mode = fairness?.mode ?? null;
    this.fair = fairness !== null;
    this.seats = Array(players).fill(null);
    this.last = Array(players).fill(null);
    this.departed = new Set();
    this.closed = null;
    this.nonces = null;
    this.started = null;
  }

  seated({ seat, player, kind, bot }) {
    refused(this.closed === null || this.started !== null, "nobody sits down between closing and the start");
    refused(this.seats[seat] === null, `seat ${seat} is taken`);
    refused(this.seats.every((sitting) => sitting?.player !== player), `${player} holds a seat already`);
    refused(!this.departed.has(player), `${player} has left a seat of this game and cannot take another`);
    refused(bot === null || kind === "bot", "a human has no level of a bot");
    this.seats[seat] = { player, kind, bot };
    this.last[seat] = this.seats[seat];
  }

  unseated({ seat, player, kind, bot }) {
    const sitting = this.seats[seat];
    refused(sitting !== null, `seat ${seat} is empty`);
    expect("player", player, sitting.player);
    expect("kind", kind, sitting.kind);
    expect("bot", bot, sitting.bot);
    this.seats[seat] = null;
    if (this.started !== null) this.departed.add(player);
    else if (this.closed !== null) {
      const failed = this.closed.nonce_commitments[seat] !== null && this.nonces[seat] === null;
      refused(failed, "between closing and the start a seat is freed only for a nonce that did not come");
      this.closed = null;
      this.nonces = null;
    }
  }

  close(event) {
    refused(this.closed === null, "the table is closed already");
    refused(this.seats.every((sitting) => sitting !== null), "a seat is empty");
    expect("seats", event.seats, this.seats.map(({ player }) => player));
    refused(event.nonce_commitments.length === this.seats.length, "nonce_commitments must have an entry a seat");
    const sound = event.nonce_commitments.every((commitment) => commitment === null || isHex(commitment, 32));
    refused(sound, "a commitment to a nonce must be 64 lower-case hexadecimal digits");
    const none = event.nonce_commitments.every((commitment) => commitment === null);
    refused(none || this.mode === "players", "nonces are brought in mode players only");
    if (event.beacon !== null) {
      need(this.fair, "fairness_invalid", "a practice game uses no beacon");
      checkedAs("fairness_invalid", fixedBeacon, event.beacon, "beacon");
    }
    this.closed = event;
    this.nonces = this.seats.map(() => null);
  }

  reveal({ seat, nonce }) {
    refused(this.closed !== null && this.started === null, "nonces are shown between closing and the start");
    const commitment = this.closed.nonce_commitments[seat];
    refused(commitment !== null, `seat ${seat} committed to no nonce`);
    refused(this.nonces[seat] === null, `seat ${seat} has shown its nonce`);
    const kept = nonceCommitment(fromHex(nonce)) === commitment;
    need(kept, "nonce_wrong", `the nonce of seat ${seat} is not the one committed to`);
    this.nonces[seat] = nonce;
  }

  start(event) {
    refused(this.closed !== null, "the table is not closed");
    const missing = this.closed.nonce_commitments.findIndex((each, seat) => each !== null && !this.nonces[seat]);
    refused(missing < 0, `seat ${missing} has not shown its nonce`);
    expect("entropy", event.entropy, this.nonces, "nonce_wrong");
    const { beacon } = event;
    if (beacon) checkedAs("fairness_invalid", shownBeacon, beacon, "beacon");
    expect("beacon", beacon && { chain: beacon.chain, round: beacon.round }, this.closed.beacon, "beacon_wrong");
    if (beacon) {
      const randomness = sha256Hex(fromHex(beacon.signature));
      expect("randomness of the beacon", beacon.randomness, randomness, "beacon_wrong");
    }
    refused(event.first_dealer >= 0 && event.first_dealer < this.seats.length, "first_dealer must be a seat");
    this.started = event;
  }
}
