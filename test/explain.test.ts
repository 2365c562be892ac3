import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { defineMetric, type Metric, type MetricExplanation, memory, Swapfold, type Trade } from '@swapfold/core';
import type { Reader, StorageAdapter } from '@swapfold/core/engine';
import { builtInMetrics, metricPath, type ProfileKind, profileWindows } from '@swapfold/core/host';
import { sqlite } from '@swapfold/sqlite';
import { type TermName, termNameOf, termTable } from '../packages/core/src/bag/terms.ts';
import { engines, withFolder } from './support/engines.ts';
import { frozenRequest, openFrozenMarket } from './support/frozen.ts';
import { askOracle, hasPython, type OracleAnswer, type WithTerms } from './support/oracle.ts';
import { watched } from './support/scan.ts';
import { comparedDay, readUniswapDay, uniswapCases } from './support/uniswap.ts';
import { cases, isWhole } from './support/whole.ts';

const kinds = ['tokens', 'wallets', 'positions'] as const;
const nouns = { tokens: ['token'], wallets: ['wallet'], positions: ['wallet', 'token'] } as const;
const metricsOf = (kind: ProfileKind): readonly Metric[] => builtInMetrics.filter(({ of }) => of.includes(kind));
type Profile = { metrics: Record<string, Record<string, unknown>> };
/** What is explained: the address of a token or a wallet, or both of a position. */
type Named = { readonly wallet?: string; readonly token?: string };

function explain(
  dex: Swapfold,
  kind: ProfileKind,
  named: Named,
  request: { metric: string; window: string; limit?: number; cursor?: string },
): Promise<MetricExplanation> {
  return dex.call(`${kind}.explain` as string, { ...named, ...request }) as Promise<MetricExplanation>;
}

