/** SOL and tokens that a bonding curve counts with before the first buy. */
const VIRTUAL_SOL = 30;
const VIRTUAL_TOKENS = 1.073e9;

/** SOL of a curve, with the virtual ones, that is sold out. */
const FULL = 115;

/** Least SOL that is missing from the curve of a token that stays on it. */
const ROOM = 2;

/** What the pool of a graduate begins with, at the price at which its curve ended. */
const POOL_SOL = FULL - VIRTUAL_SOL;
const POOL_TOKENS = (POOL_SOL * VIRTUAL_SOL * VIRTUAL_TOKENS) / (FULL * FULL);

const CURVE_FEE = 0.01;
const POOL_FEE = 0.0025;

/** Price of every token at its launch, SOL. */
export const FIRST_PRICE = VIRTUAL_SOL / VIRTUAL_TOKENS;

/** What every token trades against: its bonding curve and, once that is sold out, its pool. In both, the product of SOL and tokens stays. */
export class Curves {
  readonly #sol: Float64Array;
  readonly #tokens: Float64Array;
  readonly #hasGraduated: Uint8Array;

  constructor(assets: number) {
    this.#sol = new Float64Array(assets).fill(VIRTUAL_SOL);
    this.#tokens = new Float64Array(assets).fill(VIRTUAL_TOKENS);
    this.#hasGraduated = new Uint8Array(assets);
  }

  hasGraduated(token: number): boolean {
    return this.#hasGraduated[token] === 1;
  }

  /** SOL that one buy takes to the curve at most; a curve is never sold out by a usual one. */
  mostIn(token: number): number {
    return this.hasGraduated(token) ? this.#sol[token]! * 0.05 : (FULL - ROOM - this.#sol[token]!) * 0.1;
  }

  /** SOL of the buy that sells the curve out. */
  lastBuy(token: number): number {
    return (FULL - this.#sol[token]!) / (1 - CURVE_FEE);
  }

  /** Moves a token from its curve, sold out, to a pool. */
  graduate(token: number): void {
    this.#sol[token] = POOL_SOL;
    this.#tokens[token] = POOL_TOKENS;
    this.#hasGraduated[token] = 1;
  }

  /** Tokens that `sol` buys. */
  buy(token: number, sol: number): number {
    const paid = sol * (1 - this.#fee(token));
    const before = this.#sol[token]!;
    const bought = (this.#tokens[token]! * paid) / (before + paid);
    this.#sol[token] = before + paid;
    this.#tokens[token]! -= bought;
    return bought;
  }

  /** SOL that `amount` tokens bring. */
  sell(token: number, amount: number): number {
    const before = this.#tokens[token]!;
    const paid = (this.#sol[token]! * amount) / (before + amount);
    this.#tokens[token] = before + amount;
    this.#sol[token]! -= paid;
    return paid * (1 - this.#fee(token));
  }

  #fee(token: number): number {
    return this.hasGraduated(token) ? POOL_FEE : CURVE_FEE;
  }
}
