// The modules of the verifier, for whoever keeps them in a folder.

export const MODULES = [
  "bytes.mjs", "canonical.mjs", "cards.mjs", "chain.mjs", "cli.mjs", "dealing.mjs", "events.mjs",
  "expecting.mjs", "fairness.mjs", "faults.mjs", "game.mjs", "hand.mjs", "laying.mjs", "melds.mjs",
  "modules.mjs", "page.mjs", "placing.mjs", "practice.mjs", "reader.mjs", "rulesets.mjs", "scoring.mjs",
  "sha256.mjs", "shake256.mjs", "shapes.mjs", "shuffle.mjs", "stock.mjs", "summary.mjs", "table.mjs",
  "telling.mjs", "verify.mjs",
];
