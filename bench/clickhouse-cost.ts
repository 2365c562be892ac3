import { Swapfold } from '@swapfold/core';
import { generateMarket } from '@swapfold/core/market';
import { clickhouse } from '../packages/clickhouse/src/index.ts';
import { openClient } from '../packages/clickhouse/test/support/chdb.ts';

/** What docs/scale.md extrapolates from: `node --import tsx bench/clickhouse-cost.ts 1000000`, after `npm run test:clickhouse` has installed chDB. */
const swaps = Number(process.argv[2] ?? 200_000);
const database = `swapfold_cost_${process.pid}`;
const { client, dispose } = await openClient();

/** CPU time of this process, which chDB is a part of, and on a server only the client. */
async function microsecondsASwap(work: () => Promise<void>): Promise<string> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return `${((user + system) / swaps).toFixed(1)} us CPU a swap`;
}

const market = generateMarket({ seed: 5, swaps });
const dex = await Swapfold.open({ storage: clickhouse({ server: client, database }), config: market.config });
const ingest = await microsecondsASwap(async () => {
  for (const batch of market.swaps()) await dex.ingest(batch);
});
const refresh = await microsecondsASwap(async () => {
  await dex.refresh();
});
await dex.close();
console.log(`${swaps} swaps: ingest ${ingest} (with making them), refresh ${refresh}`);

const sizes = await client.query({
  query: `select table, sum(rows) as rows, sum(bytes_on_disk) as bytes, round(sum(bytes_on_disk) / ${swaps}) as bytes_a_swap from system.parts where database = '${database}' and active group by table order by bytes desc`,
  format: 'JSONEachRow',
});
console.table(await sizes.json());
await client.command({ query: `drop database ${database} sync` });
await dispose();
