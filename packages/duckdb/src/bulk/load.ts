import type { DuckDBConnection } from '@duckdb/node-api';
import type { SwapfoldError } from '@swapfold/core';
import {
  type Batch,
  columnsOf,
  type OrderedSwaps,
  orderedTable,
  placesTable,
  standingsTable,
  type Table,
} from '@swapfold/core/engine';
import { copiesOf, type EngineLoad, fragment, quote, type SqlConnection } from '@swapfold/sql';
import { openConnection, rowsOf, streamRows } from './connection.ts';
import { legsOf } from './legs.ts';
import { createOrder, type StagedOrder } from './order.ts';
import { createStaged } from './staged.ts';
import { definitionOf, dropLoading, LOADING, publishing } from './tables.ts';

/** The database in memory in which a load has what is not the store's. */
const SCRATCH = 'swapfold_load';

interface LoadOptions {
  readonly tables: readonly Table[];
  /** Swaps that are put into chain order at once. */
  readonly chunk?: number | undefined;
  /** Called after the file has been written to. */
  readonly hasWritten: () => void;
  readonly failure: (error: unknown) => SwapfoldError;
}

/** Some 150 MB in memory, three times at once. */
const CHUNK = 500_000;

/** What follows from the stored swaps alone, or is a copy of them. */
const reshaped: readonly string[] = ['swaps', 'legs'];

/**
 * Fills the tables of an empty store beside it, under other names: statements commit one by one, so that each reads what the one before
 * wrote on all of DuckDB's threads. `publish` are the statements that put them in the place of the store's.
 */
