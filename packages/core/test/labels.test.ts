import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LabelRule } from '../src/config.ts';
import { parseConfig } from '../src/config.ts';
import type { SwapInput } from '../src/ingest/columns.ts';
import { defaultLabelRules } from '../src/labels/default-rules.ts';
import { labelRulesOf } from '../src/labels/rules.ts';
import { memory } from '../src/memory/memory.ts';
import { builtInMetrics } from '../src/metrics/built-in.ts';
import { defineMetric } from '../src/metrics/metric.ts';
import { shapesOf } from '../src/profiles/shape.ts';
import type { EntityKind } from '../src/records/profile-fields.ts';
import { knownLabels } from '../src/records/profile-fields.ts';
import { compileRules } from '../src/refresh/labels.ts';
import { compilePredicate } from '../src/storage/evaluate.ts';
import { Swapfold } from '../src/swapfold.ts';
import type { ConfigInput, OpenOptions } from '../src/swapfold-options.ts';
import { formatTime } from '../src/time.ts';
import { AS_OF, profileRows } from './search-fixtures.ts';

const DAY = 86_400;
const kinds = ['tokens', 'wallets'] as const;

const shapes = shapesOf(builtInMetrics);

const context = {
  config: parseConfig(),
  shapes,
  asOf: AS_OF,
};

/** Values by path; `metadata.age` stands for the creation that many seconds before the as-of time. */
type Values = Readonly<Record<string, number | null>>;

/** Whether the rule holds for a profile of these values and nothing else. */
function holds(kind: EntityKind, rule: LabelRule, values: Values): boolean {
  const { 'metadata.age': age, ...rest } = values;
  const created = age == null ? null : formatTime(AS_OF - age);
  const rows = profileRows(kind, [{ ...rest, 'metadata.created_at': created }], shapes[kind].fields);
  const [compiled] = compileRules(kind, [rule], context);
  return compilePredicate(compiled!.where, rows)(0);
}

interface Edge {
  /** A profile on the thresholds: one step inside each of them. */
  readonly inside: Values;
  /** One step outside, threshold by threshold. */
  readonly outside: readonly (readonly [path: string, value: number])[];
  /** Paths whose value may be unknown. */
  readonly mayLack?: readonly string[];
}

