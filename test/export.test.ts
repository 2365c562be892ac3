import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import {
  type ArrowRequest,
  type ExportBatch,
  type ExportName,
  type ExportRequest,
  memory,
  Swapfold,
  type TransferInput,
} from '@swapfold/core';
import { type ExportFormat, exportFormats, swapFieldNames, transferFieldNames, writeRows } from '@swapfold/core/host';
import { DataType, type RecordBatch, tableFromIPC, Vector } from 'apache-arrow';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { allAnswers } from './support/answers.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { cases } from './support/whole.ts';

const { swaps, config, market } = smallMarket({
  seed: 23,
  swaps: cases(500, 250),
  wallets: cases(25, 20),
  tokens: cases(10, 8),
  withUsd: false,
});

type Row = Readonly<Record<string, unknown>>;
const { wallet, token_in: token } = swaps[0]!;
const tokens = [...new Set(swaps.flatMap((swap) => [swap.token_in, swap.token_out]))];

async function allOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

async function marketStore(storage: ReturnType<typeof memory>): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage, config });
  await dex.ingest(swaps);
  await dex.transfers.ingest(transfers);
  await dex.tokens.upsert(market.tokens());
  await dex.refresh();
  return dex;
}

/** Transfers beside the swaps, some in their transactions. */
const transfers: readonly TransferInput[] = swaps.slice(0, 90).map((swap, i) => ({
  tx_hash: i % 3 === 0 ? swap.tx_hash : `transfer-${i}`,
  transfer_index: i,
  block_time: swap.block_time,
  block_slot: i % 2 === 0 ? swap.block_slot! : null,
  token: swap.token_out,
  token_amount: swap.token_amount_out / 2,
  from: i % 4 === 0 ? null : swap.wallet,
  to: swaps[i + 1]!.wallet,
  cost_usd: i % 5 === 0 ? 1.5 : null,
  kind: i % 7 === 0 ? 'airdrop' : null,
  includes_swaps: i % 6 === 0,
}));

/** Every row of a list, oldest first. */
async function listed(
  list: (request: { limit: number; cursor?: string }) => Promise<{ data: readonly object[]; cursor?: string }>,
) {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...(page.data as Row[]));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return rows.reverse();
}

/** Profiles with the paths of their values as keys, by address, but for some keys. */
function flatProfiles(profiles: readonly Row[], without: readonly string[]): Row[] {
  const flat = (value: Row, prefix: string): [string, unknown][] =>
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? flat(inner as Row, `${prefix}${key}.`)
        : [[prefix + key, inner]],
    );
  return profiles.map((profile) =>
    Object.fromEntries(flat(Object.fromEntries(Object.entries(profile).filter(([key]) => !without.includes(key))), '')),
  );
}

/** What the interface answers for each thing, in the order of its export. */
const answers: Readonly<Record<ExportName, (dex: Swapfold) => Promise<Row[]>>> = {
  swaps: (dex) => listed(dex.swaps.list),
  trades: (dex) => listed(dex.trades.list),
  transfers: (dex) => listed(dex.transfers.list),
  positions: async (dex) => flatProfiles(await listed(dex.positions.search), ['labels', 'matched_labels']),
  profiles: async (dex) => flatProfiles(await listed(dex.wallets.search), ['matched_labels']),
  candles: async (dex) => (await dex.prices.candles({ token, interval: 3600, count: 5000 })) as unknown as Row[],
  portfolio: async (dex) => (await dex.portfolios.get({ wallet })).tokens as unknown as Row[],
};
const requests: Readonly<Partial<Record<ExportName, ExportRequest>>> = {
  candles: { token, interval: 3600 },
  portfolio: { wallet },
};

function write(folder: string, dex: Swapfold, what: ExportName, format: ExportFormat): Promise<string> {
  const path = join(folder, `${what}.${format}`);
  return allOf(dex.export(what, { ...requests[what], format })).then((pieces) => {
    writeFileSync(path, Buffer.concat(pieces));
    return path;
  });
}

/** Rows with their dates as Unix seconds. */
const stamped = (rows: readonly Row[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, secondsOf(value)])));
const secondsOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) / 1000 : value;

/** Rows in one order, where that of an export means nothing. */
function inOrder(what: ExportName, rows: readonly Row[]): Row[] {
  if (what !== 'profiles' && what !== 'positions') return [...rows];
  const key = (row: Row): string => `${row.wallet_address} ${row.token_address ?? ''}`;
  return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Rows of a batch as the interface has them. */
function rowsOf({ length, columns }: ExportBatch): Row[] {
  return Array.from({ length }, (_, row) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, values]) => [
        name,
        name === 'includes_swaps' ? values[row] === 1 : Number.isNaN(values[row]) ? null : values[row],
      ]),
    ),
  );
}

