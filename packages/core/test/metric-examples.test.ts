import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newEntityTrades, noPrints } from '../src/bag/entity.ts';
import { windowSpecs } from '../src/bag/windows.ts';
import type { SwapInput } from '../src/ingest/columns.ts';
import { memory } from '../src/memory/memory.ts';
import { builtInMetrics } from '../src/metrics/built-in.ts';
import { type Metric, metricPath } from '../src/metrics/metric.ts';
import type { Story } from '../src/metrics/story.ts';
import type { EntityKind } from '../src/records/profile-fields.ts';
import { Swapfold } from '../src/swapfold.ts';
import { foldBag } from './fold-bag.ts';

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Seconds of `1h`, `90s`, `1d12h`, `0s`. */
function storySeconds(ago: string): number {
  let seconds = 0;
  for (const [, count, unit] of ago.matchAll(/(\d+)([smhd])/g)) seconds += Number(count) * units[unit!]!;
  return seconds;
}

const AS_OF = 1_704_412_800;
const kinds = ['tokens', 'wallets'] as const;
const metrics: readonly Metric[] = builtInMetrics;

const config = {
  address_format: 'any',
  reference_max_age: 3_000_000,
  quote_tokens: [
    { address: 'USD', symbol: 'USD', kind: 'stable' },
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
  ],
} as const;

/** The story as swaps of the wallet W over its tokens, or of the token T over its wallets. What nobody knows the value of is paid in SOL, which has no price here. */
function swapsOf(story: Story, kind: EntityKind): SwapInput[] {
  const swap = (tx: string, ago: string, wallet: string, legs: object, index = 0): SwapInput =>
    ({
      tx_hash: tx,
      swap_index: index,
      block_time: AS_OF - storySeconds(ago),
      protocol: 'p',
      wallet,
      ...legs,
    }) as SwapInput;
  const legs = (side: 'buy' | 'sell', token: string, amount: number, usd: number | null, native = 1): object => {
    const quote = usd === null ? { token: 'SOL', amount: native } : { token: 'USD', amount: usd };
    const given = side === 'buy' ? quote : { token, amount };
    const received = side === 'buy' ? { token, amount } : quote;
    return {
      token_in: given.token,
      token_amount_in: given.amount,
      token_out: received.token,
      token_amount_out: received.amount,
    };
  };
  return [
    ...story.trades.map(([ago, side, counterparty, amount, usd, { native, fee, tx } = {}], i) => {
      const [wallet, token] = kind === 'wallets' ? ['W', counterparty] : [counterparty, 'T'];
      return swap(
        tx ?? `trade-${i}`,
        ago,
        wallet,
        { ...legs(side, token, amount, usd, native), fee_native: fee ?? null },
        i,
      );
    }),
    ...(story.prints ?? []).map(([ago, price], i) => swap(`print-${i}`, ago, 'P', legs('buy', 'T', 10, 10 * price))),
  ];
}

type Metrics = Record<string, Record<string, unknown>>;

/** What a store serves of W or T after the story. */
async function servedMetrics(story: Story, kind: EntityKind): Promise<Metrics> {
  const dex = await Swapfold.open({ storage: memory(), config });
  const tokens = new Set(['T', ...(kind === 'wallets' ? story.trades.map(([, , counterparty]) => counterparty) : [])]);
  await dex.tokens.upsert(
    [...tokens].map((address) => {
      const created = story.created?.[address];
      return {
        address,
        total_supply: story.supply ?? null,
        created_at: created === undefined ? null : AS_OF - storySeconds(created),
      };
    }),
  );
  await dex.wallets.upsert([{ address: 'W' }]);
  if (story.nativePrice !== undefined)
    await dex.prices.upsert([
      { token: 'SOL', time: AS_OF - storySeconds(story.nativePriced ?? '30d'), usd_price: story.nativePrice },
    ]);
  const { rejects } = await dex.ingest(swapsOf(story, kind));
  assert.deepEqual(rejects, []);
  await dex.transfers.ingest(
    (story.transfers ?? []).map(([ago, way, counterparty, amount], i) => {
      const [wallet, token] = kind === 'wallets' ? ['W', counterparty] : [counterparty, 'T'];
      const sides = way === 'in' ? { to: wallet } : { from: wallet };
      const block_time = AS_OF - storySeconds(ago);
      return { tx_hash: `moved-${i}`, transfer_index: 0, block_time, token, token_amount: amount, ...sides };
    }),
  );
  await dex.refresh({ asOf: AS_OF });
  const profile = kind === 'wallets' ? await dex.wallets.get({ wallet: 'W' }) : await dex.tokens.get({ token: 'T' });
  await dex.close();
  return profile.metrics as Metrics;
}