const edges: Readonly<Record<EntityKind, Readonly<Record<string, Edge>>>> = {
  tokens: {
    'trending crowded-and-rising-hour': {
      inside: {
        'metrics.1h.makers_count': 150,
        'metrics.1h.volume': 50_000,
        'metrics.1h.sharpe_ratio': 1e-9,
        'market.liquidity': 10_000,
      },
      outside: [
        ['metrics.1h.makers_count', 149],
        ['metrics.1h.volume', 49_999.99],
        ['metrics.1h.sharpe_ratio', 0],
        ['market.liquidity', 9999.99],
      ],
      mayLack: ['market.liquidity'],
    },
    'trending crowded-and-rising-day': {
      inside: {
        'metrics.1d.makers_count': 1000,
        'metrics.1d.volume': 500_000,
        'metrics.1d.sharpe_ratio': 1e-9,
        'metrics.1h.makers_count': 20,
        'market.liquidity': 10_000,
      },
      outside: [
        ['metrics.1d.makers_count', 999],
        ['metrics.1d.volume', 499_999],
        ['metrics.1d.sharpe_ratio', -0.1],
        ['metrics.1h.makers_count', 19],
        ['market.liquidity', 0],
      ],
      mayLack: ['market.liquidity'],
    },
    'hot five-minute-burst': {
      inside: { 'metrics.5m.makers_count': 60, 'metrics.5m.buyers_count': 30, 'metrics.5m.volume': 20_000 },
      outside: [
        ['metrics.5m.makers_count', 59],
        ['metrics.5m.buyers_count', 29],
        ['metrics.5m.volume', 19_999],
      ],
    },
    'hot one-minute-burst': {
      inside: { 'metrics.1m.makers_count': 30, 'metrics.1m.buyers_count': 15, 'metrics.1m.volume': 10_000 },
      outside: [
        ['metrics.1m.makers_count', 29],
        ['metrics.1m.buyers_count', 14],
        ['metrics.1m.volume', 9999],
      ],
    },
    'new created-within-a-day': {
      inside: { 'metadata.age': 86_399, 'metrics.1d.makers_count': 5 },
      outside: [
        ['metadata.age', 86_400],
        ['metadata.age', -1],
        ['metrics.1d.makers_count', 4],
      ],
    },
    'new created-within-an-hour': {
      inside: { 'metadata.age': 3599, 'metrics.1h.makers_count': 2 },
      outside: [
        ['metadata.age', 3600],
        ['metadata.age', -1],
        ['metrics.1h.makers_count', 1],
      ],
    },
    'popular held-by-many': {
      inside: { 'market.holders': 10_000, 'metrics.7d.makers_count': 500 },
      outside: [
        ['market.holders', 9999],
        ['metrics.7d.makers_count', 499],
      ],
    },
    'popular traded-by-many': {
      inside: { 'metrics.7d.makers_count': 5000, 'metrics.7d.volume': 2_000_000, 'metrics.1d.makers_count': 300 },
      outside: [
        ['metrics.7d.makers_count', 4999],
        ['metrics.7d.volume', 1_999_999],
        ['metrics.1d.makers_count', 299],
      ],
    },
  },
  wallets: {
    'trencher tiny-caps': {
      inside: { 'metrics.7d.buy_count': 20, 'metrics.7d.avg_buy_mcap': 149_999 },
      outside: [
        ['metrics.7d.buy_count', 19],
        ['metrics.7d.avg_buy_mcap', 150_000],
      ],
    },
    'trencher hours-old-tokens': {
      inside: { 'metrics.7d.entry_count': 15, 'metrics.7d.avg_entry_delay': 21_599 },
      outside: [
        ['metrics.7d.entry_count', 14],
        ['metrics.7d.avg_entry_delay', 21_600],
      ],
    },
    'trencher many-tokens-briefly': {
      inside: {
        'metrics.7d.avg_daily_traded_tokens': 15,
        'metrics.7d.position_count': 30,
        'metrics.7d.avg_holding_duration': 7199,
      },
      outside: [
        ['metrics.7d.avg_daily_traded_tokens', 14.9],
        ['metrics.7d.position_count', 29],
        ['metrics.7d.avg_holding_duration', 7200],
      ],
    },
    'conviction large-and-patient': {
      inside: {
        'metrics.30d.buy_count': 3,
        'metrics.30d.avg_buy_size': 1000,
        'metrics.30d.position_count': 3,
        'metrics.30d.avg_holding_duration': 3 * DAY,
        'metrics.30d.avg_daily_traded_tokens': 2,
      },
      outside: [
        ['metrics.30d.buy_count', 2],
        ['metrics.30d.avg_buy_size', 999],
        ['metrics.30d.position_count', 2],
        ['metrics.30d.avg_holding_duration', 3 * DAY - 1],
        ['metrics.30d.avg_daily_traded_tokens', 2.1],
      ],
    },
    'conviction few-tokens-for-a-week': {
      inside: {
        'metrics.30d.position_count': 2,
        'metrics.30d.sell_volume': 5000,
        'metrics.30d.avg_holding_duration': 7 * DAY,
      },
      outside: [
        ['metrics.30d.position_count', 1],
        ['metrics.30d.position_count', 7],
        ['metrics.30d.sell_volume', 4999],
        ['metrics.30d.avg_holding_duration', 7 * DAY - 1],
      ],
    },
    'smart earns-on-many-tokens': {
      inside: {
        'metrics.30d.pnl': 5000,
        'metrics.30d.position_count': 15,
        'metrics.30d.token_hit_ratio': 0.5,
        'metrics.30d.roi': 15,
      },
      outside: [
        ['metrics.30d.pnl', 4999],
        ['metrics.30d.position_count', 14],
        ['metrics.30d.token_hit_ratio', 0.49],
        ['metrics.30d.roi', 14.9],
      ],
    },
    'smart wins-outweigh-losses': {
      inside: {
        'metrics.30d.pnl': 5000,
        'metrics.30d.position_count': 15,
        'metrics.30d.loss_count': 5,
        'metrics.30d.token_hit_ratio': 0.3,
        'metrics.30d.profit_factor': 2,
      },
      outside: [
        ['metrics.30d.pnl', 4999],
        ['metrics.30d.position_count', 14],
        ['metrics.30d.loss_count', 4],
        ['metrics.30d.token_hit_ratio', 0.29],
        ['metrics.30d.profit_factor', 1.9],
      ],
    },
    'smart steady': {
      inside: { 'metrics.30d.pnl': 2000, 'metrics.30d.position_count': 15, 'metrics.30d.consistency_score': 60 },
      outside: [
        ['metrics.30d.pnl', 1999],
        ['metrics.30d.position_count', 14],
        ['metrics.30d.consistency_score', 59.9],
      ],
    },
    'whale large-buys': {
      inside: { 'metrics.30d.buy_count': 5, 'metrics.30d.avg_buy_size': 10_000 },
      outside: [
        ['metrics.30d.buy_count', 4],
        ['metrics.30d.avg_buy_size', 9999],
      ],
    },
    'whale large-volume-in-large-trades': {
      inside: { 'metrics.30d.volume': 1_000_000, 'metrics.30d.buy_count': 5, 'metrics.30d.avg_buy_size': 2500 },
      outside: [
        ['metrics.30d.volume', 999_999],
        ['metrics.30d.buy_count', 4],
        ['metrics.30d.avg_buy_size', 2499],
      ],
    },
    'degen near-ruin': {
      inside: { 'metrics.7d.position_count': 10, 'metrics.7d.trade_count': 30, 'metrics.7d.risk_score': 75 },
      outside: [
        ['metrics.7d.position_count', 9],
        ['metrics.7d.trade_count', 29],
        ['metrics.7d.risk_score', 74.9],
      ],
    },
    'degen sprays-and-misses': {
      inside: {
        'metrics.7d.avg_daily_trade_count': 30,
        'metrics.7d.position_count': 20,
        'metrics.7d.token_hit_ratio': 0.34,
      },
      outside: [
        ['metrics.7d.avg_daily_trade_count', 29.9],
        ['metrics.7d.position_count', 19],
        ['metrics.7d.token_hit_ratio', 0.35],
      ],
    },
    'degen halved-again-and-again': {
      inside: { 'metrics.30d.token_roi_distribution.lt_neg50_0': 10 },
      outside: [['metrics.30d.token_roi_distribution.lt_neg50_0', 9]],
    },
    'sniper first-minute': {
      inside: { 'metrics.30d.entry_count': 10, 'metrics.30d.early_entry_ratio': 0.5 },
      outside: [
        ['metrics.30d.entry_count', 9],
        ['metrics.30d.early_entry_ratio', 0.49],
      ],
    },
    'sniper first-minute-among-others': {
      inside: { 'metrics.30d.entry_count': 100, 'metrics.30d.early_entry_ratio': 0.2 },
      outside: [
        ['metrics.30d.entry_count', 99],
        ['metrics.30d.early_entry_ratio', 0.19],
      ],
    },
    'sniper earns-in-the-first-hour': {
      inside: { 'metrics.30d.entry_count': 5, 'metrics.30d.avg_entry_delay': 3600, 'metrics.30d.pnl': 1000 },
      outside: [
        ['metrics.30d.entry_count', 4],
        ['metrics.30d.avg_entry_delay', 3601],
        ['metrics.30d.pnl', 999],
      ],
    },
    'swing holds-for-days': {
      inside: {
        'metrics.30d.position_count': 5,
        'metrics.30d.avg_holding_duration': DAY,
        'metrics.30d.avg_daily_trade_count': 10,
      },
      outside: [
        ['metrics.30d.position_count', 4],
        ['metrics.30d.avg_holding_duration', DAY - 1],
        ['metrics.30d.avg_holding_duration', 14 * DAY],
        ['metrics.30d.avg_daily_trade_count', 10.1],
      ],
    },
    'holder sells-after-weeks': {
      inside: { 'metrics.30d.position_count': 2, 'metrics.30d.avg_holding_duration': 14 * DAY },
      outside: [
        ['metrics.30d.position_count', 1],
        ['metrics.30d.avg_holding_duration', 14 * DAY - 1],
      ],
    },
    'holder buys-and-keeps': {
      inside: {
        'metrics.30d.buy_count': 4,
        'metrics.30d.buy_volume': 200,
        'metrics.30d.avg_trade_delta': 2 * DAY,
        'metrics.30d.sell_count': 0,
      },
      outside: [
        ['metrics.30d.buy_count', 3],
        ['metrics.30d.buy_volume', 199],
        ['metrics.30d.avg_trade_delta', 2 * DAY - 1],
        ['metrics.30d.sell_count', 1],
      ],
    },
  },
};

