// SHA-256 (FIPS 180-4), at once and without waiting, so that the same code runs in a page and in Node.

const PRIMES = [];
for (let candidate = 2; PRIMES.length < 64; candidate++) {
  if (PRIMES.every((prime) => candidate % prime !== 0)) PRIMES.push(candidate);
}

// The first 32 bits of the fractions of the roots: 2^32 * root has fewer than 53 bits before the point, so that a
// double holds them exactly.
const fraction = (root) => Math.floor((root - Math.floor(root)) * 4294967296) | 0;
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

const BLOCK = 64;
const schedule = new Int32Array(64);

function digestBlock(state, bytes, at) {
  const w = schedule;
  for (let i = 0; i < 16; i++, at += 4) {
    w[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15];
    const y = w[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
  }
  let a = state[0];
  let b = state[1];
  let c = state[2];
  let d = state[3];
  let e = state[4];
  let f = state[5];
  let g = state[6];
  let h = state[7];
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

const words = new Int32Array(8);
const tail = new Uint8Array(2 * BLOCK);
const tailView = new DataView(tail.buffer);

/** The SHA-256 of the first `length` bytes, as eight words that the next call overwrites. */
function digest(bytes, length) {
  words.set(START);
  let at = 0;
  for (; at + BLOCK <= length; at += BLOCK) digestBlock(words, bytes, at);
  const rest = length - at;
  const end = rest + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
  tail.fill(0);
  for (let i = 0; i < rest; i++) tail[i] = bytes[at + i];
  tail[rest] = 0x80;
  tailView.setUint32(end - 8, Math.floor(length / 0x20000000));
  tailView.setUint32(end - 4, (length * 8) >>> 0);
  for (let i = 0; i < end; i += BLOCK) digestBlock(words, tail, i);
  return words;
}

/** The SHA-256 of the first `length` bytes in hexadecimal digits. */
export function sha256Hex(bytes, length = bytes.length) {
  let text = "";
  for (const word of digest(bytes, length)) text += (word >>> 0).toString(16).padStart(8, "0");
  return text;
}