async function namesOf(dex: Swapfold, kind: ProfileKind): Promise<Named[]> {
  const names: Named[] = [];
  let cursor: string | undefined;
  do {
    const page = (await dex.call(`${kind}.search` as string, {
      limit: 100,
      options: {},
      ...(cursor === undefined ? {} : { cursor }),
    })) as {
      cursor?: string;
      data: Record<string, string>[];
    };
    for (const profile of page.data)
      names.push(Object.fromEntries(nouns[kind].map((noun) => [noun, profile[`${noun}_address`]!])));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return names;
}

function servedOf(profile: Profile, window: string, { group, name }: Metric): unknown {
  const held = profile.metrics[window]!;
  return (group === undefined ? held : (held[group] as Record<string, unknown>))[name];
}

const factOf = new Map((Object.keys(termTable) as TermName[]).map((fact) => [termNameOf(fact), fact]));

/** The function of a metric over what an answer lists, and nothing else: another fact that it reads is `undefined`. */
function combined(metric: Metric, { terms }: MetricExplanation): number | null {
  const number = (value: number | null): number => value ?? Number.NaN;
  const bag = Object.fromEntries(
    terms.map(({ name, value }) => [
      factOf.get(name)!,
      typeof value === 'object' && value !== null ? Float64Array.from(value, number) : number(value as number | null),
    ]),
  );
  const value = metric.value(bag as unknown as Parameters<Metric['value']>[0]);
  if (value === null || !Number.isFinite(value)) return null;
  return (metric.unit === 'seconds' ? Math.floor(value + 0.5) : value) + 0;
}

async function everyTrade(dex: Swapfold, kind: ProfileKind, named: Named, metric: string, window: string) {
  const trades = [];
  for (let cursor: string | undefined, limit = 3; ; limit = limit === 3 ? 100 : 3) {
    const page = await explain(dex, kind, named, {
      metric,
      window,
      limit,
      ...(cursor === undefined ? {} : { cursor }),
    });
    trades.push(...page.trades);
    cursor = page.cursor;
    if (cursor !== undefined) continue;
    assert.equal(page.count, trades.length);
    return trades;
  }
}

/** Compares the terms of an answer with those of another source. */
type TermsCheck = (terms: MetricExplanation['terms'], of: { kind: ProfileKind; named: Named; window: string }) => void;

/**
 * Every metric of every `step`th profile, the window going round, of the first in all windows if `isThorough`: the value is the profile's, and
 * the terms give it.
 */
async function checkValues(
  dex: Swapfold,
  kind: ProfileKind,
  step: number,
  isThorough = true,
  check?: TermsCheck,
): Promise<number> {
  const windows = profileWindows[kind];
  let checked = 0;
  for (const [i, named] of (await namesOf(dex, kind)).entries()) {
    if (i % step !== 0) continue;
    const options = { include_metrics: windows };
    const profile = (await dex.call(`${kind}.get` as string, { ...named, options })) as Profile;
    for (const [m, metric] of metricsOf(kind).entries()) {
      for (const window of i === 0 && isThorough ? windows : [windows[(i + m) % windows.length]!]) {
        const answer = await explain(dex, kind, named, { metric: metricPath(metric), window, limit: 1 });
        const where = `${kind} ${Object.values(named)} ${window} ${metricPath(metric)}`;
        assert.equal(answer.value, servedOf(profile, window, metric), where);
        assert.equal(combined(metric, answer), answer.value, where);
        assert.deepEqual([answer.unit, answer.formula], [metric.unit, metric.formula]);
        check?.(answer.terms, { kind, named, window });
        checked++;
      }
    }
  }
  return checked;
}

/** Compares the part of a trade with that of another source. */
type PartCheck = (part: number | null, trade: Trade, of: { named: Named; window: string; metric: string }) => void;

/** The parts of all pages of every sum of every `step`th profile add up to it. */
async function checkParts(dex: Swapfold, kind: ProfileKind, step: number, check?: PartCheck): Promise<number> {
  let checked = 0;
  for (const [i, named] of (await namesOf(dex, kind)).entries()) {
    if (i % step !== 0) continue;
    const sums = metricsOf(kind).filter(({ isSum }) => isSum);
    for (const [m, { name: metric }] of sums.entries()) {
      const window = profileWindows[kind][(i + m) % profileWindows[kind].length]!;
      const { value } = await explain(dex, kind, named, { metric, window, limit: 1 });
      let sum = 0;
      let scale = 0;
      for (const { part, ...trade } of await everyTrade(dex, kind, named, metric, window)) {
        sum += part ?? 0;
        scale += Math.abs(part ?? 0);
        check?.(part, trade, { named, window, metric });
        checked++;
      }
      const where = `${kind} ${Object.values(named)} ${window} ${metric}`;
      assert.ok(Math.abs(sum - value!) <= 1e-9 * scale, `${where}: ${sum}, not ${value}`);
    }
  }
  return checked;
}

/** Parts as the independent script has them: it knows of no entries. */
function ofOracle({ trades, wallets }: OracleAnswer): PartCheck {
  const partsOf = new Map(trades.map((trade) => [`${trade.tx_hash} ${trade.wallet} ${trade.token}`, trade.parts]));
  return (part, trade, { named, window, metric }) => {
    if (metric === 'entry_count') return;
    const parts = partsOf.get(`${trade.tx_hash} ${trade.wallet} ${trade.token}`) as unknown as Record<string, number>;
    const isOfBest = metric === 'pnl_without_best' && trade.token === wallets[named.wallet!]?.best_token?.[window];
    const expected = (isOfBest ? undefined : parts[metric === 'pnl_without_best' ? 'pnl' : metric]) ?? null;
    const isClose = part === expected || Math.abs(part! - expected!) <= 1e-9 * (trade.usd_amount ?? 0);
    const where = `${Object.values(named)} ${window} ${metric} ${trade.tx_hash}`;
    assert.ok((part === null) === (expected === null) && isClose, `${where}: ${part}, not ${expected}`);
  };
}

/** Terms as the independent script has them, each counted: it knows of no entries. */
function termsOfOracle(
  { tokens, wallets, positions = {} }: OracleAnswer,
  counts: Map<string, number> = new Map(),
): TermsCheck {
  const keyOf = ({ wallet, token }: Named): string => `${wallet} ${token}`;
  const positionOf = new Map(
    Object.values(positions).map((found) => [
      keyOf({ wallet: found.wallet_address, token: found.token_address }),
      found,
    ]),
  );
  const find = (kind: ProfileKind, named: Named): WithTerms =>
    kind === 'tokens'
      ? tokens[named.token!]!
      : kind === 'wallets'
        ? wallets[named.wallet!]!
        : positionOf.get(keyOf(named))!;
  return (terms, { kind, named, window }) => {
    const { terms: own, term_scales: scales } = find(kind, named);
    for (const { name, value } of terms) {
      if (['entries', 'early_entries', 'entry_delay'].includes(name)) continue;
      const where = `${kind} ${keyOf(named)} ${window} ${name}`;
      const [found, expected, scale] = [value, own![window]![name], scales![window]![name]].map((list) =>
        Array.isArray(list) ? list : [list],
      );
      assert.equal(found!.length, expected!.length, where);
      for (const [i, one] of found!.entries()) {
        const isClose = Math.abs(one - expected![i]) <= 1e-9 * Math.max(scale![i] ?? 0, 1e-12);
        assert.ok(one === expected![i] || (one !== null && isClose), `${where}: ${one}, not ${expected![i]}`);
      }
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  };
}

const skip = hasPython ? false : 'python3 is not installed';

test('on the frozen market, every explanation has the value of the profile, and its terms and parts make it', {
  skip,
}, async (t) => {
  const dex = await openFrozenMarket();
  const oracle = askOracle({ ...frozenRequest(), include: ['luck', 'parts', 'positions', 'terms'] });
  const counts = new Map<string, number>();
  for (const kind of kinds) {
    const values = await checkValues(
      dex,
      kind,
      cases(1, kind === 'positions' ? 64 : 16),
      true,
      termsOfOracle(oracle, counts),
    );
    const parts = await checkParts(dex, kind, cases(1, kind === 'positions' ? 32 : 8), ofOracle(oracle));
    t.diagnostic(`${kind}: ${values} values, ${parts} parts`);
  }
  await dex.close();
  const entries = ['entries', 'early_entries', 'entry_delay'];
  const used = new Set(builtInMetrics.flatMap(({ terms = [] }) => terms.map(termNameOf)));
  assert.deepEqual([...used].filter((name) => !counts.has(name)).sort(), entries.sort());
  t.diagnostic(`${[...counts.values()].reduce((sum, count) => sum + count, 0)} terms`);
});

/** A short generated day, or in a whole run the recorded one if it is there. */
const day = isWhole ? uniswapCases.at(-2)! : { ...uniswapCases[0]!, day: comparedDay };

function termsOfDay(folder: string): TermsCheck {
  const file = join(folder, 'day.csv');
  writeFileSync(file, day.day.csv());
  return termsOfOracle(askOracle({ config: day.config, swaps: [file], include: ['positions', 'terms'] }));
}

/** In memory, the frozen market above holds more: all terms and parts against an independent computation. */
const stored = Object.entries(engines).filter(([engine]) => isWhole || engine !== 'memory');
for (const [engine, open] of stored)
  test(`${engine}: on ${day.title}, every explanation has the value of the profile, and its terms and parts make it`, (t) =>
    withFolder(async (folder) => {
      const dex = watched(await Swapfold.open({ storage: open(folder), config: day.config }));
      await dex.ingest(readUniswapDay(day.day));
      await dex.refresh();
      const check = isWhole && hasPython && engine === 'memory' ? termsOfDay(folder) : undefined;
      for (const kind of kinds) {
        const [few, fewer] = kind === 'tokens' ? [2, 8] : [150, 800];
        const step = cases(1, engine === 'memory' ? few : fewer);
        const values = await checkValues(dex, kind, step, engine === 'memory' || isWhole, check);
        const parts = engine === 'memory' ? await checkParts(dex, kind, step) : 0;
        t.diagnostic(`${kind}: ${values} values, ${parts} parts`);
      }
      await dex.close();
    }));

const A = 1_704_412_800;
const HOUR = 3600;
const config = { address_format: 'any', quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }] } as const;
let nonce = 0;
/** 10 tokens bought or sold. */
const trade = (side: 'buy' | 'sell', token: string, block_time: number, usd: number) => ({
  tx_hash: `tx-${nonce++}`,
  swap_index: 0,
  block_time,
  wallet: 'W',
  ...(side === 'buy'
    ? { token_in: 'USD', token_amount_in: usd, token_out: token, token_amount_out: 10 }
    : { token_in: token, token_amount_in: 10, token_out: 'USD', token_amount_out: usd }),
});
const roundTrip = (token: string, time: number, gain: number) => [
  trade('buy', token, time - 60, 100),
  trade('sell', token, time, 100 + gain),
];

