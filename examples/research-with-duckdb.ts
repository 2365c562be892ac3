// A researcher's session on DuckDB: a Parquet file of swaps goes in, questions are asked of Swapfold, and its tables are joined with SQL.
// Run it with: npx tsx examples/research-with-duckdb.ts
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { readSwapFile } from 'swapfold';

const folder = await mkdtemp(join(tmpdir(), 'swapfold-example-'));
const parquet = join(folder, 'swaps.parquet');
const instance = await DuckDBInstance.create(join(folder, 'research.duckdb'));
const sql = await instance.connect();
// Swapfold works on the instance of the session, so that both see the same tables.
const dex = await Swapfold.open({ storage: duckdb(instance), config: { preset: 'solana' } });

try {
  await writeParquet();
  for await (const { batch, rejects } of readSwapFile(parquet)) {
    const { added } = await dex.ingest(batch);
    console.log(`${added} swaps added, ${rejects.length} rows of the file could not be read`);
  }
  await dex.refresh();

  const { data } = await dex.tokens.search({
    filter: { 'metrics.7d.trade_count': { $gte: 20 } },
    sort: { field: 'metrics.7d.profit_factor', direction: 'desc' },
    options: { include_metadata: true, include_metrics: ['7d'] },
    limit: 5,
  });
  console.log('Tokens by profit factor over a week:');
  console.table(
    data.map(({ metadata, metrics }) => ({
      symbol: metadata?.symbol,
      profit_factor: metrics?.['7d']?.profit_factor,
      avg_wallet_winrate: metrics?.['7d']?.avg_wallet_winrate,
    })),
  );

  // Addresses, symbols and protocols are ids into "texts"; the columns of a profile are its paths.
  const byProtocol = await sql.runAndReadAll(`
    select protocol.text as protocol, count(*)::int as trades, round(sum(usd_amount)) as volume, round(sum(pnl)) as pnl,
      round(avg(profile."metrics.7d.winrate"), 1) as winrate_of_its_wallets
    from trades
    join texts protocol on protocol.id = trades.protocol
    join wallet_profiles profile on profile.id = trades.wallet
    group by all order by volume desc limit 5`);
  console.log('Where wallets trade, and how they fare:');
  console.table(byProtocol.getRowObjects());
} finally {
  await dex.close();
  sql.closeSync();
  instance.closeSync();
  await rm(folder, { recursive: true });
}

/** Stands for a file that you have: a made-up market, written by DuckDB. */
async function writeParquet(): Promise<void> {
  const csv = join(folder, 'swaps.csv');
  writeSwapsCsv(generateMarket({ seed: 5, swaps: 20_000 }).swaps(), csv);
  await sql.run(`copy (from read_csv('${csv}')) to '${parquet}' (format parquet)`);
}
