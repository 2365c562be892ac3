/** Writes, refreshes and asks, and leaves its store open: what remains running would keep the process. */
import { Swapfold } from '@swapfold/core';
import { smallMarket } from '../../../../test/support/market.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from './chdb.ts';

const { swaps, config } = smallMarket({ seed: 5, swaps: 100, wallets: 20, tokens: 8 });
const { client } = await openClient(process.argv[2]!);
const dex = await Swapfold.open({ storage: clickhouse({ server: client, database: 'unclosed' }), config });
await dex.ingest(swaps);
await dex.refresh();
await dex.wallets.search({ limit: 1 });
console.log((await dex.swaps.list({ limit: 1 })).count);