/** The conditions of a filter: how many there are on each path. */
function conditions(filter: unknown, counts: Map<string, number> = new Map()): Map<string, number> {
  for (const [key, value] of Object.entries(filter as object)) {
    if (key.startsWith('$')) for (const part of value as unknown[]) conditions(part, counts);
    else counts.set(key, (counts.get(key) ?? 0) + (typeof value === 'object' ? Object.keys(value).length : 1));
  }
  return counts;
}

for (const kind of kinds) {
  for (const rule of defaultLabelRules[kind]) {
    const name = `${rule.label} ${rule.rule}`;
    const edge = edges[kind][name]!;

    test(`${name} holds on the edge of every condition`, () => {
      assert.equal(holds(kind, rule, edge.inside), true);
    });

    test(`${name} fails one step beyond each condition`, () => {
      const tried = new Map<string, number>();
      for (const [path, value] of edge.outside) {
        assert.equal(holds(kind, rule, { ...edge.inside, [path]: value }), false, `${path} ${value}`);
        tried.set(path, (tried.get(path) ?? 0) + 1);
      }
      assert.deepEqual(tried, conditions(rule.filter), 'every condition is tried');
    });

    test(`${name} fails where what it asks for is unknown${edge.mayLack ? `, but for ${edge.mayLack}` : ''}`, () => {
      for (const path of Object.keys(edge.inside))
        assert.equal(
          holds(kind, rule, { ...edge.inside, [path]: null }),
          edge.mayLack?.includes(path) === true,
          `${path} unknown`,
        );
    });
  }

  test(`the default rules of ${kind} are those tried here, each with a rationale of one line and a kebab-case name`, () => {
    const names = defaultLabelRules[kind].map(({ label, rule }) => `${label} ${rule}`);
    assert.deepEqual(names, Object.keys(edges[kind]));
    for (const { rule, rationale } of defaultLabelRules[kind]) {
      assert.match(rule, /^[a-z]+(-[a-z]+)*$/);
      assert.match(rationale, /^[A-Z][^\n]+\.$/);
    }
  });
}

