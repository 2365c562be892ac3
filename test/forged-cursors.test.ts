import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Swapfold, SwapfoldError } from '@swapfold/core';
import { writeCursor } from '../packages/core/src/search/cursor.ts';
import { createRandom, pick } from '../packages/testing/src/conformance/random.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { transfersBeside } from './support/transfers.ts';
import { isWhole } from './support/whole.ts';

const SEED = 77;
const CASES = isWhole ? 150 : 12;
const { swaps, config, market } = smallMarket({ seed: 62, swaps: 150, wallets: 20, tokens: 8 });
const { wallet, token_in: token } = swaps[0]!;

/** Transfers of which one wallet has several. */
const moved = transfersBeside(swaps, 40, 3).map((row) => ({ ...row, from: wallet, to: null }));

/** A wallet that bought a token in several transactions; the first three tokens are money. */
const money = market
  .tokens()
  .map(({ address }) => address)
  .slice(0, 3);
const bought = swaps.flatMap(({ wallet, token_out: token }) => (money.includes(token) ? [] : [{ wallet, token }]));
const pair = bought.find((one) => bought.filter((other) => isDeepStrictEqual(one, other)).length > 4)!;

/** Lists whose pages go on by a cursor. */
const lists: readonly (readonly [operation: string, request: object])[] = [
  ['swaps.list', { limit: 1 }],
  ['swaps.list', { limit: 1, token }],
  ['trades.list', { limit: 1 }],
  ['trades.list', { limit: 1, wallet }],
  ['transfers.list', { limit: 1 }],
  ['transfers.list', { limit: 1, wallet: moved[0]!.from! }],
  ['wallets.search', { limit: 1 }],
  ['wallets.search', { limit: 1, sort: [{ field: 'metadata.name', direction: 'asc' }] }],
  ['tokens.search', { limit: 1, sort: [{ field: 'market.market_cap', direction: 'desc' }] }],
  ['wallets.explain', { limit: 1, wallet: pair.wallet, metric: 'pnl', window: '30d' }],
  ['positions.explain', { limit: 1, ...pair, metric: 'pnl', window: '30d' }],
  ['tokens.search', { limit: 1, query: { text: 'forged' } }],
];

const values: readonly unknown[] = [
  null,
  0,
  -0,
  1,
  -1,
  0.5,
  2 ** 31,
  -(2 ** 40),
  2 ** 53,
  2 ** 63,
  1e300,
  -1e300,
  5e-324,
  '',
  'a',
  '0',
  'ÿ',
  '\u0000',
  '\ud800',
  'x'.repeat(500),
  true,
  [],
  [1],
  {},
  { toString: 1 },
  [[null]],
];

/** What a cursor of the test's own making is answered with. */
async function answerTo(dex: Swapfold, operation: string, request: object, cursor: string): Promise<string> {
  try {
    const page = (await dex.call(operation, { ...request, cursor })) as { data?: readonly object[] };
    return JSON.stringify({ ...page, data: page.data?.map((row) => ({ ...row, synced_at: undefined })) });
  } catch (error) {
    if (error instanceof SwapfoldError) return error.code;
    return String((error as Error).stack);
  }
}

/** The request's name and the sort values in the cursor of its first page. */
async function firstCursor(dex: Swapfold, operation: string, request: object): Promise<[string, unknown[]]> {
  const { cursor } = (await dex.call(operation, request)) as { cursor: string };
  const [, owner, tuple] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, string, unknown[]];
  return [owner, tuple];
}

test('a forged cursor is refused as invalid-cursor or starts somewhere in its own list, on every engine alike', (t) =>
  withFolder(async (folder) => {
    t.diagnostic(`seed ${SEED}`);
    const stores = await Promise.all(
      Object.values(engines).map(async (engine) => {
        const dex = await Swapfold.open({ storage: engine(folder), config });
        await dex.ingest(swaps);
        await dex.transfers.ingest(moved);
        await dex.tokens.upsert(market.tokens().map((row) => ({ ...row, name: 'forged' })));
        await dex.refresh();
        return dex;
      }),
    );
    for (const [operation, request] of lists) {
      const [owner, whole] = await firstCursor(stores[0]!, operation, request);
      const random = createRandom(SEED);
      const counts: Record<string, number> = {};
      for (let i = 0; i < CASES; i++) {
        const tuple = whole.map((value) => (i > 0 && random() < 0.3 ? pick(random, values) : value));
        if (random() < 0.1) tuple.push(pick(random, values));
        if (random() < 0.1) tuple.pop();
        const forged = writeCursor(owner, tuple as never);
        const [first, ...others] = await Promise.all(stores.map((dex) => answerTo(dex, operation, request, forged)));
        const isPage = first!.startsWith('{');
        // What an explanation is as of, its cursor says: an instant before all swaps is one without the wallet.
        const refusals = operation.endsWith('.explain') ? ['invalid-cursor', 'not-found'] : ['invalid-cursor'];
        if (!isPage) assert.ok(refusals.includes(first!), `${first} to ${JSON.stringify(tuple)}`);
        for (const other of others) assert.equal(other, first, `${operation} ${JSON.stringify(tuple)}`);
        counts[isPage ? 'pages' : 'refused'] = (counts[isPage ? 'pages' : 'refused'] ?? 0) + 1;
      }
      assert.ok(counts.pages! > 0 && counts.refused! > 0, JSON.stringify(counts));
    }
    await Promise.all(stores.map((dex) => dex.close()));
  }));

test('a cursor of a list with a null in any of its places is refused', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.ingest(swaps);
  await dex.refresh();
  for (const operation of ['swaps.list', 'trades.list']) {
    const [owner, whole] = await firstCursor(dex, operation, { limit: 1 });
    for (let place = 0; place < whole.length; place++) {
      const forged = writeCursor(owner, whole.map((value, i) => (i === place ? null : value)) as never);
      const answer = await answerTo(dex, operation, { limit: 1 }, forged);
      assert.equal(answer, 'invalid-cursor', `${operation}, place ${place}`);
    }
  }
  await dex.close();
});
