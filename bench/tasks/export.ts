import { createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';

import { type Engine, filesOf, removeFile } from '../files.ts';
import { openStore } from '../open.ts';
import { timed } from '../timing.ts';

type Format = 'parquet' | 'csv' | 'ndjson';

export interface Exported {
  readonly trades: number;
  readonly formats: Readonly<Record<Format, { readonly milliseconds: number; readonly bytes: number }>>;
  /** Milliseconds of DuckDB's COPY of the raw table; `null` on other engines. */
  readonly copied: number | null;
}

/** Writes the trades of a store in every format, to files that are removed again. */
export async function exportTrades(task: {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
}): Promise<Exported> {
  const files = filesOf(task.root, task.swaps);
  const store = files.store[task.engine];
  const path = files.scratch('exported');
  const dex = await openStore(task.engine, store);
  const exported = async (format: Format) => {
    const milliseconds = await timed(() => pipeline(dex.export('trades', { format }), createWriteStream(path)));
    return { milliseconds, bytes: statSync(path).size };
  };
  const formats = { parquet: await exported('parquet'), csv: await exported('csv'), ndjson: await exported('ndjson') };
  const trades = (await dex.info()).trades;
  await dex.close();
  const copied = task.engine === 'duckdb' ? await copyRaw(store, path) : null;
  removeFile(path);
  return { trades, formats, copied };
}

async function copyRaw(store: string, path: string): Promise<number> {
  const instance = await DuckDBInstance.create(store, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    return await timed(() => connection.run(`copy (select * from trades order by seq) to '${path}' (format parquet)`));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