test('every label of the interface has a default rule, but for kol', () => {
  for (const kind of kinds) {
    const ruled = new Set(defaultLabelRules[kind].map(({ label }) => label));
    const wanted = knownLabels[kind].filter((label) => label !== 'kol');
    assert.deepEqual([...ruled].sort(), [...wanted].sort());
  }
});

test('no default rule holds for a profile of which nothing is known, nor for one of zeros', () => {
  for (const kind of kinds) {
    const zeros = Object.fromEntries(
      shapes[kind].fields.filter(({ type }) => type === 'number').map(({ path }) => [path, 0]),
    );
    for (const rule of defaultLabelRules[kind]) {
      assert.equal(holds(kind, rule, {}), false, `${rule.label} ${rule.rule} of nothing`);
      assert.equal(holds(kind, rule, { ...zeros, 'metadata.age': 0 }), false, `${rule.label} ${rule.rule} of zeros`);
    }
  }
});

const any = {
  address_format: 'any',
  quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }],
} as const satisfies ConfigInput;

function buy(token: string, time: number, wallet = 'W', usd = 100): SwapInput {
  return {
    tx_hash: `${wallet}-${token}-${time}`,
    swap_index: 0,
    block_time: time,
    wallet,
    token_in: 'USD',
    token_amount_in: usd,
    token_out: token,
    token_amount_out: 10,
  };
}

