import assert from 'node:assert/strict';
import { type Api, memory, type PriceInput, presets, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { formatTime } from '@swapfold/core/host';
import { Random } from '../../packages/testing/src/market/random.ts';
import { smallMarket } from './market.ts';

export const DAY = 86_400;
const MONTH = 30 * DAY;

/** A whole number from one to another, ends included. */
function whole(random: Random, from: number, to: number): number {
  return Math.floor(from) + random.below(Math.floor(to) - Math.floor(from) + 1);
}

export const horizonConfig = {
  ...presets.solana,
  quote_tokens: [
    ...presets.solana.quote_tokens,
    { address: 'mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So', symbol: 'mSOL', kind: 'reference' },
  ],
} as const;

/** Swaps over eighty days, among few wallets and tokens so that positions span the horizon, and prices of quote tokens. */
export function longMarket(seed: number, count: number): { swaps: SwapInput[]; prices: PriceInput[] } {
  const random = new Random(seed, 2);
  const isFull = whole(random, 0, 1) === 1;
  const market = smallMarket({
    seed,
    swaps: count,
    wallets: 20 + whole(random, 0, 15),
    tokens: 8 + whole(random, 0, 8),
    days: 80,
    withUsd: isFull,
    withBalances: whole(random, 0, 1) === 1,
  });
  const swaps = market.swaps
    .sort((a, b) => a.block_time - b.block_time)
    .map((swap, i) => ({
      ...swap,
      pool: i % 5 === 0 ? null : i % 7 === 0 ? 'vault' : (swap.pool ?? null),
      fee_native: i % 3 === 0 ? 0.000005 + (i % 11) / 10_000 : null,
      token_amount_out: i % 37 === 5 ? swap.token_amount_out * (i % 2 === 0 ? 40 : 0.03) : swap.token_amount_out,
    }));
  const [first, last] = [swaps[0]!.block_time, swaps.at(-1)!.block_time];
  const prices = horizonConfig.quote_tokens.flatMap(({ address, kind }, i) => {
    const found: PriceInput[] = [];
    for (let time = first - DAY, n = 0; time < last; n++) {
      found.push({
        token: address,
        time,
        usd_price: kind === 'stable' ? 0.9 + (n % 7) / 40 : 120 + ((n * 5 + i) % 31),
      });
      time += n % 6 === 5 ? 4 * DAY + 7 : 3607 * (1 + whole(random, 0, 20));
    }
    return found;
  });
  return { swaps, prices: prices.sort((a, b) => Number(a.time) - Number(b.time)) };
}

/** What is asked of both stores. */
interface Asked {
  readonly wallets: readonly string[];
  readonly tokens: readonly string[];
  readonly pools: readonly string[];
  /** Where answers begin, and the block time of the newest swap, Unix seconds. */
  readonly horizon: number;
  readonly now: number;
  /** The earliest instant that is asked for: the horizon, without one the first swap. */
  readonly oldest: number;
  /** One in how many questions is asked, always the same ones; what searches list is compared whole. */
  readonly every: number;
  readonly random: Random;
}

function askedOf(
  swaps: readonly SwapInput[],
  {
    horizon,
    now,
    oldest,
    every,
    seed,
  }: Pick<Asked, 'horizon' | 'now' | 'oldest' | 'every'> & { readonly seed: number },
): Asked {
  return {
    wallets: [...new Set(swaps.map(({ wallet }) => wallet))].sort(),
    tokens: [...new Set(swaps.flatMap(({ token_in, token_out }) => [token_in, token_out]))].sort(),
    pools: [...new Set(swaps.flatMap(({ pool }) => pool ?? []))].sort().slice(0, 6),
    horizon,
    now,
    oldest,
    every,
    random: new Random(seed, 2),
  };
}

/** Answers without what differs from store to store, by question. */
type Answers = ReadonlyMap<string, string>;

const every = {
  include_labels: true,
  include_metadata: true,
} as const;
const ofWallet = { ...every, include_metrics: ['30d', '7d', '1d'] } as const;
const ofToken = { ...every, include_market: true, include_metrics: ['7d', '1d', '1h'] } as const;
const ofPosition = { ...every, include_holding: true, include_metrics: ['30d', '1d'] } as const;
const options = { wallets: ofWallet, tokens: ofToken, positions: ofPosition } as const;

type Row = Readonly<Record<string, unknown>>;

/** Every answer of a store that lies within the horizon. */
async function answersWithin(dex: Swapfold, asked: Asked): Promise<Answers> {
  const { wallets, tokens, pools, horizon, now, oldest, every: nth, random } = asked;
  const answers = new Map<string, string>();
  let questions = 0;
  const note = async (question: string, ask: () => Promise<unknown>): Promise<void> => {
    if (questions++ % nth > 0) return;
    const answer = await ask().catch((error: Error & { code?: string }) => {
      if (error.code !== 'not-found' && error.code !== 'behind-horizon') throw error;
      return { code: error.code };
    });
    answers.set(question, answerText(answer));
  };
  const since = (rows: readonly Row[], name = 'block_time'): readonly Row[] =>
    rows.filter((row) => (row[name] as number) >= horizon);
  const listed = async (ask: (cursor?: string) => Promise<{ data: readonly Row[]; cursor?: string }>) => {
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const page = await ask(cursor);
      rows.push(...page.data);
      cursor = page.cursor;
    } while (cursor !== undefined && (rows.at(-1)!.block_time as number) >= horizon);
    return since(rows);
  };
  const any = (from: number, to: number): number => whole(random, from, Math.max(from, to));
  const some = (all: readonly string[]): readonly string[] =>
    Array.from({ length: 5 }, () => all[any(0, all.length - 1)]!);
  const lists: Record<string, object> = { all: {} };
  for (const wallet of some(wallets)) lists[`wallet ${wallet}`] = { wallet };
  for (const token of some(tokens)) lists[`token ${token}`] = { token };
  lists.both = { wallet: wallets[any(0, wallets.length - 1)]!, token: tokens[any(0, tokens.length - 1)]! };
  for (const [name, of] of Object.entries(lists)) {
    const page = (cursor?: string) => ({ ...of, limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    await note(`swaps ${name}`, () => listed((cursor) => dex.swaps.list(page(cursor)) as never));
    await note(`trades ${name}`, () => listed((cursor) => dex.trades.list(page(cursor)) as never));
  }
  for (const pool of pools) {
    await note(`swaps pool ${pool}`, () =>
      listed((cursor) => dex.swaps.list({ pool, limit: 100, ...(cursor === undefined ? {} : { cursor }) }) as never),
    );
    for (const interval of [3600, 7 * DAY])
      await note(`candles pool ${pool} ${interval}`, async () =>
        since((await dex.prices.candles({ pool, interval, count: 5000 })) as never, 'timestamp'),
      );
  }
  for (const kind of ['tokens', 'wallets', 'positions'] as const) {
    const rows = new Map<string, unknown>();
    let cursor: string | undefined;
    do {
      const page: { data: readonly Row[]; cursor?: string } = (await dex[kind].search({
        limit: 100,
        options: options[kind],
        ...(cursor === undefined ? {} : { cursor }),
      } as never)) as never;
      for (const row of page.data) rows.set(`${row.wallet_address} ${row.token_address}`, row);
      cursor = page.cursor;
    } while (cursor !== undefined);
    for (const [id, row] of rows) answers.set(`search ${kind} ${id}`, answerText(row));
    answers.set(`found ${kind}`, answerText([...rows.keys()]));
  }
  await single('now', dex, now);
  const early = any(oldest, now);
  await note(`latest`, () => dex.at(early).prices.latest({ tokens }));
  await portfolios(`at ${early}`, dex.at(early), any(oldest, now));
  const late = any(oldest + MONTH, now - 1);
  await single(`at ${late}`, dex.at(late), late);
  return answers;

  async function portfolios(when: string, of: Api, from: number): Promise<void> {
    for (const wallet of some(wallets)) await note(`portfolio ${wallet} ${when}`, () => of.portfolios.get({ wallet }));
    const interval = any(3600, 3 * DAY);
    const begin = formatTime(Math.max(from, oldest + interval));
    for (const wallet of some(wallets))
      await note(`history ${wallet} ${when}`, () => of.wallets.history({ wallet, from: begin, interval }));
    for (const token of some(tokens))
      await note(`history ${token} ${when}`, () => of.tokens.history({ token, from: begin, interval }));
    for (const prints of ['all', 'clean'] as const)
      await note(`prices ${prints} ${when}`, () => of.prices.history({ tokens, from: begin, interval, prints }));
    for (const token of some(tokens))
      for (const [interval, fill, prints] of [
        [3600, false, 'all'],
        [DAY, true, 'clean'],
        [5 * DAY + 7, true, 'all'],
      ] as const)
        for (const range of [{ count: any(1, 100) }, { from: formatTime(any(oldest, now)) }])
          await note(`candles ${token} ${interval} ${Object.keys(range)} ${when}`, async () =>
            since((await of.prices.candles({ token, interval, fill, prints, ...range })) as never, 'timestamp'),
          );
  }

  async function single(when: string, of: Api, instant: number): Promise<void> {
    await note(`latest ${when}`, () => of.prices.latest({ tokens }));
    for (const row of (await of.prices.stats({ tokens })) as unknown as Row[])
      await note(`stats ${row.token} ${when}`, async () => ({
        ...row,
        ...Object.fromEntries(
          Object.entries({ '30d': 60, '7d': 14, '1d': 2 })
            .filter(([, days]) => instant - days * DAY < horizon - 1)
            .map(([window]) => [`usd_volume_change_${window}`, null]),
        ),
      }));
    await portfolios(when, of, any(oldest, instant));
    for (const wallet of wallets)
      await note(`wallet ${wallet} ${when}`, () => of.wallets.get({ wallet, options: ofWallet } as never));
    for (const token of tokens)
      await note(`token ${token} ${when}`, () => of.tokens.get({ token, options: ofToken } as never));
    for (let i = 0; i < 12; i++) {
      const [wallet, token] = [wallets[any(0, wallets.length - 1)]!, tokens[any(0, tokens.length - 1)]!];
      await note(`position ${wallet} ${token} ${when}`, () =>
        of.positions.get({ wallet, token, options: ofPosition } as never),
      );
      await note(`explain holding ${wallet} ${token} ${when}`, async () => {
        const asked = { wallet, token, metric: 'holding.unrealized_pnl', limit: 100 } as const;
        const { forgotten, ...holding } = await of.positions.explain(asked as never);
        const count = holding.count + (forgotten?.count ?? 0);
        return { ...holding, count, cursor: '', trades: since(holding.trades as never) };
      });
      for (const [metric, window] of [
        ['pnl', '30d'],
        ['turnover', '7d'],
        ['max_drawdown', '3d'],
      ] as const) {
        await note(`explain ${wallet} ${metric} ${when}`, () =>
          of.wallets.explain({ wallet, metric, window } as never),
        );
        await note(`explain ${token} ${metric} ${when}`, () =>
          of.tokens.explain({
            token,
            metric: metric === 'turnover' ? 'price_volatility' : metric,
            window: '1d',
          } as never),
        );
        await note(`explain ${wallet} ${token} ${metric} ${when}`, () =>
          of.positions.explain({ wallet, token, metric, window } as never),
        );
      }
    }
  }
}

/** An answer without what differs from store to store. */
function answerText(answer: unknown): string {
  return JSON.stringify(answer).replace(/"(synced_at|cursor)":"[^"]*",?/g, '');
}

/** The questions whose answers differ, with both. */
function differences(found: Answers, expected: Answers): string[] {
  const all = new Set([...found.keys(), ...expected.keys()]);
  return [...all].flatMap((question) => {
    const [a, b] = [found.get(question) ?? 'nothing', expected.get(question) ?? 'nothing'];
    if (a === b) return [];
    let at = 0;
    while (a[at] === b[at]) at++;
    return [
      `${question}\n  here ${a.slice(Math.max(0, at - 80), at + 80)}\n  twin ${b.slice(Math.max(0, at - 80), at + 80)}`,
    ];
  });
}

/** How much of a history is tried. */
export interface HistorySize {
  readonly swaps: number;
  /** Batches, each with what comes between them. */
  readonly steps: number;
  /** One in how many questions is asked. */
  readonly every: number;
}

export const wholeHistory: HistorySize = { swaps: 500, steps: 24, every: 1 };
/** A tenth of the time of a whole one. */
export const shortHistory: HistorySize = { swaps: 180, steps: 9, every: 5 };

interface Round extends HistorySize {
  readonly seed: number;
}

/** Two stores that are fed the same, one of which forgets; gives what they were asked. */
async function runRound(forgetful: Swapfold, twin: Swapfold, { seed, swaps: count, steps, every }: Round) {
  const random = new Random(seed ^ 0x5eed, 1);
  const { swaps, prices } = longMarket(seed, count);
  const both = [forgetful, twin] as const;
  /** Arrivals in order of time, but for one in six that comes late. */
  const order = swaps.map(
    (swap, i) => [whole(random, 0, 5) === 0 ? i + whole(random, 0, swaps.length) : i, swap] as const,
  );
  const arrivals = order.sort((a, b) => a[0] - b[0]).map(([, swap]) => swap);
  let next = 0;
  let nextPrice = 0;
  let horizon = 0;
  const counts = { refused: 0, prunes: 0, rollbacks: 0 };
  for (let step = 0; step < steps; step++) {
    const end = step === steps - 1 ? arrivals.length : next + Math.ceil(whole(random, 1, 2 * (swaps.length / steps)));
    const batch = arrivals.slice(next, end);
    next = end;
    const { rejected, rejects } = await forgetful.ingest(batch);
    const taken = batch.filter(({ block_time }) => block_time >= horizon);
    assert.equal(rejected, batch.length - taken.length);
    for (const { reason } of rejects) assert.match(reason, /^behind-horizon/);
    counts.refused += rejected;
    await twin.ingest(taken);
    const now = (await twin.info()).last_swap_at!;
    if (whole(random, 0, 2) === 0) {
      const given = prices.slice(nextPrice, nextPrice + prices.length / steps).concat(
        whole(random, 0, 2) === 0
          ? []
          : [
              {
                ...prices[whole(random, 0, Math.max(0, nextPrice - 1))]!,
                usd_price: whole(random, 0, 1) === 0 ? null : 1.5,
              },
            ],
      );
      nextPrice += prices.length / steps;
      const result = await forgetful.prices.upsert(given);
      const good = given.filter(({ time }) => Number(time) >= horizon);
      assert.equal(result.rejected, given.length - good.length);
      await twin.prices.upsert(good);
    }
    if (whole(random, 0, 9) === 0) {
      const recent = swaps.filter(({ block_time }) => block_time > now - DAY && block_time <= now);
      const slot = recent[whole(random, 0, Math.max(0, recent.length - 1))]?.block_slot;
      if (slot !== undefined && slot !== null) {
        const results = await Promise.all(both.map((dex) => dex.rollback({ from_block_slot: slot })));
        assert.deepEqual(results[0], results[1]);
        counts.rollbacks++;
        const gone = swaps.filter((swap) => swap.block_slot! >= slot && arrivals.indexOf(swap) < next);
        arrivals.splice(next, 0, ...gone.filter(() => whole(random, 0, 3) > 0));
      }
    }
    const scope = (['all', 'traded'] as const)[whole(random, 0, 1)]!;
    if (whole(random, 0, 1) === 0)
      for (const dex of both) await dex.refresh({ scope, beside: whole(random, 0, 1) === 0 && dex === forgetful });
    const last = (await twin.info()).last_swap_at!;
    const oldest = Math.max(horizon, swaps[0]!.block_time);
    const isDue = whole(random, 0, 2) === 0 || (step === steps - 1 && horizon === 0);
    if (step > steps / 3 && isDue && last - 31 * DAY > oldest) {
      const result = await forgetful.prune({
        before: whole(random, oldest, last - 31 * DAY),
      });
      horizon = result.horizon ?? 0;
      counts.prunes++;
      if (whole(random, 0, 5) === 0) await forgetful.rebuild();
    }
  }
  const info = await forgetful.info();
  assert.equal(info.horizon ?? 0, horizon);
  for (const dex of both) await dex.refresh();
  const now = (await twin.info()).last_swap_at!;
  return {
    counts: { ...counts, horizon },
    asked: (n: number) =>
      askedOf(swaps, { horizon, now, oldest: Math.max(horizon, swaps[0]!.block_time), every, seed: seed + n }),
  };
}

/** Tries one history on a store that forgets, in memory beside it on one that does not. */
export async function tryHistory(
  storage: StorageAdapter,
  seed: number,
  told: (counts: object) => void,
  size = wholeHistory,
): Promise<void> {
  const forgetful = await Swapfold.open({ storage, config: horizonConfig });
  const twin = await Swapfold.open({ storage: memory(), config: horizonConfig });
  const { asked, counts } = await runRound(forgetful, twin, { seed, ...size });
  told(counts);
  const found = await answersWithin(forgetful, asked(1));
  const expected = await answersWithin(twin, asked(1));
  assert.deepEqual(differences(found, expected).slice(0, 5), [], `seed ${seed}`);
  assert.deepEqual((await forgetful.verify()).differences, [], `seed ${seed}`);
  await forgetful.rebuild();
  const rebuilt = await answersWithin(forgetful, asked(2));
  assert.deepEqual(differences(rebuilt, await answersWithin(twin, asked(2))).slice(0, 5), [], `seed ${seed}, rebuilt`);
  await forgetful.close();
  await twin.close();
}