/** Results of W, hour by hour from 10 h before A: +10, +20, -5, -30, +1, +2, +3, -40. The prints of T are 10, and 11, 12, 9.5, 7 and so on. */
const results = [10, 20, -5, -30, 1, 2, 3, -40];
const swaps = results.flatMap((gain, i) => roundTrip('T', A - (10 - i) * HOUR, gain));

async function openWith(rows: readonly object[], options: object = {}): Promise<Swapfold> {
  const dex = watched(await Swapfold.open({ storage: memory(), config, ...options }));
  await dex.ingest(rows as never);
  await dex.refresh({ asOf: A });
  return dex;
}

const ofMarket = { tokens: { token: 'T' }, wallets: { wallet: 'W' }, positions: { wallet: 'W', token: 'T' } } as const;
const at = (time: number): string => `${new Date(time * 1000).toISOString().slice(0, 19)}Z`;
const spans: readonly [kind: ProfileKind, metric: string, window: string, term: string, from: number, to: number][] = [
  // Three wins in a row against two at first.
  ['wallets', 'max_consecutive_wins', '1d', 'longest_wins', A - 6 * HOUR, A - 4 * HOUR],
  ['wallets', 'max_consecutive_losses', '1d', 'longest_losses', A - 8 * HOUR, A - 7 * HOUR],
  // 10, 30, 25, -5, -4, -2, 1, -39: from 30 to -39.
  ['wallets', 'recovery_factor', '1d', 'largest_fall', A - 9 * HOUR, A - 3 * HOUR],
  // The hours at whose ends the profits of 10 and 20 % and the last loss of 40 % lie.
  ['wallets', 'max_drawdown', '1d', 'returns_fall', A - 9 * HOUR, A - 3 * HOUR],
  ['positions', 'max_drawdown', '1d', 'returns_fall', A - 9 * HOUR, A - 3 * HOUR],
  // 12 at the second sell, 6 at the last.
  ['tokens', 'max_drawdown', '1d', 'price_fall', A - 9 * HOUR, A - 3 * HOUR],
];
for (const [kind, metric, window, term, from, to] of spans)
  test(`${metric} of ${kind} says from when to when its ${term} lasts`, async () => {
    const dex = await openWith(swaps);
    const { terms } = await explain(dex, kind, ofMarket[kind], { metric, window });
    const found = terms.find(({ name }) => name === term)!;
    assert.deepEqual([found.from, found.to], [at(from), at(to)]);
    await dex.close();
  });

