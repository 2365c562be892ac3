import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { findOperation } from '../src/api/operations.ts';
import { readRequest } from '../src/api/request.ts';
import { parseConfig } from '../src/config.ts';
import { faultError } from '../src/faults.ts';
import { operators, operatorsByType } from '../src/filter/operators.ts';
import type { SwapInput } from '../src/ingest/columns.ts';
import { memory } from '../src/memory/memory.ts';
import { builtInMetrics } from '../src/metrics/built-in.ts';
import { profileFields } from '../src/profiles/sections/sections.ts';
import { profileTable } from '../src/profiles/shape.ts';
import type { EntityKind } from '../src/records/profile-fields.ts';
import { fixedPaths } from '../src/search/filter-types.ts';
import type { SearchPage } from '../src/search/page.ts';
import type { SearchRequest } from '../src/search/plan.ts';
import { storedRows } from '../src/search/rows.ts';
import { compilePredicate } from '../src/storage/evaluate.ts';
import { Swapfold } from '../src/swapfold.ts';
import {
  filterContext,
  type Profile,
  parseFilter,
  planSearch,
  profileRows,
  searchContext,
  searchProfiles,
} from './search-fixtures.ts';

const docs = ['guides/search', 'reference/search', 'reference/limits']
  .map((page) => readFileSync(new URL(`../../../docs/${page}.md`, import.meta.url), 'utf8'))
  .join('\n');
const blocks = [...docs.matchAll(/```json (tokens|wallets)\n(.*?)```/gs)].map(([, kind, json]) => ({
  kind: kind as EntityKind,
  request: JSON.parse(json!) as SearchRequest,
}));
const positionBlocks = [...docs.matchAll(/```json positions\n(.*?)```/gs)].map(([, json]) => JSON.parse(json!));

async function run(block: number, profiles: readonly Profile[]): Promise<SearchPage> {
  const { kind, request } = blocks[block]!;
  const fields = profileFields(kind, builtInMetrics);
  const table = profileTable(kind, fields);
  const store = memory();
  await store.open({ tables: [table] });
  await store.write((writer) => writer.append(table, profileRows(kind, profiles, fields)));
  const context = { ...searchContext(kind), fields: new Map(fields.map((field) => [field.path, field])) };
  return store.snapshot((reader) => searchProfiles(storedRows(reader, table), request, context));
}

function addresses({ rows }: SearchPage): unknown {
  return rows.columns.token_address ?? rows.columns.wallet_address;
}

const young = {
  'metadata.created_at': '2024-01-04T12:00:00Z',
  'market.liquidity': 20_000,
  'metrics.1h.makers_count': 50,
};

test('the launch query finds young, liquid, busy tokens, the busiest hour first', async () => {
  const page = await run(0, [
    { ...young, token_address: 'quiet', 'metrics.1h.volume': 1 },
    { ...young, token_address: 'busy', 'metrics.1h.volume': 2 },
    { ...young, token_address: 'a day old', 'metadata.created_at': '2024-01-04T00:00:00Z' },
    { ...young, token_address: 'of no known age', 'metadata.created_at': null },
    { ...young, token_address: 'illiquid', 'market.liquidity': 19_999 },
    { ...young, token_address: 'lonely', 'metrics.1h.makers_count': 49 },
  ]);
  assert.deepEqual(addresses(page), ['busy', 'quiet']);
});

test('the smart money query keeps the wallets that earn and are active, and tells winners and quick ones', async () => {
  const [first, second, third] = [
    '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
    '9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E',
    '4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R',
  ];
  const good = {
    'metrics.30d.pnl': 10_001,
    'metrics.30d.position_count': 10,
    'metadata.last_trade_at': '2024-01-04T00:00:01Z',
    'metrics.30d.winrate': 60,
    'metrics.30d.profit_factor': 2,
    'metrics.7d.avg_holding_duration': 3600,
  };
  const page = await run(1, [
    { ...good, wallet_address: first, 'metrics.30d.winrate': 55, 'metrics.7d.avg_holding_duration': 3599 },
    { ...good, wallet_address: second, labels: ['smart'] },
    { ...good, wallet_address: third, labels: ['sniper'] },
    { ...good, wallet_address: 'another wallet' },
  ]);
  assert.deepEqual(addresses(page), [second, first]);
  assert.deepEqual(page.dynamic_labels, [['winner'], ['quick']]);
});