const served = new Map<string, Promise<Metrics>>();

function metricsOf(story: Story, kind: EntityKind): Promise<Metrics> {
  const key = `${kind} ${story.title}`;
  const known = served.get(key) ?? servedMetrics(story, kind);
  served.set(key, known);
  return known;
}

function cell(metricsOfWindow: Record<string, unknown>, { group, name }: Metric): unknown {
  const holder = group === undefined ? metricsOfWindow : (metricsOfWindow[group] as Record<string, unknown>);
  return holder[name];
}

for (const kind of kinds) {
  for (const metric of metrics.filter(({ of }) => of.includes(kind))) {
    const examples = metric.examples.filter(({ of }) => of === undefined || of === kind);

    test(`${metricPath(metric)} of ${kind} is what its ${examples.length} examples work out by hand`, async () => {
      for (const { story, window, value, because } of examples) {
        const all = await metricsOf(story, kind);
        const actual = cell(all[window]!, metric);
        const where = `${story.title}, ${window}: ${because}`;
        if (value === null || value === 0 || typeof actual !== 'number') assert.equal(actual, value, where);
        else assert.ok(Math.abs(actual - value) <= 1e-12 * Math.abs(value), `${where}: ${actual}, not ${value}`);
      }
    });

    test(`${metricPath(metric)} of ${kind} is ${metric.empty} over no trades, in every window`, () => {
      for (const window of windowSpecs[kind]) {
        const value = metric.value(foldBag(newEntityTrades(0), noPrints, window, AS_OF));
        const isDefined = value !== null && Number.isFinite(value);
        assert.equal(isDefined ? value : null, metric.empty, window.name);
      }
    });
  }
}

test('every metric is worked by hand over trades and over none, for each profile that carries it', () => {
  const lacking = metrics.flatMap((metric) =>
    metric.of.flatMap((kind) => {
      const examples = metric.examples.filter(({ of }) => of === undefined || of === kind);
      const overTrades = examples.filter(({ story }) => story.trades.length + (story.prints?.length ?? 0) > 0);
      const overNone = examples.filter(({ story }) => story.trades.length + (story.prints?.length ?? 0) === 0);
      return overTrades.length > 0 && overNone.every(({ value }) => value === metric.empty) && overNone.length > 0
        ? []
        : [`${metricPath(metric)} of ${kind}`];
    }),
  );
  assert.deepEqual(lacking, []);
});

test('an example whose value differs between profiles says whose it is', () => {
  for (const metric of metrics) {
    const shared = metric.examples.filter(({ of }) => of === undefined);
    for (const { of } of metric.examples) if (of !== undefined) assert.ok(metric.of.includes(of), metricPath(metric));
    const cases = shared.map(({ story, window }) => `${story.title} ${window}`);
    assert.equal(new Set(cases).size, cases.length, `${metricPath(metric)} works one case twice`);
  }
});

test('stories are told oldest first, each under a title of its own', () => {
  const stories = new Set(metrics.flatMap(({ examples }) => examples.map(({ story }) => story)));
  assert.equal(new Set([...stories].map(({ title }) => title)).size, stories.size);
  for (const { title, trades, prints = [] } of stories) {
    for (const times of [trades, prints]) {
      const ages = times.map(([ago]) => storySeconds(ago));
      assert.deepEqual(
        ages,
        [...ages].sort((a, b) => b - a),
        title,
      );
    }
  }
});

