// Text, hexadecimal digits and bytes.

const encoder = new TextEncoder();

/** The UTF-8 bytes of a text. */
export function utf8(text) {
  return encoder.encode(text);
}

/** The bytes that an even number of hexadecimal digits stands for; whoever calls has checked the digits. */
export function fromHex(text) {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** A number from 0 to 2^32 - 1 as four bytes, the highest first. */
export function fourBytes(value) {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}

/** Parts of bytes, one after the other. */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