test('the heat query finds what many buy now, verified or spread, and no pool shares', async () => {
  const hot = {
    'metrics.5m.buyers_count': 20,
    'metrics.5m.volume': 5001,
    'market.top_holdings': 49,
    'market.liquidity': 10_000,
    'metadata.created_at': '2024-01-01T00:00:00Z',
  };
  const page = await run(2, [
    { ...hot, token_address: 'spread' },
    {
      ...hot,
      token_address: 'verified',
      'market.top_holdings': 90,
      'metadata.verified': true,
      'metrics.5m.volume': 9000,
      'market.liquidity': null,
    },
    { ...hot, token_address: 'concentrated', 'market.top_holdings': 50 },
    { ...hot, token_address: 'of unknown holders', 'market.top_holdings': null },
    { ...hot, token_address: 'a pool share', 'metadata.name': 'Orca LP Token (A/B)' },
  ]);
  assert.deepEqual(addresses(page), ['verified', 'spread']);
  assert.deepEqual(page.dynamic_labels, [['thin', 'fresh'], ['fresh']]);
});

test('the watch query finds Samoyed Coin', async () => {
  const page = await run(3, [
    { token_address: 'samo', 'metadata.name': 'Samoyed Coin' },
    { token_address: 'puppet', 'metadata.name': 'Samoyed Puppet Coin' },
    { token_address: 'other', 'metadata.name': 'Some Coin' },
  ]);
  assert.deepEqual(addresses(page), ['samo', 'puppet']);
});

test('the list query says what happened to each token', async () => {
  const page = await run(4, [
    {
      token_address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      'metadata.symbol': 'USDC',
      'metrics.1h.sell_volume': 100_001,
      'market.liquidity': 1,
    },
    {
      token_address: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
      'metadata.symbol': 'SAMO',
      'metadata.last_trade_at': '2024-01-02T00:00:00Z',
    },
    { token_address: 'another token' },
  ]);
  assert.deepEqual(page.dynamic_labels, [['asleep', 'unknown liquidity'], ['sold']]);
  assert.deepEqual(
    page.explanation?.rows.map((row) => row.dynamic_labels.asleep),
    [
      { path: 'metadata.idle', operator: '$gte', operand: 259_200, actual: 259_200, held: true },
      { path: 'metadata.idle', operator: '$gte', operand: 259_200, actual: null, held: false },
    ],
  );
});

test('the query of positions finds who still holds the token at a loss, the largest loss first', async () => {
  const token = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
  const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
  const [small, large, sold, cheap] = ['Aa', 'Bb', 'Cc', 'Dd'].map((name) => name.repeat(20)) as [
    string,
    string,
    string,
    string,
  ];
  /** What buys 100 tokens, or sells them. */
  const swap = (i: number, wallet: string, block_time: number, usd: number, isBuy = true): SwapInput => ({
    tx_hash: `tx-${i}`,
    swap_index: 0,
    block_time,
    wallet,
    ...(isBuy
      ? { token_in: usdc, token_amount_in: usd, token_out: token, token_amount_out: 100 }
      : { token_in: token, token_amount_in: 100, token_out: usdc, token_amount_out: usd }),
  });
  const start = 1_704_000_000;
  const dex = await Swapfold.open({ storage: memory() });
  await dex.ingest([
    swap(1, small, start + 1, 10),
    swap(2, large, start, 20),
    swap(3, sold, start, 20),
    swap(4, sold, start + 5, 1, false),
    // 30 days after the larger one, at 0.06 a token.
    swap(5, cheap, start + 30 * 86_400, 6),
  ]);
  await dex.refresh();
  const { count, data } = await dex.positions.search(positionBlocks[0]);
  assert.equal(count, 2);
  assert.deepEqual(
    data.map((one) => [one.wallet_address, one.holding?.unrealized_pnl, one.dynamic_labels]),
    [
      [large, -14, ['patient']],
      [small, -4, []],
    ],
  );
  assert.deepEqual(Object.keys(data[0]!.metrics ?? {}), ['7d']);
  await dex.close();
});

test('every worked query of the docs is run here', () =>
  assert.deepEqual([blocks.length, positionBlocks.length], [5, 1]));

test('the table of operators is that of the code', () => {
  const types = ['number', 'text', 'date', 'boolean', 'labels'] as const;
  const [, ...rows] = tableUnder('Operators by the type of the field');
  assert.deepEqual(
    rows.map(([operator, ...suits]) => [operator, suits.map((cell) => cell !== 'no')]),
    operators.map((operator) => [
      `\`${operator}\``,
      types.map((type) => (operatorsByType[type] as readonly string[]).includes(operator)),
    ]),
  );
});

