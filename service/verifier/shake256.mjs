// SHAKE256 (FIPS 202): Keccak-f[1600] on 32-bit halves of its lanes, written out as a stream of bytes.

const RATE = 136;
const ROUNDS = 24;

// Constants of the rounds by the shift register of FIPS 202, 3.2.5; offsets and walk of rho and pi by 3.2.2 and 3.2.3.
const IOTA_LOW = new Int32Array(ROUNDS);
const IOTA_HIGH = new Int32Array(ROUNDS);
let register = 1;
for (let round = 0; round < ROUNDS; round++) {
  for (let j = 0; j <= 6; j++) {
    const bit = (1 << j) - 1;
    if (register & 1) {
      if (bit < 32) IOTA_LOW[round] ^= 1 << bit;
      else IOTA_HIGH[round] ^= 1 << (bit - 32);
    }
    register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
  }
}
const LANE = [];
const TURN = [];
for (let step = 0, x = 1, y = 0; step < 24; step++) {
  LANE.push(x + 5 * y);
  TURN.push((((step + 1) * (step + 2)) / 2) % 64);
  [x, y] = [y, (2 * x + 3 * y) % 5];
}

const PATH = Uint8Array.from(LANE, (_, step) => LANE[(step + 1) % 24]);
const TURNS = Uint8Array.from(TURN);

/** Theta, rho and pi, chi, iota, 24 times over. Lane x + 5y stands at that place, halved. */
function permute(low, high) {
  for (let round = 0; round < ROUNDS; round++) {
    theta(low, high);
    let carriedLow = low[1];
    let carriedHigh = high[1];
    for (let step = 0; step < 24; step++) {
      // The lane at the end of the step's arrow gets the lane at its start, turned.
      const target = PATH[step];
      const turn = TURNS[step];
      const first = turn < 32 ? carriedLow : carriedHigh;
      const second = turn < 32 ? carriedHigh : carriedLow;
      carriedLow = low[target];
      carriedHigh = high[target];
      const by = turn & 31;
      low[target] = by ? (first << by) | (second >>> (32 - by)) : first;
      high[target] = by ? (second << by) | (first >>> (32 - by)) : second;
    }
    chi(low);
    chi(high);
    low[0] ^= IOTA_LOW[round];
    high[0] ^= IOTA_HIGH[round];
  }
}

function theta(low, high) {
  const a = low[0] ^ low[5] ^ low[10] ^ low[15] ^ low[20];
  const b = low[1] ^ low[6] ^ low[11] ^ low[16] ^ low[21];
  const c = low[2] ^ low[7] ^ low[12] ^ low[17] ^ low[22];
  const d = low[3] ^ low[8] ^ low[13] ^ low[18] ^ low[23];
  const e = low[4] ^ low[9] ^ low[14] ^ low[19] ^ low[24];
  const f = high[0] ^ high[5] ^ high[10] ^ high[15] ^ high[20];
  const g = high[1] ^ high[6] ^ high[11] ^ high[16] ^ high[21];
  const h = high[2] ^ high[7] ^ high[12] ^ high[17] ^ high[22];
  const i = high[3] ^ high[8] ^ high[13] ^ high[18] ^ high[23];
  const j = high[4] ^ high[9] ^ high[14] ^ high[19] ^ high[24];
  column(low, 0, e ^ ((b << 1) | (g >>> 31)));
  column(high, 0, j ^ ((g << 1) | (b >>> 31)));
  column(low, 1, a ^ ((c << 1) | (h >>> 31)));
  column(high, 1, f ^ ((h << 1) | (c >>> 31)));
  column(low, 2, b ^ ((d << 1) | (i >>> 31)));
  column(high, 2, g ^ ((i << 1) | (d >>> 31)));
  column(low, 3, c ^ ((e << 1) | (j >>> 31)));
  column(high, 3, h ^ ((j << 1) | (e >>> 31)));
  column(low, 4, d ^ ((a << 1) | (f >>> 31)));
  column(high, 4, i ^ ((f << 1) | (a >>> 31)));
}

function column(half, x, value) {
  half[x] ^= value;
  half[x + 5] ^= value;
  half[x + 10] ^= value;
  half[x + 15] ^= value;
  half[x + 20] ^= value;
}

function chi(half) {
  for (let row = 0; row < 25; row += 5) {
    const a = half[row];
    const b = half[row + 1];
    const c = half[row + 2];
    const d = half[row + 3];
    const e = half[row + 4];
    half[row] = a ^ (~b & c);
    half[row + 1] = b ^ (~c & d);
    half[row + 2] = c ^ (~d & e);
    half[row + 3] = d ^ (~e & a);
    half[row + 4] = e ^ (~a & b);
  }
}

function mix(low, high, position, value) {
  const half = position & 4 ? high : low;
  half[position >> 3] ^= value << (8 * (position & 3));
}

/** The endless output of SHAKE256 over a message. */
export class Shake256 {
  #low = new Int32Array(25);
  #high = new Int32Array(25);
  #at = 0;

  constructor(message) {
    let position = 0;
    for (const value of message) {
      mix(this.#low, this.#high, position++, value);
      if (position === RATE) {
        permute(this.#low, this.#high);
        position = 0;
      }
    }
    mix(this.#low, this.#high, position, 0x1f);
    mix(this.#low, this.#high, RATE - 1, 0x80);
    permute(this.#low, this.#high);
  }

  /** The next byte. */
  byte() {
    if (this.#at === RATE) {
      permute(this.#low, this.#high);
      this.#at = 0;
    }
    const half = this.#at & 4 ? this.#high : this.#low;
    const value = (half[this.#at >> 3] >>> (8 * (this.#at & 3))) & 0xff;
    this.#at++;
    return value;
  }

  /** The next `count` bytes. */
  bytes(count) {
    return Uint8Array.from({ length: count }, () => this.byte());
  }
}
