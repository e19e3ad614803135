// Dealing from a deck (formats, part 8; rule book 2.2 and part 7).

import { inOrder, isBlackThree, isRedThree, isWild } from "./cards.mjs";
import { stockOf } from "./stock.mjs";

const UPCARD = {
  cover_special: (card) => !isWild(card) && !isRedThree(card) && !isBlackThree(card),
  cover_and_freeze: (card) => !isWild(card) && !isRedThree(card),
  plain: () => true,
};

/**
 * Lay the red threes among `cards` in rounds: all that are there are laid and replaced one by one, then those among
 * the replacements. `draw` gives the next replacement, or null where nothing replaces.
 */
export function layRedThrees(seat, cards, draw) {
  const laid = [];
  let kept = cards;
  for (;;) {
    const round = inOrder(kept.filter(isRedThree));
    if (round.length === 0) return { kept, laid };
    kept = kept.filter((card) => !isRedThree(card));
    for (const card of round) {
      const replacement = draw();
      laid.push({ seat, card, replacement });
      if (replacement !== null) kept.push(replacement);
    }
  }
}

/** Deal a hand: `holdings` by seat in canonical order, `pile`, `stock`, and the red threes laid unasked. */
export function deal(rules, kind, dealer, deck) {
  const { seats } = rules;
  const first = (dealer + 1) % seats;
  const holdings = Array.from({ length: seats }, () => []);
  const dealt = rules.hand_size * seats;
  for (let i = 0; i < dealt; i++) holdings[(first + i) % seats].push(deck[i]);
  let at = dealt;
  const pile = [];
  do pile.push(deck[at++]);
  while (at < deck.length && !UPCARD[rules.upcard_rule](pile.at(-1)));
  const stock = stockOf(kind, deck.slice(at), seats, first);
  const redThrees = [];
  if (rules.red_threes === "automatic") {
    for (let i = 0; i < seats; i++) {
      const seat = (first + i) % seats;
      const replaced = rules.red_three_replacement !== "none";
      const draw = () => (replaced && stock.size > 0 ? stock.draw(seat) : null);
      const { kept, laid } = layRedThrees(seat, holdings[seat], draw);
      holdings[seat] = kept;
      redThrees.push(...laid);
    }
  }
  return { holdings: holdings.map(inOrder), pile, stock, redThrees };
}
