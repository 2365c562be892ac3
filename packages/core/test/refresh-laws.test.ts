import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedPositions, storedPositions } from '../../../test/support/positions.ts';
import { cases, isWhole } from '../../../test/support/whole.ts';
import { Random } from '../../testing/src/market/random.ts';
import { windowSpecs } from '../src/bag/windows.ts';
import type { SwapInput } from '../src/ingest/columns.ts';
import { memory } from '../src/memory/memory.ts';
import type { TokenInput } from '../src/registry/registry.ts';
import type { StorageAdapter } from '../src/storage/adapter.ts';
import { Swapfold } from '../src/swapfold.ts';
import type { ConfigInput } from '../src/swapfold-options.ts';

const START = 1_700_000_000;
const [HOUR, DAY] = [3600, 86_400];

/** Rules about ages, which time alone can break, beside the default ones. */
const config: ConfigInput = {
  address_format: 'any',
  quote_tokens: [
    { address: 'USDC', symbol: 'USDC', kind: 'stable' },
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
  ],
  labels: {
    tokens: [
      { label: 'young', rule: 'age', filter: { 'metadata.age': { $lt: 3 * DAY } } },
      { label: 'seen', rule: 'idle', filter: { 'metadata.idle': { $lte: HOUR } } },
      {
        label: 'steady',
        rule: 'both',
        filter: { 'metadata.idle': { $gt: 60 }, 'metrics.1d.trade_count': { $gte: 2 } },
      },
    ],
    wallets: [
      { label: 'awake', rule: 'idle', filter: { 'metadata.idle': { $lt: 12 * HOUR } } },
      { label: 'asleep', rule: 'idle', filter: { $nor: [{ 'metadata.idle': { $lt: 2 * DAY } }] } },
    ],
  },
};

const registry: readonly TokenInput[] = [
  { address: 'T0', total_supply: 1e6, created_at: START - 40 },
  { address: 'T1', total_supply: 1e9, circulating_supply: 4e8, created_at: START + 2 * DAY },
  { address: 'T2', created_at: START - 30 * DAY },
];

/** A swap of one of few wallets and tokens: buys and sells, at times all that is held, at times of no known value. */
function randomSwap(random: Random, time: number, n: number, held: Map<string, number>): SwapInput {
  const wallet = `W${random.below(8)}`;
  const token = random.chance(0.1) ? 'SOL' : `T${random.below(5)}`;
  const key = `${wallet} ${token}`;
  const had = held.get(key) ?? 0;
  const base = { tx_hash: `tx${n}`, swap_index: 0, block_time: time, wallet };
  const other = random.chance(0.1) ? 'X' : random.chance(0.2) && token !== 'SOL' ? 'SOL' : 'USDC';
  if (had > 0 && random.chance(0.55)) {
    const amount = random.chance(0.6) ? had : had * random.unit();
    held.set(key, had - amount);
    return {
      ...base,
      token_in: token,
      token_out: other,
      token_amount_in: amount,
      token_amount_out: amount * random.between(0.5, 2),
      post_token_balance_in: random.chance(0.3) ? had - amount : null,
    };
  }
  const amount = random.between(1, 1000);
  held.set(key, had + amount);
  return {
    ...base,
    token_in: other,
    token_out: token,
    token_amount_in: amount * random.between(0.5, 2),
    token_amount_out: amount,
  };
}

/** From 1 to `most`, as often in each power of ten. */
function decades(random: Random, most: number): number {
  return 10 ** random.between(0, Math.log10(most));
}

/** Periods of all windows, in seconds. */
const periods = [...new Set([...windowSpecs.tokens, ...windowSpecs.wallets].flatMap((w) => [w.period, w.seconds]))];

/** The next as-of time: seconds or days on, or where a trade passes the edge of a period, or a second before. */
function nextTime(random: Random, now: number, times: readonly number[]): number {
  if (times.length > 0 && random.chance(0.5)) {
    const [time, period] = [random.pick(times), random.pick(periods)];
    const edge = time + Math.ceil((now + 2 - time) / period) * period - random.below(2);
    if (edge > now && edge <= now + 20 * DAY) return edge;
  }
  return now + Math.max(1, Math.floor(decades(random, 20 * DAY)));
}

/** All stored profiles, by address, but for when they were stored. */
async function profilesOf(dex: Swapfold): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const search of [dex.tokens.search, dex.wallets.search]) {
    const { count, data } = await search({ limit: 100 });
    assert.equal(count, data.length);
    for (const profile of data as unknown as Record<string, unknown>[])
      found.set(
        String(profile.token_address ?? profile.wallet_address),
        JSON.stringify({ ...profile, synced_at: null }),
      );
  }
  return found;
}