/** Trades whose sums depend on their order, a dozen an hour for 25 hours: the first lie before the window of a day. */
const thirds = Array.from({ length: 300 }, (_, i) =>
  trade(i % 3 === 0 ? 'sell' : 'buy', i % 7 === 0 ? 'U' : 'T', A - 300 * (300 - i), ((i * 37) % 101) / 3 + 0.1),
);

test('whatever its window reads and in whichever order it adds up, a metric is explained to the bit of the profile', async () => {
  const dex = await openWith(thirds);
  for (const kind of kinds) await checkValues(dex, kind, 1);
  await dex.close();
});

test('what is stored of terms is, to the bit, what a fold of the same instant makes of them', async () => {
  const dex = await openWith(thirds);
  for (const kind of kinds)
    for (const metric of metricsOf(kind))
      for (const window of ['7d', '1d']) {
        const request = { metric: metricPath(metric), window, limit: 1 };
        const folded = await dex.call(`${kind}.explain` as string, { ...ofMarket[kind], ...request }, { asOf: A });
        assert.deepEqual(await explain(dex, kind, ofMarket[kind], request), folded);
      }
  await dex.close();
});

/** Notes the tables that are read in full, which is how folds read. */
function noted(storage: StorageAdapter): { storage: StorageAdapter; streamed: Set<string> } {
  const streamed = new Set<string>();
  const inside = (reader: Reader): Reader => ({
    ...reader,
    stream(scan) {
      streamed.add(scan.table.name);
      return reader.stream(scan);
    },
  });
  const snapshot: StorageAdapter['snapshot'] = (read, use) => storage.snapshot((reader) => read(inside(reader)), use);
  return { storage: { ...storage, snapshot }, streamed };
}

