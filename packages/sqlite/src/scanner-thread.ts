import { parentPort, workerData } from 'node:worker_threads';
import type { ColumnData } from '@swapfold/core/engine';
import type { SqlConnection, SqlCursor } from '@swapfold/sql';
import { createConnection } from './connection.ts';
import { openReader, type ReaderOptions } from './open-reader.ts';
import type { ScanAnswer, ScanCall } from './scanner.ts';

const port = parentPort!;
const cursors = new Map<number, SqlCursor>();
let connection: SqlConnection | undefined;

async function answer(call: ScanCall): Promise<ColumnData[] | null> {
  connection ??= createConnection(openReader(workerData as ReaderOptions), true);
  switch (call.kind) {
    case 'begin':
    case 'rollback':
      await (call.kind === 'begin' ? connection.begin('read') : connection.rollback());
      return null;
    case 'all':
      return connection.all(call.statement, call.types);
    case 'open':
      cursors.set(call.cursor, await connection.open(call.statement, call.types));
      return null;
    case 'next':
      return cursors.get(call.cursor)!.next();
    case 'end':
      await cursors.get(call.cursor)?.close();
      cursors.delete(call.cursor);
      return null;
  }
}

/** Rows from which on handing the columns over costs less than copying them. */
const HANDED_OVER = 1000;

function send(columns: ColumnData[] | null): void {
  const buffers: ArrayBuffer[] = [];
  if (columns !== null && (columns[0]?.length ?? 0) >= HANDED_OVER)
    for (const column of columns)
      if (!Array.isArray(column)) buffers.push((column as Float64Array<ArrayBuffer>).buffer);
  port.postMessage({ columns } satisfies ScanAnswer, buffers);
}

port.on('message', (call: ScanCall) => {
  answer(call).then(send, ({ code, message }: Error & { code?: string }) =>
    port.postMessage({ error: { code, message } } satisfies ScanAnswer),
  );
});