/** The interface, sections 2.2 and 2.3: what a metrics object holds. */
const interfaceNames = {
  tokens: [
    'largest_trade_win',
    'largest_trade_loss',
    'avg_buy_size',
    'avg_sell_size',
    'avg_price',
    'avg_buy_price',
    'avg_sell_price',
    'avg_buy_mcap',
    'avg_sell_mcap',
    'avg_holding_duration',
    'avg_trade_pnl',
    'avg_trade_roi',
    'avg_wallet_winrate',
    'avg_wallet_pnl',
    'avg_wallet_roi',
    'wallet_roi_distribution',
    'makers_count',
    'buyers_count',
    'sellers_count',
    'buy_count',
    'sell_count',
    'win_position_count',
    'loss_position_count',
    'win_pnl',
    'loss_pnl',
    'buy_volume',
    'sell_volume',
    'pnl',
    'trade_count',
    'volume',
    'position_count',
    'volume_weighted_winrate',
    'volume_weighted_roi',
    'wallet_hit_ratio',
    'profit_factor',
    'win_loss_size_ratio',
    'pnl_volume_ratio',
    'price_stability',
    'price_volatility',
    'roi_stability',
    'roi_volatility',
    'pnl_volatility',
    'pnl_stability',
    'sharpe_ratio',
    'sortino_ratio',
    'max_drawdown',
  ],
  wallets: [
    'risk_score',
    'consistency_score',
    'largest_win',
    'largest_loss',
    'max_consecutive_wins',
    'max_consecutive_losses',
    'avg_buy_size',
    'avg_sell_size',
    'avg_buy_mcap',
    'avg_sell_mcap',
    'avg_daily_pnl',
    'avg_daily_roi',
    'avg_daily_trade_count',
    'avg_daily_traded_tokens',
    'avg_daily_volume',
    'avg_holding_duration',
    'avg_trade_delta',
    'avg_pnl',
    'avg_roi',
    'avg_token_pnl',
    'avg_token_roi',
    'token_roi_distribution',
    'trade_count',
    'buy_count',
    'sell_count',
    'position_count',
    'win_count',
    'loss_count',
    'pnl',
    'win_pnl',
    'loss_pnl',
    'volume',
    'buy_volume',
    'sell_volume',
    'winrate',
    'volume_weighted_winrate',
    'roi',
    'volume_weighted_roi',
    'time_weighted_roi',
    'pnl_volume_ratio',
    'token_hit_ratio',
    'win_loss_size_ratio',
    'profit_factor',
    'profit_expectancy',
    'recovery_factor',
    'winrate_stability',
    'winrate_volatility',
    'pnl_stability',
    'pnl_volatility',
    'roi_stability',
    'roi_volatility',
    'sharpe_ratio',
    'sortino_ratio',
    'max_drawdown',
    'risk_of_ruin',
    'turnover',
  ],
} as const;

const distribution = ['gt_500', '200_500', '0_200', 'neg50_0', 'lt_neg50_0'];

const extensions: Readonly<Record<EntityKind, readonly string[]>> = {
  tokens: ['organic_volume', 'small_pnl', 'unmatched_share', 'unvalued_trade_count', 'volume_native'],
  wallets: [
    'avg_entry_delay',
    'away_cost',
    'best_token_share',
    'days_active',
    'early_entry_ratio',
    'entry_count',
    'fees',
    'fees_native',
    'net_pnl',
    'pnl_native',
    'pnl_without_best',
    'quick_share',
    'returned_cost',
    'roi_native',
    'small_pnl',
    'stale_fee_count',
    'unmatched_proceeds',
    'unmatched_share',
    'unvalued_trade_count',
    'volume_native',
    'wash_share',
    'wash_volume',
    'winrate_high',
    'winrate_low',
  ],
};

test('the interface names 46 metrics of a token and 56 of a wallet', () => {
  assert.equal(new Set(interfaceNames.tokens).size, 46);
  assert.equal(new Set(interfaceNames.wallets).size, 56);
});

for (const kind of kinds) {
  test(`a metrics object of ${kind} holds every name of the interface and the declared extensions, nothing else`, async () => {
    const all = await metricsOf({ title: 'nothing', trades: [] }, kind);
    assert.deepEqual(
      Object.keys(all),
      windowSpecs[kind].map(({ name }) => name),
    );
    for (const [window, held] of Object.entries(all)) {
      assert.deepEqual(Object.keys(held).sort(), [...interfaceNames[kind], ...extensions[kind]].sort(), window);
      const group = kind === 'tokens' ? 'wallet_roi_distribution' : 'token_roi_distribution';
      assert.deepEqual(Object.keys(held[group] as object), distribution);
    }
  });

  test(`the metrics of ${kind} that are marked as extensions are those the interface lacks`, () => {
    const marked = metrics.filter(({ of, isExtension }) => of.includes(kind) && isExtension === true);
    assert.deepEqual(marked.map(({ name }) => name).sort(), extensions[kind]);
  });
}
