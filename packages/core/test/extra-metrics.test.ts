import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateMarket } from '@swapfold/testing';
import { windowSpecs } from '../src/bag/windows.ts';
import type { SwapInput } from '../src/ingest/columns.ts';
import { columnsToObjects } from '../src/ingest/columns.ts';
import { memory } from '../src/memory/memory.ts';
import type { Trade } from '../src/queries/trades.ts';
import { Swapfold } from '../src/swapfold.ts';

const AS_OF = 1_704_412_800;
const DAY = 86_400;

const config = {
  address_format: 'any',
  quote_tokens: [
    { address: 'USD', symbol: 'USD', kind: 'stable' },
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
  ],
} as const;

let nonce = 0;

/** 10 tokens bought for, or sold for, as many USD as asked. */
function trade(side: 'buy' | 'sell', token: string, time: number, usd = 100, wallet = 'W'): SwapInput {
  const legs =
    side === 'buy'
      ? { token_in: 'USD', token_amount_in: usd, token_out: token, token_amount_out: 10 }
      : { token_in: token, token_amount_in: 10, token_out: 'USD', token_amount_out: usd };
  return { tx_hash: `tx-${nonce++}`, swap_index: 0, block_time: time, wallet, ...legs };
}

async function open(swaps: readonly SwapInput[], created: Readonly<Record<string, number>> = {}): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage: memory(), config });
  await dex.tokens.upsert(Object.entries(created).map(([address, created_at]) => ({ address, created_at })));
  await dex.ingest(swaps);
  await dex.refresh({ asOf: AS_OF });
  return dex;
}

interface Entries {
  readonly entry_count: number;
  readonly early_entry_ratio: number | null;
  readonly avg_entry_delay: number | null;
}

async function entriesOf(dex: Swapfold, window = '30d', wallet = 'W'): Promise<Entries> {
  const { metrics } = await dex.wallets.get({ wallet });
  const held = (metrics as Record<string, Entries>)[window]!;
  const { entry_count, early_entry_ratio, avg_entry_delay } = held;
  return { entry_count, early_entry_ratio, avg_entry_delay };
}

const born = AS_OF - 5 * DAY;
const none: Entries = { entry_count: 0, early_entry_ratio: null, avg_entry_delay: null };

const cases: readonly {
  readonly sentence: string;
  readonly swaps: readonly SwapInput[];
  readonly created: Readonly<Record<string, number>>;
  readonly expected: Entries;
  readonly window?: string;
}[] = [
  {
    sentence: 'an entry in the second of the creation has no delay and is early',
    swaps: [trade('buy', 'A', born)],
    created: { A: born },
    expected: { entry_count: 1, early_entry_ratio: 1, avg_entry_delay: 0 },
  },
  {
    sentence: 'an entry 60 seconds after the creation is early',
    swaps: [trade('buy', 'A', born + 60)],
    created: { A: born },
    expected: { entry_count: 1, early_entry_ratio: 1, avg_entry_delay: 60 },
  },
  {
    sentence: 'an entry 61 seconds after the creation is not early',
    swaps: [trade('buy', 'A', born + 61)],
    created: { A: born },
    expected: { entry_count: 1, early_entry_ratio: 0, avg_entry_delay: 61 },
  },
  {
    sentence: 'a buy before the creation that the registry gives is no known entry',
    swaps: [trade('buy', 'A', born - 1)],
    created: { A: born },
    expected: none,
  },
  {
    sentence: 'a token without a creation time has no known entry',
    swaps: [trade('buy', 'A', born)],
    created: {},
    expected: none,
  },
  {
    sentence: 'a buy that adds to an open position is no entry',
    swaps: [trade('buy', 'A', born), trade('buy', 'A', born + 1000)],
    created: { A: born },
    expected: { entry_count: 1, early_entry_ratio: 1, avg_entry_delay: 0 },
  },
  {
    sentence: 'a buy after a close is an entry again',
    swaps: [trade('buy', 'A', born), trade('sell', 'A', born + 100), trade('buy', 'A', born + 1000)],
    created: { A: born },
    expected: { entry_count: 2, early_entry_ratio: 0.5, avg_entry_delay: 500 },
  },
  {
    sentence: 'a sell with nothing open is no entry, and the buy after it is one',
    swaps: [trade('sell', 'A', born), trade('buy', 'A', born + 10)],
    created: { A: born },
    expected: { entry_count: 1, early_entry_ratio: 1, avg_entry_delay: 10 },
  },
  {
    sentence: 'a position that was opened before the window has no entry in it, however much is added',
    swaps: [trade('buy', 'A', born), trade('buy', 'A', AS_OF - 60)],
    created: { A: born },
    window: '3d',
    expected: none,
  },
  {
    sentence: 'an entry exactly at the window start belongs to the window before',
    swaps: [trade('buy', 'A', AS_OF - 3 * DAY), trade('buy', 'B', AS_OF - 3 * DAY + 1)],
    created: { A: AS_OF - 3 * DAY, B: AS_OF - 3 * DAY },
    window: '3d',
    expected: { entry_count: 1, early_entry_ratio: 1, avg_entry_delay: 1 },
  },
  {
    sentence: 'an entry of unknown value counts: when it came is known',
    swaps: [{ ...trade('buy', 'A', born + 7), token_in: 'SOL' }],
    created: { A: born },
    expected: { entry_count: 1, early_entry_ratio: 1, avg_entry_delay: 7 },
  },
  {
    sentence: 'a swap between quote tokens is no entry',
    swaps: [trade('buy', 'SOL', born + 7)],
    created: { SOL: born },
    expected: none,
  },
  {
    sentence: 'both sides of a round trip in one transaction are no entry',
    swaps: [trade('buy', 'A', born)].flatMap((buy) => [
      buy,
      { ...buy, swap_index: 1, token_in: 'A', token_amount_in: 10, token_out: 'USD', token_amount_out: 101 },
    ]),
    created: { A: born },
    expected: none,
  },
  {
    sentence: 'a mean delay is served in whole seconds',
    swaps: [trade('buy', 'A', born + 1), trade('buy', 'B', born + 2)],
    created: { A: born, B: born },
    expected: { entry_count: 2, early_entry_ratio: 1, avg_entry_delay: 2 },
  },
];