test('a fold is for terms that no profile has', async () => {
  const { storage, streamed } = noted(memory());
  const dex = await openWith(swaps, { storage });
  const isFolded = async (kind: ProfileKind, request: Parameters<typeof explain>[3]): Promise<boolean> => {
    streamed.clear();
    await explain(dex, kind, ofMarket[kind], request);
    return streamed.has('trades');
  };
  for (const kind of kinds) {
    for (const metric of kind === 'positions' ? ['pnl'] : ['pnl', 'trade_count', 'profit_factor', 'pnl_volume_ratio'])
      assert.equal(await isFolded(kind, { metric, window: '1d' }), false, `${metric} of ${kind}`);
    assert.equal(await isFolded(kind, { metric: 'avg_holding_duration', window: '1d' }), true, kind);
  }
  await dex.close();
});

test('a run and a fall that there is not begin and end nowhere', async () => {
  const dex = await openWith([trade('buy', 'T', A - HOUR, 100)]);
  for (const metric of ['max_consecutive_wins', 'recovery_factor', 'max_drawdown']) {
    const { terms } = await explain(dex, 'wallets', { wallet: 'W' }, { metric, window: '1d' });
    assert.ok(
      terms.every(({ from, to }) => from === null && to === null),
      metric,
    );
  }
  await dex.close();
});

for (const [isUp, gains] of [
  [true, [60, 60, -40, -30, -20]],
  [false, [30, 60, -40, -30, -20]],
] as const)
  test(`the walk of risk_of_ruin that drifts ${isUp ? 'upwards' : 'nowhere'} has ${isUp ? 'a' : 'no'} root`, async () => {
    // Wins of 60 and 60, or 30 and 60, on average; losses of 30. At the stake of 100 U is 100 / 30.
    const dex = await openWith(gains.flatMap((gain, i) => roundTrip('T', A - (9 - i) * HOUR, gain)));
    const { value, terms } = await dex.wallets.explain({ wallet: 'W', metric: 'risk_of_ruin', window: '1d' });
    const { p, b, U, z } = Object.fromEntries(terms.map(({ name, value }) => [name, value])) as Record<string, number>;
    assert.deepEqual([p, b, U], [2 / 5, isUp ? 2 : 1.5, 100 / 30]);
    if (isUp) {
      // 0.4 (exp(-2 z) - 1) + 0.6 (exp(z) - 1) = 0: of x = exp(z) the roots of 0.6 x^3 - x^2 + 0.4, 1 and (1 + sqrt(7)) / 3.
      assert.ok(Math.abs(z! - Math.log((1 + Math.sqrt(7)) / 3)) < 1e-14);
      assert.ok(Math.abs(value! - 100 * ((1 + Math.sqrt(7)) / 3) ** (-100 / 30)) < 1e-12);
    } else assert.deepEqual([z, value], [null, 100]);
    await dex.close();
  });

test('trades have no part of a metric that is no sum', async () => {
  const dex = await openWith(swaps);
  const { value, trades } = await dex.wallets.explain({ wallet: 'W', metric: 'winrate', window: '1d' });
  assert.equal(value, 62.5);
  assert.deepEqual([...new Set(trades.map(({ part }) => part))], [null]);
  await dex.close();
});

test('of two best tokens of equal results the first by address has no part in what is without the best', async () => {
  const dex = await openWith([
    ...roundTrip('B', A - 2 * HOUR, 10),
    ...roundTrip('A', A - HOUR, 10),
    trade('buy', 'A', A, 100),
  ]);
  const { value, trades } = await dex.wallets.explain({ wallet: 'W', metric: 'pnl_without_best', window: '1d' });
  assert.equal(value, 10);
  assert.deepEqual(
    trades.map(({ token, direction, part }) => [token, direction, part]),
    [
      ['A', 'buy', null],
      ['A', 'sell', null],
      ['A', 'buy', null],
      ['B', 'sell', 10],
      ['B', 'buy', null],
    ],
  );
  await dex.close();
});

test('a trade exactly at the start of the window is not listed, and swaps after the instant of the profile are not', async () => {
  const dex = await openWith([
    trade('buy', 'T', A - 86_400, 1),
    trade('buy', 'T', A - 86_399, 2),
    trade('buy', 'T', A, 3),
  ]);
  await dex.ingest([trade('buy', 'T', A + 1, 4)]);
  const answer = await dex.wallets.explain({ wallet: 'W', metric: 'volume', window: '1d' });
  assert.deepEqual([answer.as_of, answer.value, answer.count], [at(A), 5, 2]);
  assert.deepEqual(
    answer.trades.map(({ part }) => part),
    [3, 2],
  );
  await dex.close();
});