interface Labelled {
  readonly labels?: unknown;
  readonly matched_labels?: unknown;
}

function labelsOf({ labels, matched_labels }: Labelled): Labelled {
  return { labels, matched_labels };
}

/** W enters ten tokens two seconds after their creation; five wallets buy T on its first day. Ends at AS_OF. */
async function market(labels?: ConfigInput['labels'], options: Partial<OpenOptions> = {}): Promise<Swapfold> {
  const config = labels === undefined ? any : { ...any, labels };
  const dex = await Swapfold.open({ storage: memory(), config, ...options });
  const sniped = Array.from({ length: 10 }, (_, i) => ({ address: `S${i}`, created_at: AS_OF - 20 * DAY + i }));
  await dex.tokens.upsert([...sniped, { address: 'T', created_at: AS_OF - 1800 }]);
  await dex.wallets.upsert([
    { address: 'W', labels: ['kol'] },
    { address: 'K', labels: ['kol', 'sniper'] },
  ]);
  await dex.ingest([
    ...sniped.map(({ address, created_at }) => buy(address, created_at + 2)),
    ...['W', 'B', 'C', 'D', 'E'].map((wallet, i) => buy('T', AS_OF - 4 + i, wallet)),
  ]);
  await dex.refresh();
  return dex;
}

test('matched_labels gives for each label the names of the rules that held, labels their names in order', async () => {
  const dex = await market();
  assert.deepEqual(labelsOf(await dex.tokens.get({ token: 'T' })), {
    labels: ['new'],
    matched_labels: { new: ['created-within-a-day', 'created-within-an-hour'] },
  });
  assert.deepEqual(labelsOf(await dex.wallets.get({ wallet: 'W' })), {
    labels: ['kol', 'sniper'],
    matched_labels: { kol: ['registry'], sniper: ['first-minute'] },
  });
  assert.deepEqual(labelsOf(await dex.wallets.get({ wallet: 'B' })), { labels: [], matched_labels: {} });
  await dex.close();
});

test('labels of the registry hold without a trade, under the rule registry', async () => {
  const dex = await market();
  assert.deepEqual(labelsOf(await dex.wallets.get({ wallet: 'K' })), {
    labels: ['kol', 'sniper'],
    matched_labels: { kol: ['registry'], sniper: ['registry'] },
  });
  await dex.close();
});

test('a label of the registry goes with the next refresh after the registry drops it', async () => {
  const dex = await market();
  await dex.wallets.upsert([{ address: 'K', labels: ['sniper'] }]);
  await dex.refresh();
  assert.deepEqual((await dex.wallets.get({ wallet: 'K' })).labels, ['sniper']);
  await dex.wallets.upsert([{ address: 'K', labels: null }]);
  await dex.refresh();
  assert.deepEqual((await dex.wallets.get({ wallet: 'K' })).labels, []);
  await dex.close();
});

test('search finds profiles by the labels that rules gave them', async () => {
  const dex = await market();
  const found = await dex.wallets.search({ filter: { labels: { $all: ['kol', 'sniper'] } } });
  assert.deepEqual(
    found.data.map(({ wallet_address }) => wallet_address),
    ['K', 'W'],
  );
  assert.equal((await dex.tokens.search({ filter: { labels: 'new' } })).count, 1);
  await dex.close();
});

const busy: LabelRule = {
  label: 'sniper',
  rule: 'many-entries',
  filter: { 'metrics.30d.entry_count': { $gte: 11 } },
};

test('rules of the configuration add to the default ones, and stand before them', async () => {
  const dex = await market({ wallets: [busy, { ...busy, label: 'my_label-2' }] });
  assert.deepEqual((await dex.wallets.get({ wallet: 'W' })).matched_labels, {
    kol: ['registry'],
    'my_label-2': ['many-entries'],
    sniper: ['many-entries', 'first-minute'],
  });
  await dex.close();
});

test('a rule of the configuration takes the place of the default rule of the same label and name', async () => {
  const stricter = { ...busy, rule: 'first-minute', filter: { 'metrics.30d.entry_count': { $gte: 12 } } };
  const dex = await market({ wallets: [stricter] });
  assert.deepEqual((await dex.wallets.get({ wallet: 'W' })).labels, ['kol']);
  await dex.close();
});