/** A value as two readers agree on it: times as Unix seconds, whole numbers as numbers. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.getTime() / 1000;
  if (Array.isArray(value)) return value.map(plain);
  return value ?? null;
}
const plainRow = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));

/** Rows of a table or a batch of Arrow: instants are milliseconds there. */
function arrowRows({ schema, toArray }: Pick<RecordBatch, 'schema' | 'toArray'>): Row[] {
  const instants = new Set(schema.fields.filter(({ type }) => DataType.isTimestamp(type)).map(({ name }) => name));
  const rows = toArray() as { toJSON(): Row }[];
  return rows.map((row) => {
    const values = Object.entries(row.toJSON()).map(([name, value]): [string, unknown] => {
      if (value instanceof Vector) return [name, [...value]];
      return [name, typeof value === 'number' && instants.has(name) ? value / 1000 : value];
    });
    return plainRow(Object.fromEntries(values));
  });
}

async function readByDuckdb(sql: string): Promise<{ rows: Row[]; types: Record<string, string> }> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const result = await connection.runAndReadAll(sql);
    const names = result.columnNames();
    const types = Object.fromEntries(names.map((name, i) => [name, result.columnType(i).toString()]));
    const rows = result.getRowsJS().map((row) => plainRow(Object.fromEntries(names.map((name, i) => [name, row[i]]))));
    return { rows, types };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** An engine that answers at once, and one that streams. */
for (const engine of ['memory', 'duckdb']) {
  const open = engines[engine]!;
  test(`${engine}: exported files hold what the interface answers, read by DuckDB and by hyparquet`, () =>
    withFolder(async (folder) => {
      const dex = await marketStore(open(folder) as ReturnType<typeof memory>);
      for (const what of Object.keys(answers) as ExportName[]) {
        const answered = inOrder(what, await answers[what](dex));
        const expected = stamped(answered);
        assert.ok(expected.length > 0, what);
        // What an export has beside the interface is not compared.
        const names = Object.keys(expected[0]!);
        const own = (rows: readonly Row[]): Row[] =>
          inOrder(
            what,
            rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))),
          );

        const batches = await allOf(dex.columns(what, requests[what]));
        assert.deepEqual(own(batches.flatMap(rowsOf)), expected, what);

        const parquet = await write(folder, dex, what, 'parquet');
        const { rows, types } = await readByDuckdb(`select * from read_parquet('${parquet}')`);
        assert.deepEqual(own(rows), expected, what);
        if ('block_time' in types) assert.equal(types.block_time, 'TIMESTAMP WITH TIME ZONE');
        if ('pools' in types) assert.equal(types.pools, 'VARCHAR[]');
        const bytes = readFileSync(parquet);
        const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
        assert.deepEqual(own((await parquetReadObjects({ file })).map(plainRow)), expected, what);
        assert.equal(parquetMetadata(file).created_by, 'swapfold');

        const table = tableFromIPC(readFileSync(await write(folder, dex, what, 'arrow')));
        assert.deepEqual(own(arrowRows({ schema: table.schema, toArray: () => table.toArray() })), expected, what);
        const arrow = dex.columns<RecordBatch>(what, { ...requests[what], as: 'arrow' } as ArrowRequest);
        const ofBatches = (await allOf(arrow)).flatMap((batch) =>
          arrowRows({ schema: batch.schema, toArray: () => batch.toArray() }),
        );
        assert.deepEqual(own(ofBatches), expected, what);
        if ('block_time' in types)
          assert.equal(String(table.getChild('block_time')!.type), 'Timestamp<MILLISECOND, UTC>');

        const ndjson = readFileSync(await write(folder, dex, what, 'ndjson'), 'utf8');
        assert.deepEqual(
          own(
            ndjson
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line) as Row),
          ),
          answered,
          what,
        );

        const csv = await write(folder, dex, what, 'csv');
        const asText = await readByDuckdb(`select * from read_csv('${csv}', all_varchar = true, null_padding = false)`);
        const texts = (row: Row): Row =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]) => [
              name,
              value === null || (Array.isArray(value) && value.length === 0) || value === ''
                ? null
                : Array.isArray(value)
                  ? value.join('|')
                  : String(value),
            ]),
          );
        assert.deepEqual(own(asText.rows), answered.map(texts), what);
      }
      await dex.close();
    }));
}