/** The profile of a token or wallet at an instant. */
async function profileAt(dex: Swapfold, address: string, instant: string): Promise<string> {
  const questions = dex.at(instant);
  const profile = /^W/.test(address)
    ? await questions.wallets.get({ wallet: address })
    : await questions.tokens.get({ token: address });
  return JSON.stringify({ ...profile, synced_at: null });
}

/** A profile of an earlier instant with the market values, or the record, of a current one: all stored profiles count at one native price, at the marks of one instant. */
function markedAs(current: string, earlier: string): string {
  const profile = JSON.parse(earlier) as { market?: Record<string, unknown>; holding?: unknown };
  if (profile.holding !== undefined) {
    const { lifetime, holding } = JSON.parse(current) as Record<string, unknown>;
    Object.assign(profile, { lifetime, holding });
  }
  if (profile.market === undefined) return JSON.stringify(profile);
  const { price, fdv, market_cap } = (JSON.parse(current) as { market: Record<string, unknown> }).market;
  Object.assign(profile.market, { price, fdv, market_cap });
  return JSON.stringify(profile);
}

/**
 * Holds the stored positions to those of a fold from nothing: at the as-of time, or at the last instant that they say they hold for, if that is
 * over. Gives how many of those there are.
 */
async function checkPositions(dex: Store, fresh: Store, asOf: number): Promise<number> {
  const [stored, expected] = [await storedPositions(...dex), await storedPositions(...fresh)];
  assert.deepEqual([...stored.keys()], [...expected.keys()]);
  const until = (line: string): number => new Map<string, number>(JSON.parse(line)).get('fresh_until')!;
  let behind = 0;
  for (const [key, line] of stored) {
    const isBehind = until(line) < asOf;
    if (isBehind) behind++;
    const current = isBehind ? (await foldedPositions(...fresh, until(line))).get(key) : expected.get(key);
    assert.equal(line, current, `${key} at ${isBehind ? until(line) : asOf}`);
  }
  return behind;
}

type Store = readonly [dex: Swapfold, storage: StorageAdapter];

/** Where two texts of a profile part. */
function difference(stored: string, fresh: string): string {
  let i = 0;
  while (stored[i] === fresh[i]) i++;
  return `${stored.slice(Math.max(0, i - 60), i + 40)} | ${fresh.slice(Math.max(0, i - 60), i + 40)}`;
}

for (const seed of isWhole ? [1, 2, 3] : [1]) {
  test(`after ${isWhole ? 'each' : 'every second'} of 65 refreshes every stored profile is that of a fold from nothing, as of when it says (seed ${seed})`, async (t) => {
    const random = new Random(seed, 1);
    // In one of them entities are forgotten all the time.
    const storage = memory();
    const dex = await Swapfold.open({ storage, config, memory: seed === 3 ? 120_000 : 12_000_000 });
    const swaps: SwapInput[] = [];
    const rows: TokenInput[] = [];
    const held = new Map<string, number>();
    let now = START;
    let [folded, idle, behind, positions] = [0, 0, 0, 0];
    for (let step = 0; step < 65; step++) {
      now = nextTime(
        random,
        now,
        swaps.slice(-30).map((swap) => swap.block_time),
      );
      // Now and then time alone passes; else a few swaps arrive, most of them new, some late, some at the as-of time.
      if (step < 5 || random.chance(0.6)) {
        const arrived = Array.from({ length: random.chance(0.15) ? 40 : 1 + random.below(6) }, (_, i) => {
          const late = random.chance(0.15) ? random.below(Math.min(random.pick([3, 45]) * DAY, now - START)) : 0;
          const ago = random.chance(0.3) ? 0 : Math.floor(decades(random, 2 * HOUR)) - 1;
          return randomSwap(random, Math.max(START, now - ago - late), swaps.length + i, held);
        });
        swaps.push(...arrived);
        await dex.ingest(arrived);
      }
      if (step % 20 === 10) {
        const row = registry[(step / 10 - 1) / 2] ?? { address: 'T3', total_supply: 5 };
        rows.push(row);
        await dex.tokens.upsert([row]);
      }
      const asOf = step % 3 === 0 ? now : Math.max(now, ...swaps.map((swap) => swap.block_time));
      const scope = random.chance(0.5) ? 'traded' : 'all';
      const done = await dex.refresh({ asOf, scope });
      if (step % cases(1, 2) !== cases(0, 1)) continue;
      const freshStorage = memory();
      const fresh = await Swapfold.open({ storage: freshStorage, config });
      await fresh.tokens.upsert(rows);
      await fresh.ingest(swaps);
      await fresh.refresh({ asOf });
      const [stored, expected] = [await profilesOf(dex), await profilesOf(fresh)];
      assert.deepEqual([...stored.keys()].sort(), [...expected.keys()].sort(), `step ${step}`);
      for (const [address, current] of expected) {
        const { as_of: held, ...own } = JSON.parse(stored.get(address)!) as { as_of?: string };
        if (held !== undefined) behind++;
        if (scope === 'all') assert.equal(held, undefined, `step ${step}, ${address} is left behind`);
        const profile = held === undefined ? current : markedAs(current, await profileAt(fresh, address, held));
        if (JSON.stringify(own) !== profile)
          assert.fail(`step ${step}, ${address} at ${held ?? asOf}: ${difference(JSON.stringify(own), profile)}`);
      }
      // Each position that is left behind is a fold of its own instant.
      const isChecked = step % cases(1, 4) === 3 % cases(1, 4);
      const left = isChecked ? await checkPositions([dex, storage], [fresh, freshStorage], asOf) : 0;
      if (scope === 'all') assert.equal(left, 0, `step ${step}, ${left} positions are left behind`);
      positions += left;
      folded += done.tokens + done.wallets;
      idle += expected.size - done.tokens - done.wallets;
      await fresh.close();
    }
    await dex.close();
    t.diagnostic(
      `${swaps.length} swaps over ${Math.round((now - START) / DAY)} days; ${folded} folded, ${idle} left as they were, ${behind} of them behind, and ${positions} positions`,
    );
    assert.ok(idle > folded / 20, 'a refresh that folds everything proves nothing');
    assert.ok(behind > cases(50, 20), 'traded ones alone leave others behind');
    assert.ok(positions > cases(50, 10), 'traded ones alone leave positions behind');
  });
}

