// A verdict as a part of a page. Text of a file becomes text of the page, never markup.

/** An element with attributes and children, which are elements or text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

const cell = (value) => element("td", { class: "number" }, String(value));
const heading = (text, scope) => element("th", { scope }, text);

const LABELS = {
  cards: "Cards", natural_canastas: "Natural canastas", mixed_canastas: "Mixed canastas",
  wild_canastas: "Wild canastas", sambas: "Sambas", red_threes: "Red threes", going_out: "Going out",
  in_hand: "In hand", stock_penalty: "Stock penalty", total: "Total",
};
const ENDS = {
  target: "the target was reached", hand_cap: "the last hand was played", resigned: "a side resigned",
  timed_out: "a side ran out of time", adjudicated: "a ruling", aborted: "it was aborted",
};
const FAIRNESS = {
  practice: "Practice", server_only: "Server only", players: "Players", beacon: "Beacon",
  players_and_beacon: "Players and beacon", boards: "Tournament boards",
};

const nameOf = ({ seat, name }) => name ?? `Seat ${seat}`;

/** What a side is called: the names of its seats. */
const sidesOf = ({ seats, sides }) => sides.map((side) => side.map((seat) => nameOf(seats[seat])).join(" and "));

function table(caption, columns, rows) {
  const head = element("thead", {}, element("tr", {}, ...columns.map((column) => heading(column, "col"))));
  const body = element("tbody", {}, ...rows.map(([first, ...rest]) => element("tr", {}, heading(first, "row"), ...rest)));
  const whole = element("table", {}, element("caption", {}, caption), head, body);
  // It may be wider than a phone: then it scrolls, for the keyboard too.
  return element("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption }, whole);
}

function handRow({ hand, reason, by, lines }, { seats }) {
  const how = reason === "out" ? `${nameOf(seats[by])} went out` : "the stock ended";
  return [String(hand), element("td", {}, how), ...lines.map(({ total }) => cell(total))];
}

function linesTable({ hand, lines }, names) {
  const keys = Object.keys(LABELS).filter((key) => key in lines[0]);
  const rows = keys.map((key) => [LABELS[key], ...lines.map((line) => cell(line[key]))]);
  return table(`Lines of hand ${hand}`, ["Line", ...names], rows);
}

function gameOf({ ruleset, table: shown, winners, reason }) {
  const names = sidesOf(shown);
  const parts = [];
  const seats = shown.seats.map((seat) => `${nameOf(seat)}${seat.kind === "bot" ? " (bot)" : ""}`);
  parts.push(element("p", {}, `${ruleset}: ${seats.join(", ")}.`));
  const { label, meaning } = shown.fairness;
  parts.push(element("p", {}, element("strong", {}, `Deals: ${FAIRNESS[label]}. `), meaning));
  if (shown.hands.length > 0) {
    const rows = shown.hands.map((hand) => handRow(hand, shown));
    rows.push(["Total", element("td"), ...shown.sheet.map(cell)]);
    parts.push(table("Hands", ["Hand", "Ended", ...names], rows));
    const lines = shown.hands.map((hand) => linesTable(hand, names));
    parts.push(element("details", {}, element("summary", {}, "Score lines of every hand"), ...lines));
  }
  if (reason !== null) {
    const won = winners.map((side) => names[side]).join(", ");
    const drawn = winners.length > 1 ? `a draw between ${won}` : `${won} won`;
    parts.push(element("p", {}, `The end: ${winners.length > 0 ? drawn : "nobody won"} (${ENDS[reason]}).`));
  }
  return parts;
}

/** One sentence about a verdict, as it is read out. */
export function sentence(name, { ok, fault }) {
  return ok ? `${name}: the record is sound.` : `${name}: wrong in line ${fault.line}, ${fault.code}.`;
}

/** The part of the page that tells a verdict. */
export function articleOf(name, verdict) {
  const { ok, fault, events, head, table: shown } = verdict;
  const said = ok ? "Sound: everything that is checked here is right." : `Wrong in line ${fault.line}`;
  const parts = [element("h2", {}, name), element("p", { class: "verdict" }, said)];
  if (ok) parts.push(element("p", {}, `${events} events; head `, element("code", {}, head), "."));
  else {
    parts.push(element("p", {}, element("code", {}, fault.code), `: ${fault.message}.`));
    parts.push(element("p", {}, `This is the first fault; what follows tells of the ${events} events before it.`));
  }
  if (shown) parts.push(...gameOf(verdict));
  return element("article", { class: ok ? "good" : "bad" }, ...parts);
}
