import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { readSwapFile } from 'swapfold';

// A market as Parquet with Swapfold's own columns and in the shape of Dune's dex_solana.trades, read and imported: npm run bench:presets [-- SWAPS]
const swaps = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'swapfold-presets-'));
const market = generateMarket({ seed: 1, swaps, withBalances: false });

/** The query of each file over the market's CSV. Both have the same rows and as many columns. */
const shapes = {
  plain: `select tx_hash, swap_index::bigint swap_index, block_time::bigint block_time, block_slot::bigint block_slot, tx_index::bigint tx_index,
    wallet, token_in, token_out, token_symbol_in, token_symbol_out, protocol, token_amount_in::double token_amount_in,
    token_amount_out::double token_amount_out, usd_amount_in::double usd_amount_in, usd_amount_out::double usd_amount_out`,
  dune: `select tx_hash tx_id, (swap_index::bigint // 3) + 2 outer_instruction_index, nullif(swap_index::bigint % 3, 0) inner_instruction_index,
    to_timestamp(block_time::bigint) block_time, block_slot::bigint block_slot, tx_index::bigint tx_index, wallet trader_id,
    token_in token_sold_mint_address, token_out token_bought_mint_address, token_symbol_in token_sold_symbol,
    token_symbol_out token_bought_symbol, protocol project, token_amount_in::double token_sold_amount,
    token_amount_out::double token_bought_amount, usd_amount_in::double amount_usd`,
} as const;

type Name = keyof typeof shapes;
const names = Object.keys(shapes) as Name[];
const pathOf = (name: Name): string => join(folder, `${name}.parquet`);

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const [begun, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  const [wall, cpu] = [(performance.now() - begun) / 1000, (user + system) / 1e6];
  console.log(`${name.padEnd(20)}${wall.toFixed(1).padStart(7)} s, ${cpu.toFixed(1).padStart(6)} s of processor`);
}

async function read(name: Name): Promise<void> {
  let rows = 0;
  for await (const { batch } of readSwapFile(pathOf(name), { batchRows: 250_000 })) rows += batch.length;
  if (rows !== swaps) throw new Error(`${rows} of ${swaps} rows`);
}

async function importInto(name: Name): Promise<void> {
  const dex = await Swapfold.open({ storage: duckdb(join(folder, `${name}.duckdb`)), config: market.config });
  for await (const { batch } of readSwapFile(pathOf(name), { batchRows: 250_000 })) await dex.ingest(batch);
  await dex.close();
}

try {
  const csv = join(folder, 'market.csv');
  writeSwapsCsv(market.swaps(), csv);
  const connection = await (await DuckDBInstance.create()).connect();
  for (const name of names) {
    const rows = `read_csv('${csv}', all_varchar = true)`;
    await connection.run(`copy (${shapes[name]} from ${rows}) to '${pathOf(name)}' (format parquet)`);
    console.log(`${name}.parquet: ${(statSync(pathOf(name)).size / 1e6).toFixed(0)} MB`);
  }
  connection.closeSync();
  for (let round = 0; round < 3; round++) for (const name of names) await timed(`read ${name}`, () => read(name));
  for (const name of names) await timed(`import ${name}`, () => importInto(name));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