test('mode replace leaves the rules of the configuration and the registry', async () => {
  const dex = await market({ mode: 'replace', wallets: [{ ...busy, rationale: 'Because.' }] });
  assert.deepEqual((await dex.wallets.get({ wallet: 'W' })).matched_labels, {
    kol: ['registry'],
    sniper: ['many-entries'],
  });
  assert.deepEqual((await dex.tokens.get({ token: 'T' })).labels, []);
  await dex.close();
});

test('mode replace without rules leaves no rule at all', () => {
  assert.deepEqual(labelRulesOf(parseConfig({ labels: { mode: 'replace' } })), {
    tokens: [],
    wallets: [],
    positions: [],
  });
});

test('a rule may ask for a metric of the embedder', async () => {
  const entries = defineMetric({
    name: 'my_entries',
    of: ['wallets'],
    unit: 'count',
    sentence: 'Entries, doubled.',
    formula: '2 x entry_count',
    empty: 0,
    value: (bag) => 2 * bag.entries,
    examples: [],
    source: 'this test',
  });
  const rule = { label: 'mine', rule: 'doubled', filter: { 'metrics.30d.my_entries': 22 } };
  const labels: ConfigInput<'wallets.my_entries'>['labels'] = { wallets: [rule] };
  const dex = await market(labels, { metrics: [entries] });
  assert.deepEqual((await dex.wallets.get({ wallet: 'W' })).labels, ['kol', 'mine', 'sniper']);
  await dex.close();
});

test('the configuration may explain its rules, and the explanation changes no profile', () => {
  const config = parseConfig({ labels: { mode: 'replace', wallets: [{ ...busy, rationale: 'Because.' }] } });
  assert.deepEqual(labelRulesOf(config).wallets, [busy]);
});

const rule = { label: 'mine', rule: 'why', filter: {} };

/** Rules that are refused when a store is opened, with what the message says. */
const refused: readonly {
  readonly sentence: string;
  readonly labels: unknown;
  readonly path: string;
  readonly message: RegExp;
}[] = [
  {
    sentence: 'a path that does not exist is named with its place and the nearest known path',
    labels: { wallets: [rule, { ...rule, rule: 'b', filter: { 'metrics.7d.pnll': { $gt: 0 } } }] },
    path: 'labels.wallets.1.filter.metrics.7d.pnll',
    message: /Unknown field "metrics\.7d\.pnll" in labels\.wallets\.1\.filter\. Did you mean "metrics\.7d\.pnl"\?/,
  },
  {
    sentence: 'a path of the other kind of profile is refused',
    labels: { wallets: [{ ...rule, filter: { 'market.liquidity': { $gt: 0 } } }] },
    path: 'labels.wallets.0.filter.market.liquidity',
    message: /Unknown field "market\.liquidity" in labels\.wallets\.0\.filter/,
  },
  {
    sentence: 'a window that the kind lacks is refused',
    labels: { tokens: [{ ...rule, filter: { 'metrics.30d.volume': { $gt: 0 } } }] },
    path: 'labels.tokens.0.filter.metrics.30d.volume',
    message: /Unknown field "metrics\.30d\.volume" in labels\.tokens\.0\.filter/,
  },
  {
    sentence: 'an operator that does not exist is named with its place',
    labels: { tokens: [{ ...rule, filter: { $or: [{ 'metrics.1h.volume': { $above: 5 } }] } }] },
    path: 'labels.tokens.0.filter.$or.0.metrics.1h.volume.$above',
    message: /Unknown operator "\$above" for "metrics\.1h\.volume" in labels\.tokens\.0\.filter/,
  },
  {
    sentence: 'a value of the wrong type is refused',
    labels: { tokens: [{ ...rule, filter: { 'metrics.1h.volume': { $gt: '5' } } }] },
    path: 'labels.tokens.0.filter.metrics.1h.volume.$gt',
    message: /labels\.tokens\.0\.filter takes .*not "5"/,
  },
  {
    sentence: 'a rule that asks for labels is refused, however deep',
    labels: { tokens: [{ ...rule, filter: { $not: { $or: [{ labels: { $exists: true } }] } } }] },
    path: 'labels.tokens.0.filter',
    message: /"labels\.tokens\.0\.filter": a rule cannot ask for "labels"/,
  },
  {
    sentence: 'a label that holds a bar is refused: sets of labels are stored with bars',
    labels: { wallets: [{ ...rule, label: 'a|b' }] },
    path: 'labels.wallets.0.label',
    message: /"labels\.wallets\.0\.label": expected 1 to 64 of a-z, 0-9, _ and -.*received "a\|b"/,
  },
  ...['', 'Smart', 'two words', '-a', '_a', 'é', 'a'.repeat(65), 'a\0'].map((label) => ({
    sentence: `the label ${JSON.stringify(label.slice(0, 10))} of ${label.length} characters is refused`,
    labels: { tokens: [{ ...rule, label }] },
    path: 'labels.tokens.0.label',
    message: /"labels\.tokens\.0\.label": expected 1 to 64/,
  })),
  {
    sentence: 'a rule without a name is refused',
    labels: { tokens: [{ label: 'mine', filter: {} }] },
    path: 'labels.tokens.0.rule',
    message: /"labels\.tokens\.0\.rule"/,
  },
  {
    sentence: 'two rules of one name under one label are refused',
    labels: { tokens: [rule, { ...rule, rule: 'other' }, rule] },
    path: 'labels.tokens.2.rule',
    message: /"labels\.tokens\.2\.rule": "why" of "mine" is also the name of rule 0/,
  },
  {
    sentence: 'a filter that is no object is refused',
    labels: { tokens: [{ ...rule, filter: 'metrics.1h.volume > 5' }] },
    path: 'labels.tokens.0.filter',
    message: /"labels\.tokens\.0\.filter"/,
  },
  {
    sentence: 'an unknown key of a rule is named with its nearest known one',
    labels: { tokens: [{ ...rule, filtre: {} }] },
    path: 'labels.tokens.0.filtre',
    message: /"labels\.tokens\.0\.filtre": unknown field\. Did you mean "filter"\?/,
  },
];