for (const { sentence, swaps, created, expected, window } of cases) {
  test(sentence, async () => {
    const dex = await open(swaps, created);
    assert.deepEqual(await entriesOf(dex, window), expected);
    await dex.close();
  });
}

test('entries as of an earlier instant are those of the swaps until then', async () => {
  const dex = await open([trade('buy', 'A', born + 5), trade('buy', 'B', born + 500)], { A: born, B: born });
  const { metrics } = await dex.at(born + 499).wallets.get({ wallet: 'W' });
  const { entry_count, avg_entry_delay } = (metrics as Record<string, Entries>)['1d']!;
  assert.deepEqual({ entry_count, avg_entry_delay }, { entry_count: 1, avg_entry_delay: 5 });
  await dex.close();
});

const seed = 23;

test(`entries of every wallet in every window are those that its listed trades and the registry tell (seed ${seed})`, async (t) => {
  const market = generateMarket({ seed, swaps: 6000, wallets: 150, tokens: 80 });
  const dex = await Swapfold.open({ storage: memory(), config: market.config });
  await dex.tokens.upsert(market.tokens());
  const wallets = new Set<string>();
  for (const batch of market.swaps()) {
    for (const swap of columnsToObjects(batch)) wallets.add(swap.wallet);
    await dex.ingest(batch);
  }
  const { as_of } = await dex.refresh();
  const creations = new Map(
    market.tokens().flatMap(({ address, created_at }) => (created_at === null ? [] : [[address, created_at] as const])),
  );
  let entries = 0;
  let early = 0;
  for (const wallet of wallets) {
    const trades = await everyTrade(dex, wallet);
    for (const { name, seconds } of windowSpecs.wallets) {
      const delays = trades.flatMap(({ token, block_time, position_state, swap_type }) => {
        const delay = block_time - Date.parse(creations.get(token) ?? '') / 1000;
        const isEntry = position_state === 'open' && swap_type !== 'quote_quote' && block_time > as_of - seconds;
        return isEntry && delay >= 0 ? [delay] : [];
      });
      const within = delays.filter((delay) => delay <= 60).length;
      const sum = delays.reduce((a, b) => a + b, 0);
      assert.deepEqual(await entriesOf(dex, name, wallet), {
        entry_count: delays.length,
        early_entry_ratio: delays.length === 0 ? null : within / delays.length,
        avg_entry_delay: delays.length === 0 ? null : Math.round(sum / delays.length),
      });
      if (name === '30d') [entries, early] = [entries + delays.length, early + within];
    }
  }
  t.diagnostic(`${wallets.size} wallets, ${entries} entries, ${early} of them early`);
  assert.ok(entries > 200 && early > 20, `the market holds ${entries} entries, ${early} of them early: too few`);
  await dex.close();
});

