#!/usr/bin/env node
// node cli.mjs FILE… [--json]: 0 where every record is sound, 1 where one is not, 2 where a file or the call is wrong.

import { readFile } from "node:fs/promises";
import process from "node:process";

import { joined } from "./bytes.mjs";
import { CHECKED, NOT_CHECKED, verify } from "./verify.mjs";

const USAGE = "Usage: node cli.mjs FILE... [--json]   (FILE is - for standard input)\n";

// Text of a file must not steer the terminal that shows it.
const printable = (text) => text.replace(/\p{C}/gu, "\ufffd");

function told(file, verdict) {
  if (!verdict.ok) {
    const { line, code, message } = verdict.fault;
    return `${file}:${line}: ${code}: ${message}`;
  }
  const { ruleset, players, hands, events, totals, head } = verdict;
  const counted = `${players} players, ${hands} hands, ${events} events, totals ${totals.join(" ")}`;
  return `${file}: ok, ${ruleset}, ${counted}, head ${head}`;
}

async function contentOf(file) {
  if (file !== "-") {
    const { buffer, byteOffset, length } = await readFile(file);
    return new Uint8Array(buffer, byteOffset, length);
  }
  const pieces = [];
  for await (const piece of process.stdin) pieces.push(piece);
  return joined(pieces);
}

async function main(given) {
  const json = given.includes("--json");
  const files = given.filter((each) => each !== "--json");
  const unknown = files.find((each) => each.startsWith("-") && each !== "-");
  if (files.length === 0 || unknown) {
    process.stderr.write(unknown ? `No such option: ${printable(unknown)}\n${USAGE}` : USAGE);
    return 2;
  }
  let exit = 0;
  const verdicts = [];
  for (const file of files) {
    let bytes;
    try {
      bytes = await contentOf(file);
    } catch (error) {
      process.stderr.write(`${printable(file)}: cannot be read: ${error.code}\n`);
      exit = 2;
      continue;
    }
    const verdict = verify(bytes);
    if (!verdict.ok) exit = Math.max(exit, 1);
    if (json) verdicts.push({ file, ...verdict });
    else process.stdout.write(`${printable(told(file, verdict))}\n`);
  }
  if (json) process.stdout.write(`${JSON.stringify(verdicts)}\n`);
  else {
    process.stdout.write(`Checked:\n${CHECKED.map((each) => `  ${each}\n`).join("")}`);
    process.stdout.write(`Not checked:\n${NOT_CHECKED.map((each) => `  ${each}\n`).join("")}`);
  }
  return exit;
}

// A reader that closes the pipe early, as `head` does, is no fault.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error;
});
process.exitCode = await main(process.argv.slice(2));