for (const { sentence, labels, path, message } of refused) {
  test(sentence, async () => {
    const opened = Swapfold.open({ storage: memory(), config: { ...any, labels } as ConfigInput });
    await assert.rejects(opened, (error: { code: string; message: string; details: { path: string }[] }) => {
      assert.equal(error.code, 'invalid-config');
      assert.match(error.message, message);
      assert.deepEqual(
        error.details.map((detail) => detail.path),
        [path],
      );
      return true;
    });
  });
}

test('all faults of a rule are told at once', async () => {
  const filter = { 'metrics.7d.a': 1, 'metrics.7d.pnl': { $over: 1 } } as object;
  const opened = Swapfold.open({
    storage: memory(),
    config: { ...any, labels: { wallets: [{ ...rule, filter }] } },
  });
  await assert.rejects(opened, (error: { details: unknown[] }) => error.details.length === 2);
});

test('one name may stand under several labels, and for tokens and wallets', () => {
  const labels = { tokens: [rule], wallets: [rule, { ...rule, label: 'other' }] };
  assert.doesNotThrow(() => parseConfig({ labels }));
});

/** Refreshes at instants after each other; only what time has changed is folded. Gives the labels of T at each. */
async function labelsOverTime(dex: Swapfold, instants: readonly number[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const asOf of instants) {
    await dex.refresh({ asOf });
    const { labels } = await dex.tokens.get({ token: 'T' });
    assert.deepEqual((await dex.at(asOf).tokens.get({ token: 'T' })).labels, labels, 'as folded alone');
    seen.push(labels);
  }
  return seen;
}

const born = AS_OF - 1800;

test('new leaves a token at the second in which it is a day old, by time alone', async () => {
  const dex = await market();
  const instants = [born + 3599, born + 3600, born + DAY - 1, born + DAY, born + DAY + 1];
  assert.deepEqual(await labelsOverTime(dex, instants), [['new'], ['new'], ['new'], [], []]);
  await dex.close();
});

