// What a record tells of its game, for people: only what was checked.

/** The labels of tables (fairness document, 5): who had a part in the deals. None says that hands cannot be read. */
const MEANING = {
  practice: "A practice game: whoever set it up chose its deals, and nobody vouches for them.",
  server_only:
    "The server alone chose these deals. It was bound to its choice before the first card and could not change its mind.",
  players:
    "The server was bound to its part of the deals first, then players added secrets of their own: none of them alone could choose or foresee a deal.",
  beacon:
    "The server was bound to its part of the deals first, then a public random beacon was added: neither alone could choose or foresee a deal.",
  players_and_beacon:
    "The server was bound to its part of the deals first, then players' secrets and a public random beacon were added: none of them alone could choose or foresee a deal.",
  boards:
    "The server alone chose these boards, the same for every table. It was bound to its choice when the entries of the tournament closed.",
  boards_and_beacon:
    "The server was bound to its part of these boards first, then a public random beacon was added: neither alone could choose or foresee them. They are the same for every table.",
};

function fairnessOf({ created, table }) {
  if (created.fairness === null) return "practice";
  const nonces = table.started?.entropy.some((nonce) => nonce !== null) ?? false;
  const beacon = Boolean(table.started?.beacon);
  if (created.fairness.boards) return beacon ? "boards_and_beacon" : "boards";
  if (nonces && beacon) return "players_and_beacon";
  if (beacon) return "beacon";
  return nonces ? "players" : "server_only";
}

const NOTHING = {
  ruleset: null, players: 0, practice: false, hands: 0, totals: [], winners: [], reason: null, table: null,
};

/** A game as far as its events were sound; `hands` are those dealt, `table.hands` those counted. */
export function summaryOf(header, game) {
  const created = game?.created;
  if (!created) return NOTHING;
  const ended = game.status === "ended" || game.status === "revealed";
  const label = fairnessOf(game);
  return {
    ruleset: created.ruleset.name,
    players: created.players,
    practice: created.fairness === null,
    hands: game.dealtHands.length,
    totals: ended ? game.totals : [],
    winners: ended ? game.ending.winners : [],
    reason: ended ? game.ending.reason : null,
    table: {
      seats: game.table.last.map((sitting, seat) => ({
        seat,
        name: header.players.find((each) => each.seat === seat)?.name ?? sitting?.player ?? null,
        kind: sitting?.kind ?? null,
      })),
      sides: created.sides,
      hands: game.counted,
      sheet: game.totals,
      fairness: { label, meaning: MEANING[label] },
    },
  };
}