export async function createLoad(
  connect: () => Promise<DuckDBConnection>,
  { tables, chunk = CHUNK, hasWritten, failure }: LoadOptions,
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

  async function close(): Promise<void> {
    for (const connection of opened.slice(1)) await connection.close();
    await run(`use ${quote(database)}`);
    await run(`detach database if exists ${SCRATCH}`);
    await dropLoading(sql);
    await sql.close();
  }

  async function begin() {
    await dropLoading(sql);
    await run(`attach ':memory:' as ${SCRATCH}`);
    // Statements of one connection end its open stream, so what goes on at once has a connection each.
    const working = [await open(), await open(), await open()] as const;
    for (const connection of opened) await run(`use ${SCRATCH}`, connection);
    for (const table of tables) await run(`create table ${loading(table.name)} ${definitionOf(table)}`);
    return [...working, await createStaged(sql)] as const;
  }

  const [appending, ordering, storing, source] = await begin().catch(async (error: unknown) => {
    // What is left of it would stand in the way of the next load.
    await close().catch(() => undefined);
    throw error;
  });
  /** Tables of rows that were appended. */
  const made = new Set<string>();
  let isAppending = false;
  /** The number of the chunk that rows belong to. */
  let part = 0;
  // In one transaction, the rows that an appender hands over are copied once, and not a second time as each of its runs is committed.
  async function append<T extends Table>(name: string, table: T, rows: Batch<T>): Promise<void> {
    if (rows.length === 0) return;
    if (!isAppending) await appending.begin('write');
    isAppending = true;
    if (!made.has(name)) await run(`create table ${quote(name)} ${definitionOf(table)}`, appending);
    made.add(name);
    await appending.append({ name, columns: Object.entries(table.columns) }, rows as unknown as Batch);
  }

  async function commit(): Promise<void> {
    if (isAppending) await appending.commit();
    isAppending = false;
  }

  return {
    publish: publishing(tables),

    stage: source.stage,
    stageParquet: source.stageParquet,
    repeated: source.repeated,
    overfull: source.overfull,
    leaveOut: source.leaveOut,

    async place(placesOf, { files, unordered } = {}) {
      const chainOrder = await createOrder(sql, source, files);
      if (unordered !== undefined)
        unordered.on(source.hasTies() ? await chainOrder.countUnordered(unordered.quotes) : 0);
      const order = (part: number, where: string): Promise<void> => orderChunk(chainOrder, part, where);
      const chunks = await source.chunks(chunk);
      let ordered = order(0, chunks[0]!);
      let stored = Promise.resolve();
      try {
        for (part = 0; part < chunks.length; part++) {
          await ordered;
          // DuckDB orders the next chunk and stores the last one while this one is derived from.
          if (part + 1 < chunks.length) ordered = order(part + 1, chunks[part + 1]!);
          for await (const places of placesOf(orderedSwaps())) await append(`places_${part}`, placesTable, places);
          await commit();
          await stored;
          stored = store(part);
          stored.catch(() => undefined);
        }
        await stored;
      } finally {
        await Promise.allSettled([ordered, stored]);
      }
      await run('drop table staged');
    },

    append: (table, rows) => append(table.key[0] === 'seq' ? inPart(table.name, part) : table.name, table, rows),

    async settle(dustUsd) {
      await commit();
      const copies = [reshape(dustUsd), sortAppended()];
      await Promise.allSettled(copies);
      await Promise.all(copies);
      hasWritten();
    },

    async close() {
      await close();
      hasWritten();
    },
  };

  /** Puts the staged swaps of a chunk into chain order. */
  function orderChunk(chainOrder: StagedOrder, chunk: number, where: string): Promise<void> {
    const ordered = run(`create table chunk_${chunk} as ${chainOrder.swaps(where)}`, ordering);
    ordered.catch(() => undefined);
    return ordered;
  }

  function orderedSwaps(): AsyncGenerator<OrderedSwaps> {
    const columns = columnsOf(orderedTable);
    const selected = columns.map((name) =>
      name === 'tx_hash'
        ? 'case when tx_hash is distinct from lag(tx_hash) over () then tx_hash end as tx_hash'
        : quote(name),
    );
    return streamRows(sql, orderedTable, columns, `select ${selected.join(', ')} from chunk_${part}`);
  }

  /** Stores the swaps of a chunk with their places, and the rows that were appended by `seq` meanwhile. */
  async function store(chunk: number): Promise<void> {
    const [swaps, places] = [`chunk_${chunk}`, `places_${chunk}`];
    await insert('swaps', `${swaps} join ${places} on ${swaps}.rowid = ${places}.rowid`);
    await insert(
      'transactions',
      `${swaps} join ${places} on ${swaps}.rowid = ${places}.rowid where tx_key is not null`,
    );
    for (const name of [swaps, places]) await run(`drop table ${name}`, storing);
    made.delete(places);
    for (const { name } of tables) {
      if (!made.delete(inPart(name, chunk))) continue;
      await insert(name, quote(inPart(name, chunk)));
      await run(`drop table ${quote(inPart(name, chunk))}`, storing);
    }
  }

  async function insert(name: string, from: string): Promise<void> {
    const { columns } = tables.find((table) => table.name === name)!;
    await run(
      `insert into ${loading(name)} select ${Object.keys(columns).map(quote).join(', ')} from ${from}`,
      storing,
    );
  }

  async function reshape(dustUsd: number): Promise<void> {
    const standings = made.has(standingsTable.name) ? quote(standingsTable.name) : undefined;
    await run(
      `insert into ${loading('legs')} select * from (${legsOf(loading('swaps'), dustUsd, standings)}) order by token, seq`,
      ordering,
    );
    for (const name of reshaped) await copy(name, ordering);
  }

  /** Stores the rows that were appended in another order than that of `seq`, and makes the copies of the tables that are not `reshaped`. */
  async function sortAppended(): Promise<void> {
    for (const { name, key } of tables) {
      if (made.has(name)) {
        await insert(name, `${quote(name)} order by ${key.map(quote).join(', ')}`);
        await run(`drop table ${quote(name)}`, storing);
      }
      if (!reshaped.includes(name)) await copy(name, storing);
    }
  }

  /** Makes the sorted copies of a table. */
  async function copy(name: string, by: SqlConnection): Promise<void> {
    for (const made of copiesOf(tables.find((table) => table.name === name)!)) {
      const [columns, order] = [made.columns, made.order].map((names) => names.map(quote).join(', '));
      await run(`create table ${loading(made.name)} as select ${columns} from ${loading(name)} order by ${order}`, by);
    }
  }
}

/** The table of the rows that are appended with a chunk. */
function inPart(name: string, chunk: number): string {
  return `${name}_${chunk}`;
}
