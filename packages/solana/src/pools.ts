/** Pools that are remembered. */
const MOST = 200_000;

/** The two tokens that each pool exchanges: for ever the same. The pools that were seen longest ago are forgotten. */
export class Pools {
  readonly #pairs = new Map<string, string>();

  /** Learns what a pool exchanged. Shape: false if it exchanged other tokens before. */
  fits(pool: string, tokenIn: string, tokenOut: string): boolean {
    const pair = tokenIn < tokenOut ? `${tokenIn} ${tokenOut}` : `${tokenOut} ${tokenIn}`;
    const known = this.#pairs.get(pool);
    if (known !== undefined && known !== pair) return false;
    if (known !== undefined) this.#pairs.delete(pool);
    else if (this.#pairs.size >= MOST) this.#pairs.delete(this.#pairs.keys().next().value!);
    this.#pairs.set(pool, pair);
    return true;
  }
}
