/** What a follower holds of one token: lots with what they cost, the oldest first. */
export class Book {
  readonly #lots: { tokens: number; cost: number }[] = [];

  get tokens(): number {
    return this.#lots.reduce((sum, lot) => sum + lot.tokens, 0);
  }

  /** USD. */
  get cost(): number {
    return this.#lots.reduce((sum, lot) => sum + lot.cost, 0);
  }

  buy(tokens: number, cost: number): void {
    this.#lots.push({ tokens, cost });
  }

  /** Takes a part of what is held, from 0 to 1, out of the oldest lots; returns what these cost, USD. */
  sell(part: number): number {
    let left = part < 1 ? this.tokens * part : Number.POSITIVE_INFINITY;
    let cost = 0;
    for (let lot = this.#lots[0]; lot !== undefined && left > 0; lot = this.#lots[0]) {
      if (lot.tokens <= left) {
        left -= lot.tokens;
        cost += lot.cost;
        this.#lots.shift();
        continue;
      }
      const taken = lot.cost * (left / lot.tokens);
      cost += taken;
      lot.tokens -= left;
      lot.cost -= taken;
      left = 0;
    }
    return cost;
  }
}
