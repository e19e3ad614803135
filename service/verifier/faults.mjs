// What is wrong with a record: a code for programs and a sentence for people. The line is added by whoever reads lines.

export class Fault extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Raise a fault unless a condition holds. The message may be a function, called only for a fault. */
export function need(condition, code, message) {
  if (!condition) throw new Fault(code, typeof message === "function" ? message() : message);
}

/** Run a check of a value's form, whose fault then has another code. */
export function checkedAs(code, check, value, path) {
  try {
    check(value, path);
  } catch (fault) {
    throw fault instanceof Fault ? new Fault(code, fault.message) : fault;
  }
}