test('swaps and transfers that come in as they went out, as columns or as NDJSON, make a store that answers the same', async () => {
  const dex = await marketStore(memory());
  const expected = await allAnswers(dex, { portfolios: 5 });
  // The values of this store are its own, made of these swaps: what comes in again with them is valued by a feed.
  const columns = swapFieldNames.filter((name) => !/^(token_price|usd_amount)_/.test(name));
  const json = await text(dex.export('swaps', { format: 'ndjson', columns }) as unknown as NodeJS.ReadableStream);
  const ingests = [
    dex.columns('swaps', { columns }) as Parameters<Swapfold['ingest']>[0],
    json
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ];
  for (const source of ingests) {
    const again = await Swapfold.open({ storage: memory(), config });
    const { added, rejected } = await again.ingest(source);
    assert.deepEqual([added, rejected], [swaps.length, 0]);
    const moved = await again.transfers.ingest(dex.columns('transfers', { columns: transferFieldNames }) as never);
    assert.deepEqual([moved.added, moved.rejected], [transfers.length, 0]);
    await again.tokens.upsert(market.tokens());
    await again.refresh();
    const synced = (answer: string): string => answer.replaceAll(/"synced_at":"[^"]*"/g, '');
    assert.equal(synced(await allAnswers(again, { portfolios: 5 })), synced(expected));
    await again.close();
  }
  await dex.close();
});

test('an export has the rows of its wallet, token, pool, range and instant, and the columns that were asked for', async () => {
  const dex = await marketStore(memory());
  const all = await listed(dex.swaps.list);
  const middle = all[200]! as { wallet: string; token_in: string; block_time: number };
  async function hashes(what: ExportName, request: ExportRequest): Promise<unknown[]> {
    const batches = await allOf(dex.columns(what, { ...request, columns: ['tx_hash'] }));
    for (const { columns } of batches) assert.deepEqual(Object.keys(columns), ['tx_hash']);
    return batches.flatMap(({ columns }) => columns.tx_hash as unknown[]);
  }
  const ofSwaps = (test: (row: Row) => boolean): unknown[] => all.filter(test).map((row) => row.tx_hash);
  const { wallet, token_in: token, block_time: at } = middle;
  assert.deepEqual(
    await hashes('swaps', { wallet }),
    ofSwaps((row) => row.wallet === wallet),
  );
  assert.deepEqual(
    await hashes('swaps', { token }),
    ofSwaps((row) => row.token_in === token || row.token_out === token),
  );
  assert.deepEqual(
    await hashes('swaps', { from: at }),
    ofSwaps((row) => (row.block_time as number) >= at),
  );
  assert.deepEqual(
    await hashes('swaps', { to: at }),
    ofSwaps((row) => (row.block_time as number) < at),
  );
  assert.deepEqual(
    await hashes('swaps', { asOf: at }),
    ofSwaps((row) => (row.block_time as number) <= at),
  );
  const trades = await listed((request) => dex.trades.list({ ...request, wallet, token }));
  assert.deepEqual(
    await hashes('trades', { wallet, token }),
    trades.map((row) => row.tx_hash),
  );
  assert.deepEqual(await hashes('swaps', { wallet: 'nobody1111111111111111111111111111111111111' }), []);
  await dex.close();
});

test('an export of profiles and positions has those that its filter finds in a search, whether their fields are stored or computed', async () => {
  const dex = await marketStore(memory());
  const filters: readonly (readonly [
    what: ExportName,
    request: ExportRequest,
    search: (filter: object) => Promise<{ data: readonly object[] }>,
    filter: object,
  ])[] = [
    [
      'profiles',
      {},
      (filter) => dex.wallets.search({ filter: filter as never, limit: 100 }),
      { 'metrics.30d.pnl': { $gt: 0 } },
    ],
    [
      'profiles',
      { kind: 'tokens' },
      (filter) => dex.tokens.search({ filter: filter as never, limit: 100 }),
      { 'market.price': { $gt: 1 } },
    ],
    [
      'positions',
      {},
      (filter) => dex.positions.search({ filter: filter as never, limit: 100 }),
      { 'metadata.state': 'open', wallet_address: wallet },
    ],
    [
      'positions',
      {},
      (filter) => dex.positions.search({ filter: filter as never, limit: 100 }),
      { 'holding.value': { $gt: 0 }, token_address: { $in: tokens } },
    ],
    [
      'positions',
      {},
      (filter) => dex.positions.search({ filter: filter as never, limit: 100 }),
      { 'holding.value': { $gt: 100 } },
    ],
  ];
  for (const [what, request, search, filter] of filters) {
    const found = (await search(filter)).data as Row[];
    assert.ok(found.length > 0, JSON.stringify(filter));
    const names = ['wallet_address', 'token_address'].filter((name) => name in found[0]!);
    const keys = (rows: readonly Row[]): unknown[] => rows.map((row) => names.map((name) => row[name]).join()).sort();
    const batches = await allOf(dex.columns(what, { ...request, filter, columns: names }));
    assert.deepEqual(keys(batches.flatMap(rowsOf)), keys(found), JSON.stringify(filter));
  }
  await assert.rejects(allOf(dex.columns('profiles', { filter: { 'metrics.7d.pln': 1 } })), { code: 'unknown-field' });
  await dex.close();
});

