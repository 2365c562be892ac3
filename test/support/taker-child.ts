/** Another process that opens a store for writing, stores swaps in it and closes it; it prints `stored`, or the code that it fails with. */
import { Swapfold, type SwapfoldError } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { tradesOf } from './takeover.ts';

const [engine, path] = process.argv.slice(2) as [string, string];
try {
  const dex = await Swapfold.open({ storage: engine === 'sqlite' ? sqlite(path) : duckdb(path) });
  await dex.ingest(tradesOf('taker', 5));
  await dex.close();
  process.stdout.write('stored');
} catch (error) {
  process.stdout.write((error as SwapfoldError).code);
}
