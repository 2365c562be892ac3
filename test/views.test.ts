import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { defineMetric, Swapfold } from '@swapfold/core';
import { registryFields } from '@swapfold/core/host';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import Database from 'better-sqlite3';
import { walletLifetime } from '../packages/core/src/profiles/sections/record.ts';
import { renderSql, sqlExamples } from './generate-docs/sql.ts';
import { withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { commandsOf, fencedBlocks } from './support/shell-lines.ts';
import { transfersBeside } from './support/transfers.ts';

const tokenColumns = registryFields.tokens;
const { swaps: made, config, market } = smallMarket({ seed: 31, swaps: 900, wallets: 25, tokens: 10 });
/** Of every fifth one the pool got less than the wallet gave, and gave more than it got. */
const swaps = made.map((swap, i) =>
  i % 5 === 0
    ? { ...swap, pool_amount_in: swap.token_amount_in * 0.95, pool_amount_out: swap.token_amount_out * 1.05 }
    : swap,
);

/** The lines of the page that a shell runs, as their words: a program, a file and a statement. */
const ofTheShell = fencedBlocks(renderSql(), ['sh']).flatMap(commandsOf);

type Row = Readonly<Record<string, unknown>>;

interface Opened {
  rows(sql: string): Promise<Row[]>;
  close(): void;
}

/** The stores that have views, and how anybody else reads their files. */
const stores = {
  sqlite: {
    storage: (folder: string, more = {}) => sqlite({ path: join(folder, 'dex.db'), ...more }),
    async write(folder: string, statements: readonly string[]): Promise<void> {
      const file = new Database(join(folder, 'dex.db'));
      for (const sql of statements) file.exec(sql);
      file.close();
    },
    async read(folder: string): Promise<Opened> {
      const file = new Database(join(folder, 'dex.db'), { readonly: true });
      return { rows: async (sql) => file.prepare(sql).all() as Row[], close: () => file.close() };
    },
  },
  duckdb: {
    storage: (folder: string, more = {}) => duckdb({ path: join(folder, 'dex.duckdb'), ...more }),
    async write(folder: string, statements: readonly string[]): Promise<void> {
      const instance = await DuckDBInstance.create(join(folder, 'dex.duckdb'));
      const connection = await instance.connect();
      for (const sql of statements) await connection.run(sql);
      connection.closeSync();
      instance.closeSync();
    },
    async read(folder: string): Promise<Opened> {
      const instance = await DuckDBInstance.create(join(folder, 'dex.duckdb'), { access_mode: 'read_only' });
      const connection = await instance.connect();
      return {
        rows: (sql) => rowsOf(connection, sql),
        close() {
          connection.closeSync();
          instance.closeSync();
        },
      };
    },
  },
};

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<Row[]> {
  const result = await connection.runAndReadAll(sql);
  const names = result.columnNames();
  return result.getRowsJS().map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
}

/** A value as the interface has it: instants in Unix seconds, lists as lists, flags as they are. */
function plain(value: unknown, name: string): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.getTime() / 1000;
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value))
    return Date.parse(`${value}Z`) / 1000;
  if (typeof value === 'string' && (name === 'pools' || name === 'labels')) return JSON.parse(value);
  return value ?? null;
}
const plainRow = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value, name)]));
const without = (row: Row, ...names: string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

async function allPages(
  ask: (page: { limit: number; cursor?: string }) => Promise<{ data: readonly object[]; cursor?: string }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await ask({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    rows.push(...(page.data as Row[]));
    cursor = page.cursor;
    if (cursor === undefined) return rows;
  }
}

/** A profile with its paths as names, `_` in place of dots, dates in Unix seconds. */
function flat(profile: Row, prefix = ''): Row {
  return Object.fromEntries(
    Object.entries(profile).flatMap(([key, value]): [string, unknown][] => {
      const name = prefix + key;
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return Object.entries(flat(value as Row, `${name}_`));
      const isDate = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
      return [[name, isDate ? Date.parse(value) / 1000 : value]];
    }),
  );
}

/** That the view has the columns of the answers and their values, and no others but `own`. */
function same(found: readonly Row[], expected: readonly Row[], own: readonly string[] = []): void {
  assert.ok(expected.length > 0);
  assert.equal(found.length, expected.length);
  for (const [i, row] of found.entries()) {
    const [ours, theirs] = [without(plainRow(row), ...own), expected[i]!];
    assert.deepEqual(Object.keys(ours).sort(), Object.keys(theirs).sort());
    for (const [name, value] of Object.entries(theirs)) {
      const given = ours[name];
      // SQL has no booleans in SQLite.
      if (typeof value === 'boolean') assert.equal(Boolean(given), value, name);
      else if (typeof value === 'number' && typeof given === 'number')
        assert.ok(Math.abs(given - value) <= 1e-12 * Math.abs(value), `${name}: ${given} is not ${value}`);
      else assert.deepEqual(given, value, name);
    }
  }
}

type EngineName = keyof typeof stores;

interface ColumnKind {
  /** What the engine says that a value of the column is. */
  readonly held: string;
  /** Whether an answer may have this value, instants in Unix seconds. */
  readonly isAnswer: (value: unknown) => boolean;
}
const [isText, isNumber] = ['string', 'number'].map((type) => (value: unknown) => typeof value === type) as [Is, Is];
type Is = ColumnKind['isAnswer'];
const isTexts: Is = (value) => Array.isArray(value) && value.every(isText);
const isFlag: Is = (value) => typeof value === 'boolean';

/** By the type that `v_columns` gives a column. */
const columnKinds: Readonly<Record<EngineName, Readonly<Record<string, ColumnKind>>>> = {
  sqlite: {
    text: { held: 'text', isAnswer: isText },
    'text, a JSON array': { held: 'text', isAnswer: isTexts },
    real: { held: 'real', isAnswer: isNumber },
    integer: { held: 'integer', isAnswer: Number.isInteger },
    'text, `2025-01-01 00:00:00`': { held: 'text', isAnswer: Number.isInteger },
    'integer, 0 or 1': { held: 'integer', isAnswer: isFlag },
  },
  duckdb: {
    varchar: { held: 'VARCHAR', isAnswer: isText },
    'varchar[]': { held: 'VARCHAR[]', isAnswer: isTexts },
    double: { held: 'DOUBLE', isAnswer: isNumber },
    bigint: { held: 'BIGINT', isAnswer: Number.isInteger },
    'timestamp, UTC': { held: 'TIMESTAMP', isAnswer: Number.isInteger },
    boolean: { held: 'BOOLEAN', isAnswer: isFlag },
  },
};

/** What the engine says of the columns of a view: DuckDB by their types, SQLite by their values, of which null is none. */
async function heldTypes(file: Opened, engine: EngineName, view: string): Promise<ReadonlyMap<string, string>> {
  if (engine === 'duckdb') {
    const rows = await file.rows(`describe select * from ${view}`);
    return new Map(rows.map((row) => [String(row.column_name), String(row.column_type)]));
  }
  const names = (await file.rows(`select name from pragma_table_info('${view}')`)).map(({ name }) => String(name));
  const types = names.map((name) => `group_concat(distinct nullif(typeof("${name}"), 'null')) as "${name}"`);
  const [row] = await file.rows(`select ${types.join(', ')} from (select * from ${view})`);
  return new Map(names.map((name) => [name, String(row![name] ?? '')]));
}

/** That each column of a view is of its declared type, and that answers have values of that type, too. Gives the columns that hold a value. */
async function typesHold(
  file: Opened,
  engine: EngineName,
  view: string,
  answers: readonly Row[] = [],
): Promise<readonly string[]> {
  const declared = await file.rows(`select name, type from v_columns where view = '${view}'`);
  const held = await heldTypes(file, engine, view);
  assert.deepEqual(declared.map(({ name }) => String(name)).sort(), [...held.keys()].sort(), view);
  return declared.flatMap(({ name: given, type }) => {
    const [name, kind] = [String(given), columnKinds[engine][String(type)]];
    assert.ok(kind !== undefined, `${view}.${name} is ${type}`);
    const found = held.get(name)!;
    if (found !== '') assert.equal(found, kind.held, `${view}.${name}`);
    for (const { [name]: value } of answers)
      assert.ok(value === undefined || value === null || kind.isAnswer(value), `${name} is ${type}, not ${value}`);
    return found === '' ? [] : [name];
  });
}

for (const [engine, { storage, read, write }] of Object.entries(stores)) {
  test(`${engine}: views hold what the interface answers`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: storage(folder), config });
      await dex.ingest(swaps);
      await dex.transfers.ingest(transfersBeside(swaps, 150, 31));
      await dex.tokens.upsert(market.tokens());
      await dex.wallets.upsert(market.wallets());
      await dex.refresh();
      const expected = {
        transfers: await allPages(dex.transfers.list),
        swaps: await allPages(dex.swaps.list),
        trades: await allPages(dex.trades.list),
        wallets: (await allPages(dex.wallets.search)).map((row) => flat(without(row, 'matched_labels', 'identity'))),
        tokens: (await allPages(dex.tokens.search)).map((row) => flat(without(row, 'matched_labels'))),
        positions: (await allPages(dex.positions.search)).map((row) => flat(without(row, 'matched_labels', 'labels'))),
      };
      const records = await allPages((request) =>
        dex.wallets.search({ ...request, options: { include_holding: true } }),
      );
      const { token } = (await dex.trades.list({ limit: 1 })).data[0]!;
      const candles = await dex.prices.candles({ token, interval: 3600, count: 5000 });
      await dex.close();
      const file = await read(folder);
      same(await file.rows('select * from v_swaps order by seq desc'), expected.swaps, ['seq', 'tx_index']);
      same(
        await file.rows('select * from v_trades order by seq desc'),
        expected.trades.map((row) => without(row, 'position')),
        ['seq'],
      );
      const byHash = (rows: readonly Row[]): Row[] => {
        const key = (row: Row): string => `${row.tx_hash} ${row.transfer_index}`;
        return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
      };
      same(byHash(await file.rows('select * from v_transfers')), byHash(expected.transfers), ['tx_index']);
      const byAddress = (rows: readonly Row[]): Row[] => {
        const key = (row: Row): string => `${row.wallet_address} ${row.token_address}`;
        return [...rows].sort((a, b) => (key(a) < key(b) ? -1 : 1));
      };
      const storedOfLifetime = walletLifetime
        .fields([])
        .flatMap(({ path, source }) => (source === 'fold' ? [path.replace('.', '_')] : []));
      const profiles = byAddress(await file.rows('select * from v_wallet_profiles'));
      same(profiles, byAddress(expected.wallets), storedOfLifetime);
      const holdings = new Map(
        (await file.rows('select * from v_wallet_holdings')).map((row) => [String(row.wallet_address), plainRow(row)]),
      );
      let held = 0;
      for (const { wallet_address, holding } of records as unknown as { wallet_address: string; holding: Row }[]) {
        const row = holdings.get(wallet_address);
        for (const name of ['cost_basis', 'unrealized_pnl', 'open_count', 'away_pnl', 'floor_pnl']) {
          const [given, wanted] = [Number(row?.[name] ?? 0), Number(row === undefined ? 0 : holding[name])];
          assert.ok(Math.abs(given - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)), `${wallet_address} ${name}`);
        }
        held += row === undefined ? 0 : 1;
      }
      assert.equal(held, holdings.size);
      same(byAddress(await file.rows('select * from v_token_profiles')), byAddress(expected.tokens));
      same(
        byAddress(await file.rows('select * from v_positions')),
        byAddress(expected.positions).map((row) =>
          without(row, 'position_address', 'metadata_symbol', 'holding_price_age', 'holding_unrealized_pnl_native'),
        ),
      );
      same(
        await file.rows(`select * from v_candles_1h where token = '${token}' order by timestamp`),
        candles.map((candle) => ({ token, ...candle })),
      );
      same(
        (await file.rows('select * from v_tokens order by address')).map((row) => plainRow(row)),
        [...market.tokens()]
          .sort((a, b) => (a.address < b.address ? -1 : 1))
          .map((row) => flat({ ...Object.fromEntries(tokenColumns.map((name) => [name, null])), ...row })),
      );
      for (const view of ['v_trades', 'v_positions', 'v_wallet_profiles']) {
        const said = await file.rows(`select name from v_columns where view = '${view}'`);
        const [row] = await file.rows(`select * from ${view} limit 1`);
        assert.deepEqual(said.map(({ name }) => String(name)).sort(), Object.keys(row!).sort());
      }
      const answers: Readonly<Record<string, readonly Row[]>> = {
        v_swaps: expected.swaps,
        v_trades: expected.trades,
        v_transfers: expected.transfers,
        v_tokens: market.tokens().map((row) => flat({ ...row })),
        v_wallets: market.wallets().map((row) => ({ ...row })),
        v_wallet_profiles: expected.wallets,
        v_wallet_holdings: records.map(({ wallet_address, holding }) => ({ wallet_address, ...(holding as Row) })),
        v_token_profiles: expected.tokens,
        v_positions: expected.positions,
        v_candles_1h: candles.map((candle) => ({ token, ...candle })),
      };
      const views = await file.rows('select distinct view from v_columns');
      assert.deepEqual(views.map(({ view }) => String(view)).sort(), Object.keys(answers).sort());
      for (const [view, rows] of Object.entries(answers)) {
        const withValues = await typesHold(file, engine as EngineName, view, rows);
        assert.ok(withValues.length > 3, view);
      }
      for (const { title, sql } of sqlExamples.filter(({ engines }) => engines.includes(engine as 'sqlite')))
        assert.ok((await file.rows(sql)).length > 0, title);
      const statement = ofTheShell.find(([program]) => program === engine.replace('sqlite', 'sqlite3'))!.at(-1)!;
      assert.equal((await file.rows(statement)).length, 5, statement);
      file.close();
    }));

  test(`${engine}: a supply of 0 is none, as in answers`, () =>
    withFolder(async (folder) => {
      for (const total_supply of [1000, 0]) {
        const dex = await Swapfold.open({ storage: storage(folder), config });
        await dex.ingest(swaps);
        const { token } = (await dex.trades.list({ limit: 1 })).data[0]!;
        await dex.tokens.upsert([{ address: token, circulating_supply: 0, total_supply }]);
        const [trade] = (await dex.trades.list({ token, limit: 1 })).data;
        await dex.close();
        const file = await read(folder);
        const [row] = await file.rows(
          `select market_cap from v_trades where token = '${token}' order by seq desc limit 1`,
        );
        assert.equal(row!.market_cap, trade!.market_cap);
        assert.equal(trade!.market_cap, total_supply === 0 ? null : trade!.token_price! * total_supply);
        file.close();
      }
    }));

  test(`${engine}: a price that would not be finite is null, as in answers`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: storage(folder), config });
      const { address } = dex.config.quote_tokens.find(({ kind }) => kind === 'stable')!;
      const tokens = { token_in: address, token_amount_in: 1, token_out: 'T'.repeat(44), token_amount_out: 1e-320 };
      const { wallet, block_time } = swaps[0]!;
      const stored = await dex.ingest([{ tx_hash: 'tiny', swap_index: 0, block_time, wallet, ...tokens }]);
      assert.equal(stored.added, 1);
      await dex.close();
      const file = await read(folder);
      const [found] = await file.rows('select token_price_out from v_swaps');
      assert.equal(found!.token_price_out, null);
      for (const { token_price } of await file.rows('select token_price from v_trades'))
        assert.ok(token_price === null || Number.isFinite(token_price), String(token_price));
      file.close();
    }));

  test(`${engine}: a store of before gets its views when it is opened for writing, and a read-only open writes nothing`, () =>
    withFolder(async (folder) => {
      const made = await Swapfold.open({ storage: storage(folder), config });
      await made.ingest(swaps.slice(0, 50));
      await made.close();
      await write(folder, ['drop view v_trades', "delete from meta where name = 'views'"]);
      const reading = await Swapfold.open({ storage: storage(folder, { read_only: true }), config });
      assert.equal((await reading.trades.list({ limit: 1 })).data.length, 1);
      await reading.close();
      const unchanged = await read(folder);
      await assert.rejects(unchanged.rows('select * from v_trades'), /v_trades/);
      unchanged.close();
      await (await Swapfold.open({ storage: storage(folder), config })).close();
      const file = await read(folder);
      assert.ok((await file.rows('select * from v_trades')).length > 0);
      file.close();
    }));

  test(`${engine}: views follow the metrics of the embedder, and a table of a view's name is left alone`, () =>
    withFolder(async (folder) => {
      await (await Swapfold.open({ storage: storage(folder), config })).close();
      const own = { name: 'half', of: ['wallets'], unit: 'USD', sentence: "It's\nhalf.", formula: 'pnl / 2' } as const;
      const metric = defineMetric({ ...own, empty: 0, value: (bag) => bag.pnl / 2, examples: [], source: 'here' });
      await write(folder, ['drop view v_wallets', 'create table v_wallets (x integer)']);
      const dex = await Swapfold.open({ storage: storage(folder), config, metrics: [metric], onMismatch: 'refold' });
      await dex.ingest(swaps);
      await dex.refresh();
      await dex.close();
      const file = await read(folder);
      const [sums] = await file.rows(
        'select sum(metrics_7d_half) as half, sum(metrics_7d_pnl) as pnl from v_wallet_profiles',
      );
      assert.ok(Math.abs(Number(sums!.half) * 2 - Number(sums!.pnl)) < 1e-6 && sums!.pnl !== 0);
      assert.deepEqual(await file.rows('select * from v_wallets'), []);
      const [{ meaning }] = (await file.rows("select meaning from v_columns where name = 'metrics_7d_half'")) as [Row];
      assert.match(String(meaning), /^It's half\. Formula: pnl \/ 2\./);
      file.close();
    }));

  test(`${engine}: candles of a pruned store begin with its horizon`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: storage(folder), config });
      const [first] = swaps;
      // Two hours of ten swaps, and one hour 40 days later.
      const spread = [0, 0, 960].flatMap((hour, part) =>
        Array.from({ length: 10 }, (_, i) => ({
          ...first!,
          tx_hash: `tx${part}-${i}`,
          block_time: 1_735_689_600 + (hour + part) * 3600 + i,
          block_slot: 1 + part * 10 + i,
        })),
      );
      await dex.ingest(spread);
      await dex.refresh();
      await dex.prune({ keep: '31d' });
      const token = first!.token_in;
      const candles = await dex.prices.candles({ token, interval: 3600 });
      await dex.close();
      const file = await read(folder);
      const found = await file.rows(`select * from v_candles_1h where token = '${token}' order by timestamp`);
      same(
        found,
        candles.map((candle) => ({ token, ...candle })),
      );
      assert.equal(found.length, 1);
      file.close();
    }));
}
