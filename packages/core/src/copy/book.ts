/** What a follower holds of one token: lots with what they cost, the oldest first. */
export class Book {
  readonly #lots: { tokens: number; cost: number }[] = [];
  /** The number of the oldest lot that is left: to shift thousands of lots costs more than to count. */
  #oldest = 0;
  #tokens = 0;

  get tokens(): number {
    return this.#tokens;
  }

  /** USD. */
  get cost(): number {
    return this.#lots.slice(this.#oldest).reduce((sum, lot) => sum + lot.cost, 0);
  }

  buy(tokens: number, cost: number): void {
    this.#lots.push({ tokens, cost });
    this.#tokens += tokens;
  }

  /** Takes a part of what is held, from 0 to 1, out of the oldest lots; returns what these cost, USD. */
  sell(part: number): number {
    const sold = part < 1 ? this.#tokens * part : this.#tokens;
    let left = part < 1 ? sold : Number.POSITIVE_INFINITY;
    let cost = 0;
    for (let lot = this.#lots[this.#oldest]; lot !== undefined && left > 0; lot = this.#lots[this.#oldest]) {
      if (lot.tokens <= left) {
        left -= lot.tokens;
        cost += lot.cost;
        this.#oldest++;
        continue;
      }
      const taken = lot.cost * (left / lot.tokens);
      cost += taken;
      lot.tokens -= left;
      lot.cost -= taken;
      left = 0;
    }
    // Without a lot nothing is left of rounding.
    this.#tokens = this.#oldest === this.#lots.length ? 0 : Math.max(0, this.#tokens - sold);
    return cost;
  }
}
