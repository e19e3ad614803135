// The lines of a record, read strictly: UTF-8, one canonical JSON object a line, each ended by a line feed.

import { isCanonical } from "./canonical.mjs";
import { Fault, need } from "./faults.mjs";
import { isObject } from "./shapes.mjs";

/** The longest line in bytes, its line feed included. */
const LINE_BYTES_MAX = 256 * 1024;

const LINE_FEED = 0x0a;
const OPENING = 0x7b;
const BLANK = [0x20, 0x09, 0x0b, 0x0c];
const CARRIAGE_RETURN = 0x0d;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Where each line of a file starts and ends, its line feed left out; the last may lack one and is not `ended`. */
export function* lineRanges(bytes) {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    yield { start, end, ended: found >= 0 };
    start = end + 1;
  }
}

/** Which event stands in a line, so far as that can be told. */
export function numberIn(bytes) {
  try {
    return JSON.parse(decoder.decode(bytes))?.n ?? null;
  } catch {
    return null;
  }
}

/** The text of a whole file where its bytes are plain ASCII without carriage returns and NUL bytes; otherwise null. */
export function plainText(bytes) {
  if (bytes.includes(CARRIAGE_RETURN) || bytes.includes(0)) return null;
  try {
    const text = decoder.decode(bytes);
    return text.length === bytes.length ? text : null;
  } catch {
    return null;
  }
}

/** The line between two places of a plain file, as `objectIn` gives it. */
export function plainLine(bytes, text, { start, end, ended }) {
  const line = bytes.subarray(start, end);
  // A line that is blank, too long or broken off is told by the slow way round.
  if (!ended || end - start >= LINE_BYTES_MAX || bytes[start] !== OPENING) return objectIn(line, ended);
  const own = text.slice(start, end);
  return { bytes: line, text: own, value: parsed(own) };
}

/** A line as its bytes, its text and the object in it, however it is written, or a fault. */
export function objectIn(bytes, ended) {
  need(bytes.length + ended <= LINE_BYTES_MAX, "line_too_long", `the line is longer than ${LINE_BYTES_MAX} bytes`);
  need(!(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf), "byte_order_mark", "a byte order mark");
  need(!bytes.includes(CARRIAGE_RETURN), "carriage_return", "a carriage return: lines end with a line feed alone");
  need(bytes.some((value) => !BLANK.includes(value)), "blank_line", "a blank line");
  need(!bytes.includes(0), "nul_byte", "a NUL byte");
  need(ended, "truncated", "the file breaks off in this line, which has no line feed");
  const text = decoded(bytes);
  const value = parsed(text);
  need(isObject(value), "ill_typed", "a line must be an object");
  return { bytes, text, value };
}

/** Check that a line is canonical JSON. */
export function checkCanonical({ text, value }) {
  if (!isCanonical(text, value) || mayHideSurrogate(text)) diagnose(text);
}

function decoded(bytes) {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Fault("invalid_utf8", "bytes that are not UTF-8");
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw new Fault("too_deep", "lists and objects are nested too deep");
    throw new Fault("invalid_json", "not a JSON value");
  }
}

/** Half of a surrogate pair survives reading and writing as an escape, but has no place in canonical JSON. */
const mayHideSurrogate = (text) => /\\u[dD][89a-fA-F]/.test(text);

/** Say why a text that is JSON is not canonical; it may turn out that it is. */
function diagnose(text) {
  const names = [];
  const strings = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;
  let canonicalButForEscapes = true;
  for (const [token, colon] of text.matchAll(strings)) {
    if (token === "{") names.push(new Set());
    else if (token === "}") names.pop();
    else {
      const literal = colon ? token.slice(0, -colon.length) : token;
      const content = JSON.parse(literal);
      need(!/\p{Surrogate}/u.test(content), "lone_surrogate", "half of a surrogate pair");
      if (JSON.stringify(content) !== literal) canonicalButForEscapes = false;
      if (colon) {
        need(!names.at(-1).has(content), "duplicate_key", `the key ${JSON.stringify(content)} stands twice`);
        names.at(-1).add(content);
      }
    }
  }
  const right = canonicalButForEscapes && isCanonical(text, JSON.parse(text));
  need(right, "not_canonical", "not canonical JSON: other spacing, key order, numbers or escapes");
}