test('a profile that was left behind is explained as of the last instant that it holds for', async () => {
  const dex = await openWith(swaps);
  await dex.ingest([{ ...trade('buy', 'U', A + 7 * HOUR, 5), wallet: 'V' }]);
  await dex.refresh({ scope: 'traded' });
  const profile = await dex.wallets.get({ wallet: 'W' });
  const { as_of, value } = await dex.wallets.explain({ wallet: 'W', metric: 'pnl', window: '1d' });
  assert.ok(profile.as_of !== undefined && profile.as_of < at(A + 7 * HOUR));
  assert.deepEqual([as_of, value], [profile.as_of, profile.metrics!['1d']!.pnl]);
  await dex.close();
});

for (const [kind, metric] of [
  ['wallets', 'avg_pnl'],
  ['positions', 'avg_pnl'],
  ['positions', 'roi'],
  ['tokens', 'avg_holding_duration'],
] as const)
  test(`as of an earlier instant the explanation of ${metric} of ${kind} is that of the profile at that instant`, async () => {
    const dex = await openWith(swaps);
    const named = ofMarket[kind];
    for (const time of [A - 6 * HOUR, A - 6 * HOUR - 1, A - 10 * HOUR]) {
      const options = { asOf: time };
      const get = { ...named, options: { include_metrics: ['7d'] } };
      const { metrics } = (await dex.call(`${kind}.get` as string, get, options)) as Profile;
      const request = { ...named, metric, window: '7d' };
      const { as_of, value } = (await dex.call(`${kind}.explain` as string, request, options)) as MetricExplanation;
      assert.deepEqual([as_of, value], [at(time), metrics['7d']![metric]]);
    }
    const asked = dex.call(`${kind}.explain` as string, { ...named, metric, window: '7d' }, { asOf: A - 86_400 });
    await assert.rejects(asked, { code: 'not-found' });
    await dex.close();
  });

for (const kind of kinds)
  test(`all pages of an explanation of ${kind} are of the instant of the first, though a refresh comes between`, async () => {
    const dex = await openWith(swaps);
    const request = { metric: 'pnl', window: '7d' };
    const whole = await explain(dex, kind, ofMarket[kind], request);
    const first = await explain(dex, kind, ofMarket[kind], { ...request, limit: 3 });
    await dex.ingest(roundTrip('T', A + HOUR, 7));
    await dex.refresh({ asOf: A + 7 * 86_400 - 5 * HOUR });
    const { cursor, ...second } = await explain(dex, kind, ofMarket[kind], { ...request, cursor: first.cursor! });
    assert.equal(cursor, undefined);
    assert.deepEqual({ ...second, trades: [...first.trades, ...second.trades] }, whole);
    assert.deepEqual(
      await dex.call(`${kind}.explain` as string, { ...ofMarket[kind], ...request, cursor: first.cursor }, { asOf: A }),
      second,
    );
    const { as_of } = await explain(dex, kind, ofMarket[kind], request);
    assert.equal(as_of, at(A + 7 * 86_400 - 5 * HOUR));
    await dex.close();
  });

for (const kind of kinds)
  test(`asked again, an explanation of ${kind} knows the last swap of its second, and what the registry says now`, async () => {
    const dex = await openWith(swaps);
    const metric = kind === 'positions' ? 'avg_holding_duration' : 'avg_buy_mcap';
    const ask = (options = {}) =>
      dex.call(`${kind}.explain` as string, { ...ofMarket[kind], metric, window: '1d', limit: 1 }, options);
    const seen = [await ask()];
    const compare = async (): Promise<void> => {
      seen.push(await ask());
      assert.deepEqual(seen.at(-1), await ask({ asOf: A }));
    };
    await compare();
    await dex.ingest([trade('buy', 'T', A, 50)]);
    await compare();
    await dex.ingest([trade('sell', 'T', A, 70)]);
    await compare();
    await dex.tokens.upsert([{ address: 'T', total_supply: 1000 }]);
    await compare();
    await dex.close();
  });

test('a cursor of an explanation as of one instant is refused beside another', async () => {
  const dex = await openWith(swaps);
  const request = { wallet: 'W', metric: 'pnl', window: '7d', limit: 1 } as const;
  const { cursor } = await dex.wallets.explain(request, { asOf: A - HOUR });
  const asked = dex.wallets.explain({ ...request, cursor: cursor! }, { asOf: A });
  await assert.rejects(asked, { code: 'invalid-cursor', message: /as of 2024-01-04T23:00:00Z/ });
  await dex.close();
});

