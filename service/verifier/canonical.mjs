// Canonical JSON (RFC 8785): members by the UTF-16 code units of their names, numbers and text as ECMAScript writes them.

import { Fault } from "./faults.mjs";

/** The deepest nesting of lists and objects that is read. */
const DEPTH_MAX = 64;

/** The canonical text of a value that came out of JSON. Raises `too_deep`. */
export function canonical(value, depth = 0) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (depth === DEPTH_MAX) throw new Fault("too_deep", `lists and objects are nested more than ${DEPTH_MAX} deep`);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join(",")}]`;
  // Without an argument `sort` compares UTF-16 code units, which is the order that RFC 8785 asks for.
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name], depth + 1)}`).join(",")}}`;
}

/**
 * Whether a text is the canonical one of the value that was read from it. Most lines are told by what the engine itself
 * writes, which has the members in the order in which they were read.
 */
export function isCanonical(text, value) {
  return (isSorted(value) && JSON.stringify(value) === text) || canonical(value) === text;
}

/** Whether the members of every object in a value come in canonical order. */
function isSorted(value, depth = 0) {
  if (value === null || typeof value !== "object") return true;
  if (depth === DEPTH_MAX) return false;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object" && !isSorted(item, depth + 1)) return false;
    return true;
  }
  let before = "";
  for (const name in value) {
    if (name < before) return false;
    before = name;
    const inside = value[name];
    if (typeof inside === "object" && !isSorted(inside, depth + 1)) return false;
  }
  return true;
}

/** Whether two values that came out of JSON are the same, whatever the order of their members. */
export function same(one, other) {
  if (one === other) return true;
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  if (Array.isArray(one)) {
    if (one.length !== other.length) return false;
    for (let i = 0; i < one.length; i++) if (one[i] !== other[i] && !same(one[i], other[i])) return false;
    return true;
  }
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]));
}
