import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { type ExportFormat, Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { generateMarket } from '@swapfold/testing';

// Trades of both embedded engines as files, and the table of trades by DuckDB's own COPY: npm run bench:export [-- SWAPS]
const swaps = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'swapfold-export-'));

async function timed(name: string, path: string, work: () => Promise<unknown>): Promise<void> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 100);
  await work();
  clearInterval(watch);
  const { user, system } = process.cpuUsage(before);
  const [wall, cpu] = [(performance.now() - begun) / 1000, (user + system) / 1e6];
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  console.log(
    `${name.padEnd(34)}${wall.toFixed(1)} s, ${cpu.toFixed(1)} s of processor, ${mb(statSync(path).size)}, at most ${mb(most)} of memory`,
  );
}

try {
  const market = generateMarket({ seed: 1, swaps });
  const stores = { duckdb: duckdb(join(folder, 'dex.duckdb')), sqlite: sqlite(join(folder, 'dex.db')) };
  for (const [engine, storage] of Object.entries(stores)) {
    const dex = await Swapfold.open({ storage, config: market.config });
    await dex.ingest(market.swaps());
    for (const format of ['parquet', 'csv', 'ndjson'] satisfies ExportFormat[]) {
      const path = join(folder, `trades.${format}`);
      await timed(`${engine}, trades as ${format}`, path, () =>
        pipeline(dex.export('trades', { format }), createWriteStream(path)),
      );
    }
    await dex.close();
  }
  const instance = await DuckDBInstance.create(join(folder, 'dex.duckdb'));
  const connection = await instance.connect();
  const path = join(folder, 'copy.parquet');
  await timed("DuckDB's COPY of its raw table", path, () =>
    connection.run(`copy (select * from trades order by seq) to '${path}' (format parquet)`),
  );
  const rows = await connection.runAndReadAll('select count(*) from trades');
  console.log(`${rows.getRows()[0]![0]} trades of ${swaps} swaps`);
  connection.closeSync();
  instance.closeSync();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