test('a CSV file of one column has a line for a value that is missing', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'solana' } });
  await dex.tokens.upsert([{ address: 'T'.repeat(44), symbol: 'T' }, { address: 'V'.repeat(44) }]);
  await dex.refresh();
  const request = { kind: 'tokens', columns: ['metadata.symbol'], format: 'csv' } as const;
  const csv = await text(dex.export('profiles', request) as unknown as NodeJS.ReadableStream);
  assert.deepEqual(csv.split('\n').slice(0, 3).sort(), ['""', 'T', 'metadata.symbol']);
  await dex.close();
});

test('what cannot be exported is said before a byte is written', async () => {
  const dex = await marketStore(memory());
  const wrong: readonly (readonly [what: string, request: object, message: RegExp])[] = [
    ['trade', {}, /nothing to export by the name of "trade"\. Did you mean "trades"\?/],
    ['trades', { columns: ['usd_amout'] }, /no column "usd_amout"\. Did you mean "usd_amount"\?/],
    ['trades', { columns: [] }, /"columns" names no column/],
    ['portfolio', {}, /An export of portfolio needs "wallet"/],
    ['candles', { interval: 60 }, /An export of candles needs "token" or "pool"/],
    ...[0, -60, 1.5, Number.NaN, '60'].map(
      (interval) => ['candles', { token, interval }, /"interval": give whole seconds from 1 on, not /] as const,
    ),
    ['trades', { interval: 60 }, /An export of trades has no option "interval"\. It takes: columns, wallet, token/],
  ];
  for (const [what, request, message] of wrong)
    assert.throws(() => dex.columns(what as ExportName, request), { code: 'invalid-input', message });
  assert.throws(() => dex.export('trades', { format: 'xml' as ExportFormat }), {
    code: 'invalid-input',
    message: /"format": expected one of csv, ndjson, parquet/,
  });
  await dex.close();
});

test('an export crosses its pages without a gap, stops when its reader stops, and holds one state of the store', () =>
  withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines.sqlite!(folder), config });
    const many = smallMarket({ seed: 5, swaps: 22_000, wallets: 40, tokens: 8 });
    await dex.ingest(many.swaps);
    const reading = dex.columns('swaps', { columns: ['tx_hash', 'swap_index'] })[Symbol.asyncIterator]();
    const first = (await reading.next()).value as ExportBatch;
    const rows = new Set(rowsOf(first).map((row) => `${row.tx_hash} ${row.swap_index}`));
    await dex.ingest([{ ...many.swaps[21_999]!, tx_hash: 'later', swap_index: 0 }]);
    for (let next = await reading.next(); !next.done; next = await reading.next())
      for (const row of rowsOf(next.value)) rows.add(`${row.tx_hash} ${row.swap_index}`);
    assert.equal(rows.size, 22_000);
    assert.equal(rows.has('later 0'), false);
    for await (const batch of dex.columns('trades')) {
      assert.ok(batch.length > 0);
      break;
    }
    // An open snapshot would keep it waiting.
    await dex.close();
  }));

test('a file is written piece by piece: nobody holds more than a row group, and of other formats than Parquet a page', async () => {
  const [pages, rows] = [30, 10_000];
  const columns = [
    { name: 'at', type: 'time' },
    { name: 'word', type: 'text' },
  ] as const;
  const most = { parquet: 100_000 + rows, csv: rows, ndjson: rows, arrow: rows } as const;
  for (const format of exportFormats) {
    let read = 0;
    async function* source(): AsyncGenerator<ExportBatch> {
      for (let page = 0; page < pages; page++) {
        read += rows;
        const word = Array.from({ length: rows }, (_, row) => `${page}-${row}`);
        yield { length: rows, columns: { at: new Float64Array(rows).fill(page), word } };
      }
    }
    const sizes: number[] = [];
    let before = 0;
    for await (const piece of writeRows(format, columns, source())) {
      assert.ok(read - before <= most[format], `${format}: ${read - before} rows between two pieces`);
      before = read;
      sizes.push(piece.length);
    }
    assert.equal(read, pages * rows);
    const whole = sizes.reduce((sum, size) => sum + size, 0);
    const share = format === 'parquet' ? 0.5 : 0.05;
    assert.ok(Math.max(...sizes) < whole * share, `${format}: a piece of ${Math.max(...sizes)} of ${whole} bytes`);
  }
});
