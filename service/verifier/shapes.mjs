// Checks of the form of JSON values. A check takes a value and its path and raises a fault where the value is wrong.
// The path is null where nobody wants to know it: `checked` names it once something has been found.

import { isFace } from "./cards.mjs";
import { Fault } from "./faults.mjs";

const HEX = /^[0-9a-f]*$/;
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|\+00:00)$/;

function wrong(path, needed) {
  throw new Fault("ill_typed", `${path || "the line"} must be ${needed}`);
}

/** Run a check; only the path of what is wrong is put together. */
export function checked(check, value, path = "") {
  try {
    return check(value, null);
  } catch (fault) {
    check(value, path);
    throw fault;
  }
}

const itemOf = (path, i) => (path === null ? null : `${path}[${i}]`);
const memberOf = (path, name) => (path ? `${path}.${name}` : path === null ? null : name);

export const text = (value, path) => typeof value === "string" || wrong(path, "text");
export const bool = (value, path) => typeof value === "boolean" || wrong(path, "true or false");
export const anything = () => true;
export const object = (value, path) => isObject(value) || wrong(path, "an object");

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export const whole =
  (least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER) =>
  (value, path) =>
    (Number.isSafeInteger(value) && least <= value && value <= most) ||
    wrong(path, `a whole number${least > Number.MIN_SAFE_INTEGER ? ` of at least ${least}` : ""}`);

export const oneOf =
  (...values) =>
  (value, path) =>
    values.includes(value) || wrong(path, `one of ${values.map((each) => JSON.stringify(each)).join(", ")}`);

export const nullable = (check) => (value, path) => value === null || check(value, path);

/** Whether a value is this many bytes in lower-case hexadecimal digits. */
export const isHex = (value, bytes) => typeof value === "string" && value.length === 2 * bytes && HEX.test(value);

export const hex = (bytes) => (value, path) =>
  isHex(value, bytes) || wrong(path, `${2 * bytes} lower-case hexadecimal digits`);

/** Hexadecimal digits of a number of bytes between two limits. */
export const hexBetween = (least, most) => (value, path) => {
  const fits = typeof value === "string" && value.length >= 2 * least && value.length <= 2 * most;
  return (fits && value.length % 2 === 0 && HEX.test(value)) || wrong(path, "lower-case hexadecimal digits");
};

/** 16 random bytes that keep the hash of an event from telling what is in it. */
export function salt(value) {
  if (isHex(value, 16)) return true;
  throw new Fault("bad_salt", "salt must be 32 lower-case hexadecimal digits");
}

/** RFC 3339 in UTC. A leap second is the 61st of its minute. */
export function time(value) {
  const parts = typeof value === "string" ? TIME.exec(value) : null;
  if (parts) {
    const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
    const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    const days = month === 2 ? 28 + leap : 31 - (((month - 1) % 7) % 2);
    if (month >= 1 && month <= 12 && day >= 1 && day <= days) return true;
  }
  throw new Fault("bad_time", "at must be a time of RFC 3339 in UTC");
}

/** A card; `??` stands for one that a public form hides, and a record hides nothing. */
export function card(value, path) {
  if (value === "??") throw new Fault("incomplete", `${path} is hidden: a record hides nothing`);
  return isFace(value) || wrong(path, "a card");
}

export const list = (check) => (value, path) => {
  if (!Array.isArray(value)) wrong(path, "a list");
  for (let i = 0; i < value.length; i++) check(value[i], itemOf(path, i));
  return true;
};

/** A list that a public form may show by its length: in a record it must be there. */
export const shown = (check) => (value, path) => {
  if (typeof value === "number") {
    throw new Fault("incomplete", `${path} is a number instead of a list: a record hides nothing`);
  }
  return list(check)(value, path);
};

/** An object with any keys, whose values are all alike. */
export const byKey = (check) => (value, path) => {
  object(value, path);
  for (const [name, each] of Object.entries(value)) check(each, memberOf(path, name));
  return true;
};

/**
 * An object with exactly these keys; those in `optional` may be absent. An `open` one may have others, too; keys of a
 * `line` have faults of their own, while inside of one they are a matter of its type.
 */
export const record = (keys, optional = {}, { open = false, line = false } = {}) => {
  const [strange, lacking] = line ? ["unknown_key", "missing_key"] : ["ill_typed", "ill_typed"];
  const needed = Object.entries(keys);
  const known = new Map([...needed, ...Object.entries(optional)]);
  return (value, path) => {
    object(value, path);
    for (const name in value) {
      const check = known.get(name);
      if (check) check(value[name], memberOf(path, name));
      else if (!open) throw new Fault(strange, `${memberOf(path, name)} is not a key of this format`);
    }
    for (const [name] of needed) {
      if (!Object.hasOwn(value, name)) throw new Fault(lacking, `${memberOf(path, name)} is missing`);
    }
    return true;
  };
};