for (const kind of kinds)
  test(`a late swap is in the explanation of ${kind} before a refresh stores it`, async () => {
    for (const metric of ['pnl', 'win_pnl']) {
      const dex = await openWith([trade('buy', 'T', A - 5 * HOUR, 100), trade('sell', 'T', A - HOUR, 130)]);
      // Ten tokens at 50: the sell takes the first ones, half a position is left.
      await dex.ingest([trade('buy', 'T', A - 6 * HOUR, 50)]);
      const { as_of, value, count } = await explain(dex, kind, ofMarket[kind], { metric, window: '1d' });
      assert.deepEqual([as_of, value, count], [at(A), 80, 3]);
      await dex.close();
    }
  });

test('a late swap is in the explanation of a holding before a refresh stores it', async () => {
  const dex = await openWith([trade('buy', 'T', A - 5 * HOUR, 100), trade('buy', 'T', A - HOUR, 100)]);
  await dex.ingest([trade('buy', 'T', A - 4 * HOUR, 500)]);
  const metric = 'holding.unrealized_pnl';
  const { value, count, terms } = await dex.positions.explain({ wallet: 'W', token: 'T', metric });
  // Thirty tokens of a cost of 700, at the last price of 10.
  assert.deepEqual([value, count, terms.map((term) => term.value)], [-400, 3, [10, 30, 700]]);
  await dex.close();
});

test('what the registry says since the refresh is in the value of an explanation as in its parts', async () => {
  const dex = await openWith(roundTrip('T', A - HOUR, 5));
  await dex.tokens.upsert([{ address: 'T', created_at: at(A - 2 * HOUR) }]);
  const { value, trades } = await dex.wallets.explain({ wallet: 'W', metric: 'entry_count', window: '1d' });
  assert.deepEqual([value, trades.map(({ part }) => part)], [1, [null, 1]]);
  await dex.close();
});

/** W buys 10 EUR for 10 USD and sells them for 25, and makes 5 of T. */
const stable = { address: 'EUR', symbol: 'EUR', kind: 'stable' } as const;
const betweenQuotes = [
  trade('buy', 'EUR', A - 4 * HOUR, 10),
  trade('sell', 'EUR', A - 3 * HOUR, 25),
  ...roundTrip('T', A - HOUR, 5),
];

test('a trade between quote tokens is in the explanation of its position, and of no wallet', async () => {
  const options = { config: { ...config, quote_tokens: [...config.quote_tokens, stable] } };
  const dex = await openWith(betweenQuotes, options);
  const position = await dex.positions.explain({ wallet: 'W', token: 'EUR', metric: 'trade_count', window: '1d' });
  assert.deepEqual([position.value, position.trades.map(({ token }) => token)], [2, ['EUR', 'EUR']]);
  const wallet = await dex.wallets.explain({ wallet: 'W', metric: 'pnl_without_best', window: '1d' });
  assert.deepEqual(
    [wallet.value, wallet.count, wallet.trades.map(({ token, part }) => [token, part])],
    [
      0,
      2,
      [
        ['T', null],
        ['T', null],
      ],
    ],
  );
  await dex.close();
});

const sellsTwice = defineMetric({
  name: 'sells_twice',
  of: ['wallets'],
  unit: 'count',
  sentence: 'Twice the sells.',
  formula: '2 |S|',
  empty: 0,
  value: (bag) => 2 * bag.sells,
  examples: [],
  source: 'this test',
});
const tripled = defineMetric({
  ...sellsTwice,
  name: 'tripled',
  terms: ['sells'],
  isSum: true,
  value: (bag) => 3 * bag.sells,
});

