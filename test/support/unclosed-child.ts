/** Writes, refreshes and asks, and leaves its store open: what remains running would keep the process. */
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { generateMarket } from '@swapfold/testing';
import type { UnclosedStore } from '../unclosed.test.ts';

const [name, path] = process.argv.slice(2) as [UnclosedStore, string];
// Enough that SQLite's log passes the 8 MB from which a thread brings it into the file.
const market = generateMarket({ seed: 5, swaps: name === 'sqlite' ? 16_000 : 300, wallets: 40, tokens: 24 });
const storages = {
  // Reads of many rows on threads of their own.
  sqlite: () => sqlite({ path, threads_from_mb: 0 }),
  duckdb: () => duckdb(path),
} as const;
const dex = await Swapfold.open({ storage: storages[name](), config: market.config });
await dex.ingest(market.swaps());
await dex.tokens.upsert(market.tokens());
await dex.refresh();
const { data } = await dex.wallets.search({ limit: 1 });
await dex.portfolios.get({ wallet: data[0]!.wallet_address });
console.log((await dex.swaps.list({ limit: 1 })).count);
