import { SwapfoldError } from '../errors.ts';
import { type Batch, type ColumnData, type ColumnName, type Table, withColumns } from '../records/columns.ts';
import type { Latest, Opened, Reader, Scan, Schema, StorageAdapter, Writer } from '../storage/adapter.ts';
import { createLifecycle } from '../storage/lifecycle.ts';
import type { Predicate } from '../storage/predicate.ts';
import { replaceRows } from '../storage/reads.ts';
import { finish } from '../work.ts';
import { yielder } from '../yielder.ts';
import {
  appendRows,
  type ColumnTable,
  countRows,
  emptyTable,
  latestRows,
  maxOf,
  removeRows,
  scanRows,
} from './column-table.ts';
import { compact } from './compaction.ts';

const ROWS = 16_384;

/** The batch in pieces of bounded size, with arrays of their own. */
function* splitBatch<T extends Table, C extends ColumnName<T>>(batch: Batch<T, C>): Generator<Batch<T, C>> {
  for (let from = 0; from < batch.length; from += ROWS) {
    const to = Math.min(from + ROWS, batch.length);
    const columns: Record<string, ColumnData> = {};
    for (const [name, values] of Object.entries(batch.columns) as [string, ColumnData][]) {
      columns[name] = values.slice(from, to);
    }
    yield { length: to - from, columns } as unknown as Batch<T, C>;
  }
}

/** All tables of one state; a write works on a copy of the map and swaps it in when it ends. */
type Tables = Map<string, ColumnTable>;

/** The tables as one snapshot or write has them, until it ends. */
interface State {
  readonly tables: Tables;
  isEnded: boolean;
}

/**
 * A store in this process's memory, for tests, examples and stores of up to about 100,000 trades. `close` drops it.
 *
 * @example
 * const store = memory();
 * await store.open({ tables: fixedTables }); // 'created'
 */
export function memory(): StorageAdapter {
  let tables: Tables = new Map();
  const lifecycle = createLifecycle<State>('memory', {
    take: async () => ({ tables, isEnded: false }),
    async release(state) {
      state.isEnded = true;
    },
  });

  return {
    engine: 'memory',

    async open(schema: Schema): Promise<Opened> {
      return lifecycle.write(async () => {
        const isNew = !schema.tables.some(({ name }) => tables.has(name));
        const changed = new Map(tables);
        for (const table of schema.tables) if (!changed.has(table.name)) changed.set(table.name, emptyTable(table));
        tables = changed;
        return isNew ? 'created' : 'existing';
      });
    },

    async tables(): Promise<ReadonlyMap<string, readonly string[]>> {
      return lifecycle.read(
        async (state) => new Map([...state.tables].map(([name, { table }]) => [name, Object.keys(table.columns)])),
      );
    },

    async snapshot<R>(read: (reader: Reader) => Promise<R>): Promise<R> {
      return lifecycle.read((state) => read(readerOf(state)));
    },

    async write<R>(change: (writer: Writer) => Promise<R>): Promise<R> {
      return lifecycle.write(async () => {
        const state: State = { tables: new Map(tables), isEnded: false };
        try {
          const answer = await change(writerOf(state));
          tables = state.tables;
          return answer;
        } finally {
          state.isEnded = true;
        }
      });
    },

    async close(): Promise<void> {
      return lifecycle.close(async () => tables.clear());
    },
  };
}

function readerOf(state: State): Reader {
  return {
    async read<T extends Table, C extends ColumnName<T>>(scan: Scan<T, C>): Promise<Batch<T, C>> {
      return yielder().run(scanRows(stored(state, scan.table), scan));
    },
    async *stream<T extends Table, C extends ColumnName<T>>(scan: Scan<T, C>): AsyncIterable<Batch<T, C>> {
      yield* splitBatch(await yielder().run(scanRows(stored(state, scan.table), scan)));
    },
    async latest<T extends Table, C extends ColumnName<T>>(query: Latest<T, C>): Promise<Batch<T, C>> {
      return yielder().run(latestRows(stored(state, query.table), query));
    },
    async count(table: Table, where?: Predicate): Promise<number> {
      return yielder().run(countRows(stored(state, table), where));
    },
    async max<T extends Table>(table: T, column: ColumnName<T>, where?: Predicate): Promise<number | null> {
      return yielder().run(maxOf(stored(state, table), column, where));
    },
  };
}

function writerOf(state: State): Writer {
  const writer: Writer = {
    ...readerOf(state),
    async append<T extends Table>(table: T, batch: Batch<T>): Promise<void> {
      tablesOf(state).set(table.name, finish(compact(appendRows(stored(state, table), batch as unknown as Batch))));
    },
    replace: (table, batch) => replaceRows(writer, table, batch),
    async remove(table: Table, where: Predicate): Promise<void> {
      tablesOf(state).set(table.name, finish(compact(finish(removeRows(stored(state, table), where)))));
    },
    async recreate(table: Table): Promise<void> {
      tablesOf(state).set(table.name, emptyTable(table));
    },
    async reindex(table: Table): Promise<void> {
      stored(state, table);
    },
    async addColumns(table: Table): Promise<void> {
      const before = stored(state, table);
      const rows = finish(scanRows(before, { table, columns: Object.keys(before.table.columns) }));
      tablesOf(state).set(table.name, appendRows(emptyTable(table), withColumns(table, rows as Batch)));
    },
  };
  return writer;
}

function tablesOf({ tables, isEnded }: State): Tables {
  if (isEnded) throw new Error('The reader or writer was used after its snapshot or write had ended.');
  return tables;
}

function stored(state: State, { name }: Table): ColumnTable {
  const table = tablesOf(state).get(name);
  if (!table) throw new SwapfoldError('store-failed', `The memory store has no table "${name}".`);
  return table;
}
