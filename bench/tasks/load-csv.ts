import { DuckDBInstance } from '@duckdb/node-api';
import { filesOf, removeFile } from '../files.ts';
import { timed } from '../timing.ts';

/** DuckDB loads the market's CSV file into a table of its own, and makes an index of its wallets. Milliseconds, until it is on disk. */
export async function loadCsv({ swaps, root }: { swaps: number; root: string }): Promise<number> {
  const { csv, scratch } = filesOf(root, swaps);
  const path = scratch('loaded.duckdb');
  removeFile(path);
  const milliseconds = await timed(async () => {
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run(`create table swaps as from read_csv('${csv}'); create index by_wallet on swaps (wallet)`);
    await connection.run('checkpoint');
    connection.closeSync();
    instance.closeSync();
  });
  removeFile(path);
  return milliseconds;
}
