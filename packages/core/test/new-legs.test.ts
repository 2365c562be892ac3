import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SwapInput } from '../src/ingest/columns.ts';
import { memory } from '../src/memory/memory.ts';
import { Swapfold } from '../src/swapfold.ts';
import type { ConfigInput } from '../src/swapfold-options.ts';

const config: ConfigInput = {
  address_format: 'any',
  quote_tokens: [{ address: 'USDC', symbol: 'USDC', kind: 'stable' }],
};
const START = 1_700_000_000;
const DAY = 86_400;

interface Bought {
  /** Seconds after the start. */
  readonly after: number;
  readonly token: string;
  /** Paid for one whole token. */
  readonly price: number;
  /** In what: USDC, or a token of no known value, of which no print comes. */
  readonly quote?: string;
  readonly symbol?: string;
}

const buy = ({ after, token, price, quote = 'USDC', symbol }: Bought): SwapInput => ({
  tx_hash: `${token}_${after}`,
  swap_index: 0,
  block_time: START + after,
  wallet: 'W',
  token_in: quote,
  token_out: token,
  token_amount_in: price,
  token_amount_out: 1,
  ...(symbol === undefined ? {} : { token_symbol_out: symbol }),
});

/** Ingests blocks with a refresh after each; gives the profile of T, and its largest fall of a week. */
async function afterBlocks(...blocks: readonly SwapInput[][]) {
  const dex = await Swapfold.open({ storage: memory(), config });
  for (const swaps of blocks) {
    assert.equal((await dex.ingest(swaps)).added, swaps.length);
    await dex.refresh({ scope: 'traded' });
  }
  const { market, metadata, metrics } = await dex.tokens.get({ token: 'T' });
  await dex.close();
  return {
    price: market?.price,
    symbol: metadata?.symbol,
    fall: metrics?.['7d']?.max_drawdown,
  };
}

const old = buy({ after: 0, token: 'T', price: 4, symbol: 'TEE' });
/** Moves time on between two blocks of T. */
const other = buy({ after: 20 * DAY, token: 'OTHER', price: 1 });

test('a swap without a print or a symbol leaves a token its price and its symbol', async () => {
  const { price, symbol } = await afterBlocks(
    [old],
    [other],
    [buy({ after: 20 * DAY + 60, token: 'T', price: 9, quote: 'X' })],
  );
  assert.deepEqual([price, symbol], [4, 'TEE']);
});

test('a block gives a token the price of its newest print and the symbol of its newest swap that has one', async () => {
  const { price, symbol } = await afterBlocks(
    [old],
    [
      buy({ after: DAY, token: 'T', price: 5, symbol: 'TEA' }),
      buy({ after: DAY + 1, token: 'T', price: 6, symbol: 'TWO' }),
      buy({ after: DAY + 2, token: 'T', price: 7, quote: 'X' }),
    ],
  );
  assert.deepEqual([price, symbol], [6, 'TWO']);
});

test('a fall begins at the last print before the week, however long before it', async () => {
  const last = buy({ after: 20 * DAY + 60, token: 'T', price: 3 });
  assert.equal((await afterBlocks([old], [other], [last])).fall, 25);
});

test('a fall begins at the last print before the week, less than a day before it', async () => {
  const before = buy({ after: 13 * DAY, token: 'T', price: 6 });
  const last = buy({ after: 20 * DAY + 60, token: 'T', price: 3 });
  assert.equal((await afterBlocks([old], [before], [other], [last])).fall, 50);
});

test('a swap that comes late, and is not the newest, changes neither price nor symbol', async () => {
  const { price, symbol } = await afterBlocks(
    [old],
    [buy({ after: 2 * DAY, token: 'T', price: 5, symbol: 'NEW' })],
    [buy({ after: DAY, token: 'T', price: 8, symbol: 'LATE' })],
  );
  assert.deepEqual([price, symbol], [5, 'NEW']);
});
