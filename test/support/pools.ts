import type { SwapInput } from '@swapfold/core';

export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Where a pool leaves its fee: nowhere without one, beside it in USD, or in its reserves. */
export type FeePlace = 'beside' | 'inside';

/** A pool of USD and tokens whose reserves keep their product, as prints and fills see it. */
export class Pool {
  usd: number;
  tokens: number;
  readonly #fee: number;
  readonly #place: FeePlace;

  constructor(usd: number, tokens: number, fee = 0, place: FeePlace = 'beside') {
    [this.usd, this.tokens, this.#fee, this.#place] = [usd, tokens, fee, place];
  }

  /** The same pool, for a trade that does not happen. */
  copy(): Pool {
    return new Pool(this.usd, this.tokens, this.#fee, this.#place);
  }

  /** Tokens for USD. */
  buy(usd: number): number {
    const paid = usd * (1 - this.#fee);
    const left = (this.usd * this.tokens) / (this.usd + paid);
    const got = this.tokens - left;
    this.usd += this.#place === 'inside' ? usd : paid;
    this.tokens = left;
    return got;
  }

  /** USD for tokens. */
  sell(tokens: number): number {
    const isInside = this.#place === 'inside';
    const given = isInside ? tokens * (1 - this.#fee) : tokens;
    const left = (this.usd * this.tokens) / (this.tokens + given);
    const got = this.usd - left;
    this.usd = left;
    this.tokens += tokens;
    return isInside ? got : got * (1 - this.#fee);
  }
}

/** Writes swaps of wallets with pools, each in a transaction and a slot of its own. */
export class Ledger {
  readonly swaps: SwapInput[] = [];
  readonly #start: number;

  constructor(start: number) {
    this.#start = start;
  }

  buy(at: number, wallet: string, usd: number, { token, pool, of }: PoolOfToken): number {
    const got = of.buy(usd);
    this.#add(at, { wallet, pool, token_in: USDC, token_out: token, token_amount_in: usd, token_amount_out: got });
    return got;
  }

  sell(at: number, wallet: string, tokens: number, { token, pool, of }: PoolOfToken): number {
    const got = of.sell(tokens);
    this.#add(at, { wallet, pool, token_in: token, token_out: USDC, token_amount_in: tokens, token_amount_out: got });
    return got;
  }

  #add(at: number, swap: Omit<SwapInput, 'tx_hash' | 'swap_index' | 'block_time'>): void {
    const place = this.swaps.length;
    this.swaps.push({
      tx_hash: `tx${place}`,
      swap_index: 0,
      block_time: this.#start + at,
      block_slot: 1000 + place,
      ...swap,
    });
  }
}

/** A pool with its address and the token that it has beside USD. */
export interface PoolOfToken {
  readonly token: string;
  readonly pool: string;
  readonly of: Pool;
}
