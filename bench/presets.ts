import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { generateMarket } from '@swapfold/testing';
import { readSwapFile } from 'swapfold';
import { type ShapeName, shapeNames, writeMarketParquet } from './market-parquet.ts';

// A market as Parquet with Swapfold's own columns and in the shape of Dune's dex_solana.trades, read and imported: npm run bench:presets [-- SWAPS]
const swaps = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'swapfold-presets-'));
const market = generateMarket({ seed: 1, swaps, withBalances: false });

const pathOf = (name: ShapeName): string => join(folder, `${name}.parquet`);

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  const [wall, cpu] = [(performance.now() - begun) / 1000, (user + system) / 1e6];
  console.log(`${name.padEnd(20)}${wall.toFixed(1).padStart(7)} s, ${cpu.toFixed(1).padStart(6)} s of processor`);
}

async function read(name: ShapeName): Promise<void> {
  let rows = 0;
  for await (const { batch } of readSwapFile(pathOf(name), { batchRows: 250_000 })) rows += batch.length;
  if (rows !== swaps) throw new Error(`${rows} of ${swaps} rows`);
}

async function importInto(name: ShapeName): Promise<void> {
  const dex = await Swapfold.open({ storage: duckdb(join(folder, `${name}.duckdb`)), config: market.config });
  for await (const { batch } of readSwapFile(pathOf(name), { batchRows: 250_000 })) await dex.ingest(batch);
  await dex.close();
}

try {
  await writeMarketParquet(
    market,
    shapeNames.map((name) => [name, pathOf(name)]),
  );
  for (const name of shapeNames) console.log(`${name}.parquet: ${(statSync(pathOf(name)).size / 1e6).toFixed(0)} MB`);
  for (let round = 0; round < 3; round++) for (const name of shapeNames) await timed(`read ${name}`, () => read(name));
  for (const name of shapeNames) await timed(`import ${name}`, () => importInto(name));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