test('own metrics are explained: without terms by their formula, with terms by these, and without their functions by what is stored', () =>
  withFolder(async (folder) => {
    const path = join(resolve(folder), 'own.db');
    const dex = await Swapfold.open({ storage: sqlite(path), config, metrics: [sellsTwice, tripled] });
    await dex.ingest(swaps);
    await dex.refresh({ asOf: A });
    const plain = await dex.wallets.explain({ wallet: 'W', metric: 'sells_twice', window: '1d', limit: 1 });
    assert.deepEqual([plain.value, plain.formula, plain.terms, plain.trades[0]!.part], [16, '2 |S|', [], null]);
    const sum = await dex.wallets.explain({ wallet: 'W', metric: 'tripled', window: '1d', limit: 2 });
    assert.deepEqual([sum.value, sum.terms[0]!.value, sum.trades.map(({ part }) => part)], [24, 8, [3, null]]);
    await dex.close();
    const stored = await Swapfold.open({ storage: sqlite(path), config });
    const answer = await explain(stored, 'wallets', { wallet: 'W' }, { metric: 'tripled', window: '1d' });
    assert.deepEqual([answer.value, answer.terms, answer.count, answer.trades[0]!.part], [24, [], 16, null]);
    const asked = { wallet: 'W', metric: 'tripled' as 'pnl', window: '1d' } as const;
    await assert.rejects(stored.at(A).wallets.explain(asked), { code: 'store-mismatch' });
    const { cursor } = await stored.wallets.explain({ ...asked, limit: 1 });
    await stored.close();
    const refreshed = await Swapfold.open({ storage: sqlite(path), config, metrics: [sellsTwice, tripled] });
    await refreshed.refresh({ asOf: A + HOUR });
    await refreshed.close();
    const later = await Swapfold.open({ storage: sqlite(path), config });
    await assert.rejects(later.wallets.explain({ ...asked, cursor: cursor! }), {
      code: 'invalid-cursor',
      message: /refreshed since/,
    });
    await later.close();
  }));

const wrong: readonly [sentence: string, body: object, code: string, message: RegExp][] = [
  [
    'a metric that there is not',
    { wallet: 'W', metric: 'pln', window: '1d' },
    'invalid-request',
    /no metric "pln" of wallets. Did you mean "pnl"/,
  ],
  [
    'a metric of tokens alone',
    { wallet: 'W', metric: 'makers_count', window: '1d' },
    'invalid-request',
    /no metric "makers_count" of wallets/,
  ],
  [
    'a window that there is not',
    { wallet: 'W', metric: 'pnl', window: '1h' },
    'invalid-request',
    /no window "1h".* Windows: 30d, 14d/,
  ],
  ['a wallet that there is not', { wallet: 'X', metric: 'pnl', window: '1d' }, 'not-found', /no profile of wallet "X"/],
  ['both wrong names at once', { wallet: 'W', metric: 'pln', window: '2d' }, 'invalid-request', /"pln".*and 1 more/],
  ['a cursor that is none', { wallet: 'W', metric: 'pnl', window: '1d', cursor: 'x' }, 'invalid-cursor', /cursor/],
];
for (const [sentence, body, code, message] of wrong)
  test(`${sentence} is refused`, async () => {
    const dex = await openWith(swaps);
    await assert.rejects(dex.call('wallets.explain' as string, body), { code, message });
    await dex.close();
  });

const wrongPositions: readonly [sentence: string, change: object, code: string, message: RegExp][] = [
  ['a wallet without a position', { wallet: 'X' }, 'not-found', /no position of wallet "X" in token "T"/],
  ['a token without a position', { token: 'USD' }, 'not-found', /no position of wallet "W" in token "USD"/],
  ['a metric of wallets alone', { metric: 'position_count' }, 'invalid-request', /"position_count" of positions/],
  ['a window of tokens', { window: '5m' }, 'invalid-request', /no window "5m" of positions.*30d, 14d/],
  ['a missing token', { token: undefined }, 'invalid-request', /"token": expected an address/],
];
for (const [sentence, change, code, message] of wrongPositions)
  test(`${sentence} is refused of a position`, async () => {
    const dex = await openWith(swaps);
    const asked = dex.call('positions.explain', { ...ofMarket.positions, metric: 'pnl', window: '1d', ...change });
    await assert.rejects(asked, { code, message });
    await dex.close();
  });

test('a cursor of another metric is refused', async () => {
  const dex = await openWith(swaps);
  const { cursor } = await dex.wallets.explain({ wallet: 'W', metric: 'pnl', window: '1d', limit: 1 });
  const other = { wallet: 'W', metric: 'volume', window: '1d', cursor: cursor! } as const;
  await assert.rejects(dex.wallets.explain(other), { code: 'invalid-cursor' });
  await dex.close();
});
