// Rule set objects (rule book, part 13): the form of every parameter, and what follows from one for a number of seats.

import { need } from "./faults.mjs";
import { bool, byKey, isObject, list, oneOf, record, text, whole } from "./shapes.mjs";

const NAME = /^[a-z0-9-]{1,64}$/;

/** A value that may be given once for all, or in an object by the number of seats. */
const byNumber = (check) => (value, path) => (isObject(value) ? byKey(check) : check)(value, path);

const points = whole(0, 10000);
const VALUE_KEYS = ["JK", ..."2AKQJT9876543"];

const KEYS = {
  name: text, packs: whole(1, 6), jokers: whole(0, 24), players: list(whole(2, 6)), hand_size: byNumber(whole(1, 30)),
  draw_count: byNumber(whole(1, 4)), three_player: oneOf("alone", "lone_side"),
  six_player_teams: oneOf("three_pairs", "two_trios"),
  card_values: byKey(whole(0, 1000)),
  upcard_rule: oneOf("cover_special", "cover_and_freeze", "plain"),
  group_ratio: oneOf("two_to_one", "three_to_two", "half", "more_naturals", "min_two_naturals"),
  max_wilds: whole(0, 20), wild_on_finished_canasta: bool, several_melds_per_rank: bool, merge_groups: bool,
  sequences: bool, join_sequences: bool, wild_melds: bool, wild_melds_closed: bool, black_three_melds: bool,
  black_three_wilds: bool, black_three_melds_any_time: bool, black_three_closing_discard: bool,
  first_meld: list(record({ below: (value, path) => value === null || whole()(value, path), points: whole(0) })),
  concealed_first_meld_waiver: bool, freezing: oneOf("none", "classic", "wilds_and_black_threes"),
  pile_take_natural_plus_wild: bool, mixed_take_when_frozen: bool, opening_take: oneOf("pair", "any_meld"),
  pile_take_extend: oneOf("off", "below_seven", "any"), pair_target: oneOf("new", "existing_or_new", "existing"),
  run_take: oneOf("upcard_only", "whole_pile", "none"), sequence_take_needs_clean_pile: bool,
  wild_top_taken_with_two_wilds: bool, black_three_bar: oneOf("while_on_top", "next_player_until_taken"),
  one_card_pile_bar: bool, red_threes: oneOf("optional", "automatic"),
  red_three_replacement: oneOf("from_stock", "always", "none"),
  red_three_phase: oneOf("play", "draw_or_play", "first_draw_or_play"), red_three_discard: bool,
  last_red_three_ends_hand: bool, last_red_three_may_meld: bool,
  going_out_requirement: byNumber(oneOf("one_any", "two_any", "two_with_samba", "two_canastas_one_samba")),
  final_discard_required: bool, partner_permission: oneOf("optional", "advisory", "required", "off"),
  stock_end: oneOf("end_when_cannot_draw", "forced_take", "recycle"), short_draw: oneOf("take_remaining", "end_hand"),
  recycle_penalty: points, natural_canasta_bonus: points, mixed_canasta_bonus: points, wild_canasta_bonus: points,
  samba_bonus: points, going_out_bonus: points, concealed_bonus: points, concealed_condition: oneOf("own_set", "whole_hand"),
  red_three_bonus: points, all_red_threes_bonus: points,
  red_three_condition: oneOf("going_out_sets", "two_sets", "any_meld", "always"),
  all_red_threes_penalty: oneOf("per_card", "mirror"), all_red_threes_charge: points,
  all_red_threes_charge_unless: oneOf("two_sets", "two_canastas"), unmelded_red_three_penalty: points,
  unmelded_red_three_scope: oneOf("per_card", "per_side"), black_three_hand_value: whole(0, 1000),
  target: byNumber(whole(1, 1000000)), target_choices: list(whole()),
  hand_cap: (value, path) => value === null || whole(1, 1000)(value, path), tie: oneOf("draw", "play_on"),
};
const BY_NUMBER = ["hand_size", "draw_count", "going_out_requirement", "target"];

/** Check the keys of a rule set and the range of every value. */
export const checkColumns = record(KEYS);

/** Check a rule set: its columns, and what the deal and the count need of them together. */
export function checkRuleset(ruleset) {
  const invalid = (condition, message) => need(condition, "ruleset_invalid", `ruleset: ${message}`);
  checkColumns(ruleset, "ruleset");
  const { players, packs, jokers } = ruleset;
  invalid(NAME.test(ruleset.name), "name must be 1 to 64 of a-z, 0-9 and -");
  const valued = Object.keys(ruleset.card_values).sort().join() === [...VALUE_KEYS].sort().join();
  invalid(valued, `card_values must have a value for each of ${VALUE_KEYS.join(" ")}`);
  invalid(players.length > 0, "players must name a number of seats");
  invalid(players.every((number, i) => i === 0 || number > players[i - 1]), "players must ascend");
  for (const key of BY_NUMBER) {
    const value = ruleset[key];
    const complete = !isObject(value) || Object.keys(value).sort().join() === players.map(String).join();
    invalid(complete, `${key} must have a value for every number of seats`);
  }
  for (const number of players) {
    const dealt = valueFor(ruleset.hand_size, number) * number + 1;
    invalid(dealt <= 52 * packs + jokers, `hand_size needs more cards than the pack has for ${number} seats`);
  }
}

const valueFor = (value, players) => (isObject(value) ? value[String(players)] : value);

/** The rules for a number of seats: by-players values resolved, `sides`, and whether a lone side may come about. */
export function rulesFor(ruleset, players) {
  need(ruleset.players.includes(players), "table_refused", `the rule set is not played by ${players}`);
  const resolved = Object.fromEntries(BY_NUMBER.map((key) => [key, valueFor(ruleset[key], players)]));
  const loneSide = players === 3 && ruleset.three_player === "lone_side";
  return { ...ruleset, ...resolved, seats: players, sides: sidesOf(ruleset, players), loneSide };
}

/** The sides (rule book 2.1), each the list of its seats. */
function sidesOf(ruleset, players) {
  let sides = players;
  if (players === 4) sides = 2;
  if (players === 6) sides = ruleset.six_player_teams === "two_trios" ? 2 : 3;
  return Array.from({ length: sides }, (_, side) =>
    Array.from({ length: players / sides }, (_, turn) => side + turn * sides),
  );
}