test('the rules of new leave one by one, each at its second', async () => {
  const dex = await market();
  const rulesAt = async (asOf: number): Promise<unknown> => {
    await dex.refresh({ asOf });
    return (await dex.tokens.get({ token: 'T' })).matched_labels;
  };
  assert.deepEqual(await rulesAt(born + 3599), { new: ['created-within-a-day', 'created-within-an-hour'] });
  assert.deepEqual(await rulesAt(born + 3600), { new: ['created-within-a-day'] });
  assert.deepEqual(await rulesAt(born + DAY), {});
  await dex.close();
});

/** A rule about an age, and how long after T's creation (or last trade) its label is there. */
const aged: readonly {
  readonly sentence: string;
  readonly filter: Record<string, unknown>;
  readonly instants: readonly number[];
  readonly expected: readonly boolean[];
}[] = [
  {
    sentence: 'a rule of an age from a second on begins to hold in that second',
    filter: { 'metadata.age': { $gte: 5000 } },
    instants: [born + 4998, born + 4999, born + 5000, born + 5001],
    expected: [false, false, true, true],
  },
  {
    sentence: 'a rule of an age above a second begins to hold in the next',
    filter: { 'metadata.age': { $gt: 5000 } },
    instants: [born + 4999, born + 5000, born + 5001],
    expected: [false, false, true],
  },
  {
    sentence: 'a rule of an age up to a second holds in it for the last time',
    filter: { 'metadata.age': { $lte: 5000 } },
    instants: [born + 4999, born + 5000, born + 5001],
    expected: [true, true, false],
  },
  {
    sentence: 'a rule of one age holds for one second',
    filter: { 'metadata.age': 5000 },
    instants: [born + 4999, born + 5000, born + 5001],
    expected: [false, true, false],
  },
  {
    sentence: 'a rule of several ages holds for the second of each',
    filter: { 'metadata.age': { $in: [5000, 6000] } },
    instants: [born + 4999, born + 5000, born + 5001, born + 5999, born + 6000, born + 6001],
    expected: [false, true, false, false, true, false],
  },
  {
    sentence: 'a rule of no such age fails for the second of each',
    filter: { $nor: [{ 'metadata.age': { $nin: [5000] } }] },
    instants: [born + 4999, born + 5000, born + 5001],
    expected: [false, true, false],
  },
  {
    sentence: 'a rule of an idle time begins to hold by time alone',
    filter: { $and: [{ 'metadata.idle': { $gte: 7000 } }, { 'metadata.age': { $gte: 0 } }] },
    instants: [AS_OF + 6999, AS_OF + 7000, AS_OF + 7001],
    expected: [false, true, true],
  },
  {
    sentence: 'a rule of part of a second flips at the whole second that follows',
    filter: { 'metadata.age': { $lt: 5000.5 } },
    instants: [born + 5000, born + 5001],
    expected: [true, false],
  },
];

for (const { sentence, filter, instants, expected } of aged) {
  test(sentence, async () => {
    const dex = await market({ mode: 'replace', tokens: [{ label: 'aged', rule: 'age', filter }] });
    const seen = await labelsOverTime(dex, instants);
    assert.deepEqual(
      seen,
      expected.map((held) => (held ? ['aged'] : [])),
    );
    await dex.close();
  });
}

test('a token that was never traded changes its label by time, and is folded for it alone', async () => {
  const dex = await Swapfold.open({
    storage: memory(),
    config: {
      ...any,
      labels: { mode: 'replace', tokens: [{ label: 'old', rule: 'day', filter: { 'metadata.age': { $gte: DAY } } }] },
    },
  });
  await dex.tokens.upsert([
    { address: 'young', created_at: AS_OF },
    { address: 'ageless', created_at: null },
    { address: 'old', created_at: AS_OF - 10 * DAY },
  ]);
  await dex.refresh({ asOf: AS_OF });
  assert.equal((await dex.refresh({ asOf: AS_OF + DAY - 1 })).tokens, 0);
  assert.equal((await dex.refresh({ asOf: AS_OF + DAY })).tokens, 1);
  assert.deepEqual((await dex.tokens.get({ token: 'young' })).labels, ['old']);
  await dex.close();
});
