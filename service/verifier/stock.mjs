// The stock (formats, part 8): common to all seats, or in stripes that belong to a seat each.

/** Cards that all seats draw from in turn. */
class CommonStock {
  #cards;
  #at = 0;

  constructor(cards) {
    this.#cards = cards;
  }

  get size() {
    return this.#cards.length - this.#at;
  }

  draw() {
    return this.#cards[this.#at++];
  }

  refill(cards) {
    this.#cards = cards;
    this.#at = 0;
  }
}

/** Cards dealt round into one stripe a seat; an empty stripe is helped out by the longest one. */
class StripedStock {
  #stripes;

  constructor(stripes) {
    this.#stripes = stripes;
  }

  get size() {
    return this.#stripes.reduce((size, stripe) => size + stripe.length, 0);
  }

  draw(seat) {
    let stripe = this.#stripes[seat];
    if (stripe.length === 0) {
      for (const other of this.#stripes) if (other.length > stripe.length) stripe = other;
    }
    return stripe.shift();
  }

  refill(cards, first) {
    cards.forEach((card, i) => this.#stripes[(first + i) % this.#stripes.length].push(card));
  }
}

/** The stock once the upcard is turned; `first` is the seat behind the dealer, whose stripe begins. */
export function stockOf(kind, cards, seats, first) {
  if (kind !== "striped") return new CommonStock(cards);
  const stock = new StripedStock(Array.from({ length: seats }, () => []));
  stock.refill(cards, first);
  return stock;
}

/** A stock of stripes that have these sizes and follow one another in `cards`. */
export function dealtStripes(cards, sizes) {
  let at = 0;
  return new StripedStock(sizes.map((size) => cards.slice(at, (at += size))));
}