test('many small batches with a refresh after each leave what one batch with one refresh leaves', async () => {
  const random = new Random(5, 1);
  const held = new Map<string, number>();
  const swaps = Array.from({ length: 400 }, (_, i) => randomSwap(random, START + i * 1800, i, held));
  const storages = [memory(), memory()] as const;
  const [often, once] = [
    await Swapfold.open({ storage: storages[0], config }),
    await Swapfold.open({ storage: storages[1], config }),
  ];
  for (let i = 0; i < swaps.length; i += 5) {
    await often.ingest(swaps.slice(i, i + 5));
    await often.refresh();
  }
  await once.ingest(swaps);
  await once.refresh();
  assert.deepEqual(await profilesOf(often), await profilesOf(once));
  assert.deepEqual(await storedPositions(often, storages[0]), await storedPositions(once, storages[1]));
  await often.close();
  await once.close();
});

test('a wallet that buys at the as-of time has turned over nothing of nothing, and a second later nothing of something', async () => {
  const dex = await Swapfold.open({ storage: memory(), config });
  const buy = {
    tx_hash: 'a',
    swap_index: 0,
    block_time: START,
    wallet: 'W',
    token_in: 'USDC',
    token_out: 'T',
    token_amount_in: 100,
    token_amount_out: 1,
  };
  await dex.ingest([buy]);
  const turnover = async (asOf: number): Promise<unknown> => {
    await dex.refresh({ asOf });
    return (await dex.wallets.get({ wallet: 'W' })).metrics?.['1d']?.turnover;
  };
  assert.equal(await turnover(START), null);
  assert.equal(await turnover(START + 1), 0);
  await dex.close();
});

test('a refresh of an unknown scope is refused', async () => {
  const dex = await Swapfold.open({ storage: memory(), config });
  await assert.rejects(dex.refresh({ scope: 'some' as 'all' }), {
    code: 'invalid-input',
    message: /"traded", not "some"/,
  });
  await dex.close();
});

test('a supply that becomes known reaches the wallets that traded the token', async () => {
  const dex = await Swapfold.open({ storage: memory(), config });
  const buy = {
    tx_hash: 'a',
    swap_index: 0,
    block_time: START,
    wallet: 'W',
    token_in: 'USDC',
    token_out: 'T',
    token_amount_in: 100,
    token_amount_out: 10,
  };
  await dex.ingest([buy]);
  await dex.refresh();
  await dex.tokens.upsert([{ address: 'T', total_supply: 1000 }]);
  await dex.refresh();
  assert.equal((await dex.wallets.get({ wallet: 'W' })).metrics?.['1d']?.avg_buy_mcap, 10_000);
  await dex.close();
});