async function everyTrade(dex: Swapfold, wallet: string): Promise<Trade[]> {
  const trades: Trade[] = [];
  let cursor: string | undefined;
  do {
    const page = await dex.trades.list({ wallet, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    trades.push(...page.data);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return trades;
}

interface Followed {
  readonly avg_entry_delay: number | null;
  readonly avg_buy_mcap: number | null;
}

async function followed(dex: Swapfold, wallet: string): Promise<Followed> {
  const { metrics } = await dex.wallets.get({ wallet });
  const { avg_entry_delay, avg_buy_mcap } = (metrics as Record<string, Followed>)['30d']!;
  return { avg_entry_delay, avg_buy_mcap };
}

/** What an upsert of token A does to the profiles of W, who traded it, and V, who did not. Bought at 10 USD a token, 50 s after `born`. */
const upserts: readonly {
  readonly sentence: string;
  readonly before?: object;
  readonly row: object;
  readonly refolded: number;
  readonly expected: Followed;
}[] = [
  {
    sentence: 'a creation time that the registry gives later reaches the wallets that traded the token, and no other',
    row: { created_at: born },
    refolded: 1,
    expected: { avg_entry_delay: 50, avg_buy_mcap: null },
  },
  {
    sentence: 'a total supply that the registry gives later reaches the wallets that traded the token',
    row: { total_supply: 1000 },
    refolded: 1,
    expected: { avg_entry_delay: null, avg_buy_mcap: 10_000 },
  },
  {
    sentence: 'a circulating supply that changes reaches the wallets that traded the token',
    before: { total_supply: 1000, circulating_supply: 500 },
    row: { circulating_supply: 400 },
    refolded: 1,
    expected: { avg_entry_delay: null, avg_buy_mcap: 4000 },
  },
  {
    sentence: 'a creation time that is cleared reaches the wallets that traded the token',
    before: { created_at: born },
    row: { created_at: null },
    refolded: 1,
    expected: { avg_entry_delay: null, avg_buy_mcap: null },
  },
  {
    sentence: 'the same facts again leave the wallets alone',
    before: { created_at: born, total_supply: 1000 },
    row: { created_at: born, total_supply: 1000 },
    refolded: 0,
    expected: { avg_entry_delay: 50, avg_buy_mcap: 10_000 },
  },
  {
    sentence: 'facts that no wallet profile takes leave the wallets alone',
    before: { created_at: born },
    row: { symbol: 'AAA', verified: true, liquidity: 5 },
    refolded: 0,
    expected: { avg_entry_delay: 50, avg_buy_mcap: null },
  },
];

for (const { sentence, before, row, refolded, expected } of upserts) {
  test(sentence, async () => {
    const dex = await Swapfold.open({ storage: memory(), config });
    if (before !== undefined) await dex.tokens.upsert([{ address: 'A', ...before }]);
    await dex.ingest([trade('buy', 'A', born + 50), trade('buy', 'B', born + 50, 100, 'V')]);
    await dex.refresh({ asOf: AS_OF });
    const other = await followed(dex, 'V');
    await dex.tokens.upsert([{ address: 'A', ...row }]);
    assert.equal((await dex.refresh({ asOf: AS_OF })).wallets, refolded);
    assert.deepEqual(await followed(dex, 'W'), expected);
    assert.deepEqual(await followed(dex, 'V'), other);
    assert.deepEqual((await dex.verify()).differences, []);
    await dex.close();
  });
}

test('an upsert of a token that nobody traded leaves every wallet alone', async () => {
  const dex = await open([trade('buy', 'A', born)]);
  await dex.tokens.upsert([{ address: 'N', created_at: born, total_supply: 1 }]);
  assert.equal((await dex.refresh({ asOf: AS_OF })).wallets, 0);
  await dex.close();
});
