import assert from 'node:assert/strict';

/** A swap as a contestant answers it, amounts in whole tokens. */
export interface SwapRow {
  readonly pool: string;
  readonly wallet: string;
  readonly token_in: string;
  readonly token_out: string;
  readonly token_amount_in: number;
  readonly token_amount_out: number;
}

/** Swaps, and sums of amounts by pool and wallet, each by token and side. */
export interface Tally {
  readonly count: number;
  readonly sums: ReadonlyMap<string, number>;
}

export function tallyOf(rows: Iterable<SwapRow>): Tally {
  const sums = new Map<string, number>();
  const add = (key: string, amount: number): unknown => sums.set(key, (sums.get(key) ?? 0) + amount);
  let count = 0;
  for (const row of rows) {
    count++;
    for (const by of [`pool ${row.pool}`, `wallet ${row.wallet}`].map((text) => text.toLowerCase())) {
      add(`${by} in ${row.token_in.toLowerCase()}`, row.token_amount_in);
      add(`${by} out ${row.token_out.toLowerCase()}`, row.token_amount_out);
    }
  }
  return { count, sums };
}

/** Sums of doubles in another order differ in their last bits. */
export function assertSame(name: string, found: Tally, expected: Tally): void {
  assert.equal(found.count, expected.count, `${name}: swaps`);
  assert.equal(found.sums.size, expected.sums.size, `${name}: sums`);
  for (const [key, sum] of expected.sums) {
    const own = found.sums.get(key) ?? Number.NaN;
    assert.ok(Math.abs(own - sum) <= 1e-9 * sum, `${name}, ${key}: ${own}, and ${sum} on the chain`);
  }
}
