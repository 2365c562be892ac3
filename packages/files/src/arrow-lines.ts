import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import type { RecordBatch, RecordBatchReader } from 'apache-arrow';
import { arrowValues, isZonelessArrow } from './arrow-values.ts';
import { type OnProgress, peekFile, readFailure } from './bytes.ts';

type Arrow = typeof import('apache-arrow');

/** The columns of an Arrow file, those whose times have no zone, and its rows as lines of JSON. */
export interface ArrowLines {
  readonly names: readonly string[];
  readonly zoneless: ReadonlySet<string>;
  readonly lines: AsyncGenerator<Buffer>;
  /** Closes the file, whether the lines have been read or not. */
  readonly close: () => Promise<void>;
}

/**
 * The rows of a file of the Arrow IPC format, or of a stored stream of it, as lines of JSON, one record batch in memory at a time.
 *
 * - Errors: `invalid-input` without the package apache-arrow, and for a damaged or packed file.
 */
export async function openArrow(path: string, onProgress: OnProgress): Promise<ArrowLines> {
  const lib = await loadArrow(path);
  const { size } = await peekFile(path);
  const handle = await open(path).catch((error: unknown) => {
    throw readFailure(path, error);
  });
  const damage = (error: Error): never => {
    const reason = /codec not found/.test(error.message)
      ? 'its batches are packed; write it without compression, or as Parquet'
      : error.message;
    throw new SwapfoldError('invalid-input', `${basename(path)} is damaged, or no whole Arrow file: ${reason}.`, {
      cause: error,
    });
  };
  const reader = await openReader(lib, handle).catch(async (error: Error) => {
    await handle.close();
    return damage(error);
  });
  const { fields } = reader.schema;
  return {
    names: fields.map(({ name }) => name),
    zoneless: new Set(fields.filter(({ type }) => isZonelessArrow(type)).map(({ name }) => name)),
    lines: (async function* () {
      const batches = reader[Symbol.asyncIterator]();
      for (let at = 1; ; at++) {
        const next = await batches.next().catch(damage);
        if (next.done) break;
        const read = reader.isFile() ? at / reader.numRecordBatches : 0;
        onProgress({ bytesRead: Math.floor(size * read), bytesTotal: size });
        for (const lines of linesOf(lib, next.value)) yield Buffer.from(lines);
      }
      onProgress({ bytesRead: size, bytesTotal: size });
    })(),
    close: () => handle.close(),
  };
}

/** Only who reads Arrow needs the library. */
async function loadArrow(path: string): Promise<Arrow> {
  try {
    return await import('apache-arrow');
  } catch (cause) {
    const message = `${basename(path)} is an Arrow file: reading it needs the package apache-arrow (npm install apache-arrow).`;
    throw new SwapfoldError('invalid-input', message, { cause });
  }
}

async function openReader(lib: Arrow, handle: Awaited<ReturnType<typeof open>>): Promise<RecordBatchReader> {
  const reader = await lib.RecordBatchReader.from(handle);
  await reader.open({ autoDestroy: false });
  if (reader.schema === undefined) throw new Error('it has no schema');
  return reader;
}

/** Rows of one text: a batch may have more than a text can hold. */
const ROWS = 10_000;

function* linesOf(lib: Arrow, batch: RecordBatch): Generator<string> {
  const columns = batch.schema.fields.map(({ name }) => [name, arrowValues(lib, batch.getChild(name)!)] as const);
  for (let from = 0; from < batch.numRows; from += ROWS) {
    let lines = '';
    for (let row = from; row < Math.min(from + ROWS, batch.numRows); row++)
      lines += `${JSON.stringify(Object.fromEntries(columns.map(([name, read]) => [name, read(row)])), replaced)}\n`;
    yield lines;
  }
}

/** A number that JSON cannot hold as a text, which says why its row is rejected. */
function replaced(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) return String(value);
  return value;
}
