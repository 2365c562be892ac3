import type { ColumnData } from '@swapfold/core/engine';
import { yielder } from '@swapfold/core/host';
import type { Bound, SqlConnection, Statement } from '@swapfold/sql';
import { createAppender } from './append.ts';
import { createColumnBuilder } from './column-builder.ts';
import type { SqliteHandle, SqliteStatement } from './handle.ts';

/** Rows of one piece of a stream. */
const PIECE = 16_384;

/** Values of one piece: of a wide table fewer rows are as much work. */
const PIECE_CELLS = 131_072;

/** Values between two looks at the clock. */
const CHECKED = 4096;

/** Statements a connection keeps prepared. */
const KEPT = 200;

/** `owned` handles are closed with the connection. */
export function createConnection(handle: SqliteHandle, owned: boolean, onClose?: () => Promise<void>): SqlConnection {
  const prepared = new Map<string, SqliteStatement>();

  function prepareAnew(sql: string): SqliteStatement {
    return handle.prepare(sql).safeIntegers(false);
  }

  /** A prepared statement that is not running: one that is, still has an open cursor. */
  function prepare(sql: string): SqliteStatement {
    const known = prepared.get(sql);
    if (known && !known.busy) return known;
    const statement = prepareAnew(sql);
    if (prepared.size >= KEPT) prepared.delete(prepared.keys().next().value!);
    prepared.set(sql, statement);
    return statement;
  }

  function rowsOf({ sql, values }: Statement): IterableIterator<readonly unknown[]> {
    return prepare(sql)
      .raw(true)
      .iterate(...values.map(toSqlite)) as IterableIterator<readonly unknown[]>;
  }

  return {
    async begin(kind) {
      prepare(kind === 'read' ? 'begin' : 'begin immediate').run();
    },

    async commit() {
      prepare('commit').run();
    },

    async rollback() {
      prepare('rollback').run();
    },

    async run({ sql, values }) {
      prepare(sql).run(...values.map(toSqlite));
    },

    async all(statement, types) {
      const builder = createColumnBuilder(types, Number.POSITIVE_INFINITY);
      const pause = yielder();
      const checked = Math.ceil(CHECKED / types.length);
      for (const row of rowsOf(statement)) {
        builder.add(row);
        if (builder.length % checked === 0 && pause.isDue()) await pause.take();
      }
      return builder.take();
    },

    async open(statement, types) {
      const rows = rowsOf(statement);
      const most = Math.min(PIECE, Math.ceil(PIECE_CELLS / types.length));
      const checked = Math.ceil(CHECKED / types.length);
      const pause = yielder();
      let room: number | undefined;
      return {
        async next(): Promise<ColumnData[] | null> {
          await pause.take();
          const builder = createColumnBuilder(types, most, room);
          while (builder.length < most) {
            const { done, value } = rows.next();
            if (done) break;
            builder.add(value);
            if (builder.length % checked === 0 && pause.isDue()) await pause.take();
          }
          // A whole piece is followed by another one, mostly.
          if (builder.length === most) room = most;
          return builder.length === 0 ? null : builder.take();
        },
        async close(): Promise<void> {
          rows.return?.();
        },
      };
    },

    append: createAppender(prepare, prepareAnew),

    async close() {
      await onClose?.();
      prepared.clear();
      if (owned) handle.close();
    },
  };
}

/** A list goes as one JSON text, which `json_each` reads back to the bit. */
function toSqlite(bound: Bound): number | string {
  if (bound.kind === 'value') return bound.value;
  return JSON.stringify(Array.isArray(bound.values) ? bound.values : Array.from(bound.values as Float64Array));
}
