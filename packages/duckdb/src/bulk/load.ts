import type { DuckDBConnection } from '@duckdb/node-api';
import type { SwapfoldError } from '@swapfold/core';
import {
  type Batch,
  type ColumnName,
  type FoldedSwaps,
  foldedColumns,
  type ParquetSwaps,
  type Places,
  placesTable,
  type StagedSwaps,
  stagedTable,
  type Table,
  type UnplacedSwaps,
  unplacedColumns,
} from '@swapfold/core/engine';
import { copiesOf, type EngineLoad, fragment, quote, type SqlConnection } from '@swapfold/sql';
import { openConnection, rowsOf } from './connection.ts';
import { distinctTexts, isDoubtful, parquetRows, selectParquet } from './parquet-source.ts';
import { columnsOf, definitionOf, dropLoading, LOADING, publishing } from './tables.ts';

/** The database in memory in which a load has what is not the store's. */
const SCRATCH = 'swapfold_load';

interface LoadOptions {
  readonly tables: readonly Table[];
  /** Called after the file has been written to. */
  readonly hasWritten: () => void;
  readonly failure: (error: unknown) => SwapfoldError;
}

/** Swaps that are put into chain order at once. */
const CHUNK = 1_000_000;

type Named<T extends Table> = ColumnName<T>;

/**
 * Fills the tables of an empty store beside it, under other names: statements commit one by one, so that each reads what the one before
 * wrote on all of DuckDB's threads. `publish` are the statements that put them in the place of the store's.
 */
