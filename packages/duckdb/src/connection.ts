import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  DuckDBDataChunk,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  type DuckDBType,
  INTEGER,
  LIST,
  listValue,
  VARCHAR,
} from '@duckdb/node-api';
import { type Batch, type ColumnData, type ColumnType, newColumn } from '@swapfold/core/engine';
import { yielder } from '@swapfold/core/host';
import type { AppendTarget, Bound, SqlConnection, SqlCursor, Statement } from '@swapfold/sql';
import { appendStaged, MOST_STAGED } from './staging.ts';
import { readVector, writeVector } from './vectors.ts';

/** Rows of one vector, and of one data chunk at most. */
const VECTOR = 2048;

/** Rows that an appender gathers: by itself it compresses 200,000 at once, on this thread, which takes up to half a second. */
const FLUSHED = 8 * VECTOR;

/** Values that it takes at a time: of a wide table fewer rows are as much work. */
const CHUNK_CELLS = 2 ** 18;

/** Rows of one piece of a stream. */
const PIECE = 8 * VECTOR;

/** Values of one piece: of a very wide table fewer rows are as much memory. */
const PIECE_CELLS = 2 ** 23;

const duckdbTypes: Record<ColumnType, DuckDBType> = { id: INTEGER, long: BIGINT, double: DOUBLE, text: VARCHAR };

export function createConnection(connection: DuckDBConnection, onClose?: () => Promise<void>): SqlConnection {
  // A statement is planned for one run: DuckDB 1.5 plans with the statistics of the moment (no row is null, all are under 100: the
  // filter goes) and a kept statement runs that plan on rows that came later (duckdb/duckdb issue 23704).
  async function prepare({ sql, values }: Statement): Promise<DuckDBPreparedStatement> {
    const statement = await connection.prepare(sql);
    for (let i = 0; i < values.length; i++) bind(statement, i + 1, values[i]!);
    return statement;
  }

  /** Rows that went over tables in memory since the transaction began. */
  let staged = 0;

  return {
    async begin() {
      staged = 0;
      await connection.run('begin transaction');
    },

    async commit() {
      await connection.run('commit');
    },

    async rollback() {
      await connection.run('rollback');
    },

    async run(statement) {
      if (statement.values.length === 0) await connection.run(statement.sql);
      else await runOnce(await prepare(statement));
    },

    async open(statement, types) {
      const prepared = await prepare(statement);
      return createCursor(await prepared.stream(), types, () => prepared.destroySync());
    },

    /** A result that DuckDB has whole hands over its chunks without a turn of the event loop for each. */
    async all(statement, types) {
      const result = await runOnce(await prepare(statement));
      const chunks = Array.from({ length: result.chunkCount }, (_, i) => result.getChunk(i));
      const rows = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0);
      return await toColumns(chunks, rows, types);
    },

    async append(target, batch) {
      const appendTo = (name: string): Promise<void> => appendRows(connection, { ...target, name }, batch);
      const size = { table: target.name, columns: target.columns.length, rows: batch.length };
      const mayStage = staged + batch.length <= MOST_STAGED;
      if (mayStage && (await appendStaged((sql) => connection.run(sql), size, appendTo))) staged += batch.length;
      else await appendTo(target.name);
    },

    async close() {
      await onClose?.();
      connection.closeSync();
    },
  };
}

async function appendRows(connection: DuckDBConnection, target: AppendTarget, batch: Batch): Promise<void> {
  const columns = target.columns.map(([name]) => batch.columns[name]!);
  const appender = await connection.createAppender(target.name);
  const pause = yielder();
  const chunk = DuckDBDataChunk.create(target.columns.map(([, type]) => duckdbTypes[type]));
  const most = Math.min(VECTOR, Math.ceil(CHUNK_CELLS / columns.length));
  const flushed = most < VECTOR ? most : FLUSHED;
  try {
    for (let from = 0; from < batch.length; from += most) {
      const count = Math.min(most, batch.length - from);
      chunk.reset();
      chunk.rowCount = count;
      for (let c = 0; c < columns.length; c++) {
        writeVector(chunk.getColumnVector(c), columns[c]!, from, count);
        if (pause.isDue()) await pause.take();
      }
      appender.appendDataChunk(chunk);
      if ((from + most) % flushed === 0) appender.flushSync();
      await pause.yieldIfDue();
    }
  } finally {
    appender.closeSync();
  }
}

async function runOnce(statement: DuckDBPreparedStatement): Promise<Awaited<ReturnType<typeof statement.run>>> {
  try {
    return await statement.run();
  } finally {
    statement.destroySync();
  }
}

/** A multiple of the rows of a vector. */
function rowsInPiece(width: number): number {
  const vectors = Math.ceil(PIECE_CELLS / width / VECTOR);
  return Math.min(PIECE, vectors * VECTOR);
}

function createCursor(result: DuckDBResult, types: readonly ColumnType[], onClose: () => void): SqlCursor {
  const most = rowsInPiece(types.length);
  let isDone = false;
  let isClosed = false;
  return {
    async next() {
      const chunks: DuckDBDataChunk[] = [];
      let rows = 0;
      while (!isDone && (rows === 0 || rows + VECTOR <= most)) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) isDone = true;
        else {
          chunks.push(chunk);
          rows += chunk.rowCount;
        }
      }
      return rows === 0 ? null : await toColumns(chunks, rows, types);
    },
    async close() {
      isDone = true;
      if (!isClosed) onClose();
      isClosed = true;
    },
  };
}

/** A wide table, or a column of many texts, is tens of milliseconds of work: others have their turn between vectors. */
async function toColumns(
  chunks: readonly DuckDBDataChunk[],
  rows: number,
  types: readonly ColumnType[],
): Promise<ColumnData[]> {
  const pause = yielder();
  const columns: ColumnData[] = [];
  for (const [i, type] of types.entries()) {
    const column: ColumnData = newColumn(type, rows);
    let at = 0;
    for (const chunk of chunks) {
      readVector(chunk.getColumnVector(i), column, at, chunk.rowCount);
      at += chunk.rowCount;
      if (pause.isDue()) await pause.take();
    }
    columns.push(column);
  }
  return columns;
}

function bind(statement: DuckDBPreparedStatement, index: number, bound: Bound): void {
  if (bound.kind === 'list') {
    if (bound.type === 'text') statement.bindList(index, listValue(bound.values as readonly string[]), LIST(VARCHAR));
    else statement.bindVarchar(index, `[${bound.values.join(',')}]`);
    return;
  }
  const { type, value } = bound;
  if (type === 'text') statement.bindVarchar(index, value as string);
  else if (type === 'double') statement.bindDouble(index, value as number);
  else if (type === 'id') statement.bindInteger(index, value as number);
  else statement.bindBigInt(index, BigInt(value));
}