// Each limit that the page names, and a request that reaches it: what `of` makes of the limit is read, of one more it is refused.
for (const [name, said, of] of [
  ['profiles a page', /profiles a page, 1 to (\d+)/, (most: number) => ({ limit: most })],
  [
    'characters of a text',
    /\| `text` \| 1 to (\d+) characters/,
    (most: number) => ({ query: { text: 'a'.repeat(most) } }),
  ],
  [
    'sort keys',
    /array of up to (\d+)/,
    (most: number) => ({ sort: Array.from({ length: most }, () => ({ field: 'market.price' })) }),
  ],
  ['levels', /levels of a \[filter\]\S+ \| (\d+)/, (most: number) => ({ filter: nested(most) })],
  [
    'conditions',
    /conditions of a filter; an empty filter counts as one \| (\d+)/,
    (most: number) => ({ filter: { $or: [{}, ...Array.from({ length: most - 1 }, () => ({ 'market.price': 1 }))] } }),
  ],
  [
    'items',
    /items of a list in a filter \| (\d+)/,
    (most: number) => ({ filter: { 'market.price': { $in: Array.from({ length: most }, (_, i) => i) } } }),
  ],
  [
    'dynamic labels',
    /dynamic labels of a search \| (\d+)/,
    (most: number) => ({
      dynamic_labels: Object.fromEntries(Array.from({ length: most }, (_, i) => [`l${i}`, { 'market.price': 1 }])),
    }),
  ],
  [
    'characters of a label',
    /characters of the name of a dynamic label \| (\d+)/,
    (most: number) => ({ dynamic_labels: { ['l'.repeat(most)]: { 'market.price': 1 } } }),
  ],
  [
    'characters of what is explained',
    /may take ([\d,]+) characters of JSON where `explain` is true/,
    (most: number) => {
      // [filter, labels] as JSON, around the text that fills it.
      const around = '[{"metadata.name":""},null]'.length;
      return { filter: { 'metadata.name': 'x'.repeat(most - around) }, explain: true };
    },
  ],
] as const)
  test(`the limit of ${name} is the one that the page names`, () => {
    const [, digits] = said.exec(docs) ?? assert.fail(`the page does not say ${said}`);
    const most = Number(digits!.replaceAll(',', ''));
    const ask = (request: object) => () => readSearchBody(request);
    assert.doesNotThrow(ask(of(most)));
    assert.throws(ask(of(most + 1)), { name: 'SwapfoldError' });
  });

/** Reads a body as its operation does: what its schema checks, and then the search itself. */
function readSearchBody(body: object): void {
  const { request, faults } = readRequest(findOperation('tokens.search').request(parseConfig()), body);
  if (faults.length > 0) throw faultError(faults);
  planSearch(request as SearchRequest, searchContext('tokens'));
}

/** A filter of so many levels: the outermost is one. */
function nested(levels: number): object {
  let filter: object = { 'market.price': 1 };
  for (let level = 1; level < levels; level++) filter = { $not: filter };
  return filter;
}

test('the table of missing values is true', () => {
  const rows = profileRows('tokens', [{ token_address: 'A' }]);
  for (const [conditions, holds] of tableUnder('### Missing values').slice(1)) {
    for (const [, json] of conditions!.matchAll(/`(null|\{.*?\})`/g)) {
      const given = JSON.parse(json!) as Record<string, unknown> | null;
      const filter = given !== null && '$not' in given ? given : { 'market.price': given };
      assert.equal(compilePredicate(parseFilter(filter, filterContext('tokens')), rows)(0), holds === 'yes', json);
    }
  }
});

test('the table of fields names every field that is no metric, with its type', () => {
  const listed = tableUnder('### Fields').slice(1);
  for (const [i, kind] of (['tokens', 'wallets', 'positions'] as const).entries()) {
    const shown = listed
      .filter((cells) => cells[2 + i]!.startsWith('yes'))
      .map(([path, type]) => [path!.replaceAll('`', ''), type]);
    assert.deepEqual(Object.fromEntries(shown), fixedPaths[kind]);
  }
});

/** The cells of the first table after `heading`, its head first. */
function tableUnder(heading: string): string[][] {
  const lines = docs.slice(docs.indexOf(heading)).split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  const cells = lines.slice(start, end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
  return cells.filter((row) => !/^-+$/.test(row[0]!));
}