export async function createLoad(
  connect: () => Promise<DuckDBConnection>,
  { tables, hasWritten, failure }: LoadOptions,
): Promise<EngineLoad> {
  const opened: SqlConnection[] = [];
  async function open(): Promise<SqlConnection> {
    const connection = await openConnection(connect, failure);
    opened.push(connection);
    return connection;
  }
  const sql = await open();
  const run = (statement: string, by: SqlConnection = sql): Promise<void> => by.run(fragment(statement));
  const [[database, schema]] = (await rowsOf(sql, 'select current_database(), current_schema()', ['text', 'text'])) as [
    [string, string],
  ];
  const loading = (name: string): string => `${quote(database)}.${quote(schema)}.${quote(LOADING + name)}`;
  await dropLoading(sql);
  await run(`attach ':memory:' as ${SCRATCH}`);
  // Statements of one connection end its open stream: rows that are read, rows that are appended and what goes on beside have one each.
  const [appending, beside] = [await open(), await open()];
  for (const connection of opened) await run(`use ${SCRATCH}`, connection);
  for (const table of tables) await run(`create table ${loading(table.name)} ${definitionOf(table)}`);
  await run(`create table staged ${definitionOf(stagedTable)}`);
  const files: ParquetSwaps[] = [];
  const appended = new Set<string>();
  let stagedRows = 0;
  let hasGone = false;

  const idsTable = (file: number, kind: string): string => `ids_${file}_${kind}`;

  /** The staged rows, as they are without those that were left out. */
  function rowsStaged(names: readonly Named<typeof stagedTable>[], where = 'true'): string {
    const all = hasGone && !names.includes('row') ? [...names, 'row' as const] : names;
    const typed = columnsOf(stagedTable).filter(({ name }) => (all as readonly string[]).includes(name));
    const sources = files.map((file, i) => selectParquet(file, typed, (kind) => idsTable(i, kind)));
    if (stagedRows > 0) sources.push(`select ${all.map(quote).join(', ')} from staged`);
    const gone = hasGone ? ' and "row" not in (select "row" from gone)' : '';
    return `select ${names.map(quote).join(', ')} from (${sources.join(' union all ')}) where ${where}${gone}`;
  }

  async function* stream<T extends Table, C extends ColumnName<T>>(
    table: T,
    names: readonly C[],
    statement: string,
  ): AsyncGenerator<Batch<T, C>> {
    const cursor = await sql.open(
      fragment(statement),
      names.map((name) => table.columns[name]!),
    );
    try {
      let next = cursor.next();
      for (;;) {
        const piece = await next;
        if (piece === null) return;
        // DuckDB makes the next rows while these are worked on.
        next = cursor.next();
        next.catch(() => undefined);
        const columns = Object.fromEntries(names.map((name, i) => [name, piece[i]!]));
        yield { length: piece[0]!.length, columns } as unknown as Batch<T, C>;
      }
    } finally {
      await cursor.close();
    }
  }

  async function append<T extends Table>(name: string, table: T, rows: Batch<T>): Promise<void> {
    if (rows.length === 0) return;
    if (!appended.has(name)) {
      await run(`create table ${quote(name)} ${definitionOf(table)}`, appending);
      appended.add(name);
    }
    await appending.append({ name, columns: Object.entries(table.columns) }, rows as unknown as Batch);
  }

  async function drop(name: string): Promise<void> {
    await run(`drop table if exists ${quote(name)}`, appending);
    appended.delete(name);
  }

  return {
    publish: publishing(tables),

    async stage(swaps) {
      stagedRows += swaps.length;
      await sql.append({ name: 'staged', columns: Object.entries(stagedTable.columns) }, swaps as unknown as Batch);
    },

    async stageParquet(file, idsOf) {
      const doubtful = await rowsOf(
        sql,
        `select (count(*) filter (where ${isDoubtful(file)}))::bigint, count(*)::bigint from ${parquetRows(file)}`,
        ['long', 'long'],
      ).catch(() => undefined);
      const [count, rows] = doubtful?.[0] ?? [1, 0];
      if (count !== 0) return undefined;
      for (const kind of new Set(file.fields.flatMap(({ holds }) => (holds.kind === 'text' ? [holds.of] : [])))) {
        const [texts] = await sql.all(fragment(distinctTexts(file, kind)!), ['text']);
        const ids = idsOf(kind, texts as string[]);
        if (ids === undefined) return undefined;
        const name = idsTable(files.length, kind);
        await drop(name);
        const columns = { text: 'text', id: 'id' } as const;
        await run(`create table ${name} (text varchar, id integer)`, appending);
        await appending.append({ name, columns: Object.entries(columns) }, {
          length: ids.length,
          columns: { text: texts!, id: ids },
        } as unknown as Batch);
      }
      files.push(file);
      return rows as number;
    },

    async *repeated() {
      const narrow = rowsStaged(['tx_hash', 'swap_index', 'block_time', 'block_slot', 'tx_index']);
      const counts = await rowsOf(
        sql,
        `select count(*)::bigint, count(distinct hash(tx_hash, swap_index))::bigint, count(distinct hash(tx_hash))::bigint, count(distinct hash(tx_hash, block_time, block_slot, tx_index))::bigint from (${narrow})`,
        ['long', 'long', 'long', 'long'],
      );
      const [rows, swaps, hashes, transactions] = counts[0] as number[];
      if (rows === swaps && hashes === transactions) return;
      const names = Object.keys(stagedTable.columns) as Named<typeof stagedTable>[];
      await run(
        `create or replace table repeated as select tx_hash from (select tx_hash, block_time, block_slot, tx_index, count(*) as swaps, count(distinct swap_index) as indexes from (${narrow}) group by all) group by tx_hash having count(*) > 1 or sum(swaps) > sum(indexes)`,
      );
      yield* stream(
        stagedTable,
        names,
        `select * from (${rowsStaged(names)}) where tx_hash in (from repeated) order by tx_hash, "row"`,
      ) as AsyncIterable<StagedSwaps>;
      await run('drop table repeated');
    },

    async overfull(most) {
      const times = rowsStaged(['block_time']);
      const full = `select block_time from (${times}) group by block_time having count(*) > ${most}`;
      const [row, block_time] = await sql.all(
        fragment(
          `select "row", block_time from (select "row", block_time, row_number() over (partition by block_time order by "row") as place from (${rowsStaged(['row', 'block_time'])}) where block_time in (${full})) where place > ${most} order by "row"`,
        ),
        ['long', 'long'],
      );
      return { length: row!.length, columns: { row, block_time } } as unknown as Batch<
        typeof stagedTable,
        'row' | 'block_time'
      >;
    },

    async leaveOut(rows) {
      await run('create table if not exists gone ("row" bigint)');
      await sql.append({ name: 'gone', columns: [['row', 'long']] }, { length: rows.length, columns: { row: rows } });
      hasGone = true;
    },

    async place(placesOf) {
      const names = Object.keys(stagedTable.columns) as Named<typeof stagedTable>[];
      for (const where of await chunksOf()) {
        await run(
          `create or replace table chunk as ${rowsStaged(names, where)} order by block_time, coalesce(block_slot, 0), coalesce(tx_index, 0), tx_hash, swap_index`,
        );
        await drop('places');
        const selected = unplacedColumns.map((name) =>
          name === 'tx_hash'
            ? 'case when tx_hash is distinct from lag(tx_hash) over () then tx_hash end as tx_hash'
            : quote(name),
        );
        for await (const swaps of stream(stagedTable, unplacedColumns, `select ${selected.join(', ')} from chunk`))
          await append('places', placesTable, (await placesOf(swaps as UnplacedSwaps)) as Places);
        await store('swaps', 'chunk join places on chunk.rowid = places.rowid');
        await store('transactions', 'chunk join places on chunk.rowid = places.rowid where tx_key is not null');
      }
      await drop('chunk');
      await drop('places');
      await drop('staged');
    },

    byWallet() {
      const table = tables.find(({ name }) => name === 'swaps')!;
      const statement = `select ${foldedColumns.map(quote).join(', ')} from ${loading('swaps')} order by wallet, seq`;
      return stream(table as never, foldedColumns as never, statement) as AsyncIterable<FoldedSwaps>;
    },

    append: (table, rows) => append(table.name, table, rows),

    async reshape(dustUsd) {
      const dust = `'${dustUsd}'::double`;
      const print = (usd: string, amount: string): string =>
        `case when ${usd} >= ${dust} and ${amount} > 0 and ${usd} / ${amount} > 0 and isfinite(${usd} / ${amount}) then ${usd} / ${amount} end`;
      const leg = (side: 'in' | 'out', where: string): string =>
        `select token_${side} as token, seq, ${print(`usd_amount_${side}`, `token_amount_${side}`)} as price, usd_amount_${side} as usd_amount, token_symbol_${side} as symbol, 0 as is_self from ${loading('swaps')} where ${where}`;
      const self = `select token_in, seq, null, null, token_symbol_in, 1 from ${loading('swaps')} where token_in = token_out`;
      const legs = `${leg('in', 'token_in <> token_out')} union all ${leg('out', 'token_in <> token_out')} union all ${self}`;
      await run(`insert into ${loading('legs')} select * from (${legs}) order by token, seq`, beside);
      await copy('swaps');
    },

    async settle() {
      for (const { name, key } of tables) {
        if (appended.has(name)) {
          await run(`insert into ${loading(name)} select * from ${quote(name)} order by ${key.map(quote).join(', ')}`);
          await drop(name);
        }
        if (name !== 'swaps') await copy(name);
      }
      hasWritten();
    },

    async close() {
      for (const connection of opened.slice(1)) await connection.close();
      await run(`use ${quote(database)}`);
      await run(`detach ${SCRATCH}`);
      await dropLoading(sql);
      await sql.close();
      hasWritten();
    },
  };

  /** Conditions of the chunks of time that the staged swaps are put in order by: seconds are whole. */
  async function chunksOf(): Promise<string[]> {
    const times = rowsStaged(['block_time']);
    const [[rows]] = (await rowsOf(sql, `select count(*)::bigint from (${times})`, ['long'])) as [[number]];
    const parts = Math.max(1, Math.round(rows / CHUNK));
    if (parts === 1) return ['true'];
    const shares = Array.from({ length: parts - 1 }, (_, i) => (i + 1) / parts).join(', ');
    const [found] = await sql.all(
      fragment(
        `select distinct unnest(quantile_disc(block_time, [${shares}]))::bigint as cut from (${times}) order by cut`,
      ),
      ['long'],
    );
    const cuts = [...(found as Float64Array)];
    return [...cuts, undefined].map((to, i) =>
      [i > 0 ? `block_time > ${cuts[i - 1]}` : 'true', to === undefined ? 'true' : `block_time <= ${to}`].join(' and '),
    );
  }

  /** Stores a table's columns of the chunk and its places. */
  async function store(name: string, from: string): Promise<void> {
    const { columns } = tables.find((table) => table.name === name)!;
    await run(`insert into ${loading(name)} select ${Object.keys(columns).map(quote).join(', ')} from ${from}`);
  }

  /** Makes the sorted copies of a table. */
  async function copy(name: string): Promise<void> {
    for (const made of copiesOf(tables.find((table) => table.name === name)!)) {
      const [columns, order] = [made.columns, made.order].map((names) => names.map(quote).join(', '));
      await run(
        `create table ${loading(made.name)} as select ${columns} from ${loading(name)} order by ${order}`,
        beside,
      );
    }
  }
}
