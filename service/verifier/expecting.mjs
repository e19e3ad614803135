// What an event says against what follows from everything before it.

import { canonical, same } from "./canonical.mjs";
import { Fault } from "./faults.mjs";

const SHOWN = 160;

const short = (value) => {
  const text = canonical(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
};

/** Raise `differs`, or another code, unless both are the same. */
export function expect(what, stands, follows, code = "differs") {
  if (!same(stands, follows)) {
    throw new Fault(code, `${what} is ${short(stands)}, but ${short(follows)} follows from what came before`);
  }
}
