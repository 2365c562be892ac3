import { rmSync } from 'node:fs';
import { clickhouse } from '@swapfold/clickhouse';
import { type SwapColumns, Swapfold } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';
import { type ChdbClient, openChdb } from '../../packages/clickhouse/test/support/chdb.ts';
import type { Costs } from '../scale/costs.ts';
import { slice } from '../slice.ts';
import { quantile } from '../timing.ts';
import { questionKinds } from './question-kinds.ts';

const DATABASE = 'cost';
const BLOCK = 1000;
const BLOCKS = 5;
const QUESTIONS = 15;

/** What a store on ClickHouse costs at one size: processor time of this process, which chDB is a part of, and bytes on disk. */
export async function costOfStore({ swaps, root }: { swaps: number; root: string }): Promise<Costs> {
  const folder = `${root}/cost-${swaps}`;
  rmSync(folder, { recursive: true, force: true });
  const client = openChdb(folder);
  // Batches as `swapfold import swaps` makes them.
  const market = generateMarket({ seed: 5, swaps: swaps + BLOCK * BLOCKS, batchRows: 250_000 });
  const dex = await Swapfold.open({
    storage: clickhouse({ server: client, database: DATABASE }),
    config: market.config,
  });
  try {
    let ingest = 0;
    let left: SwapColumns | undefined;
    let taken = 0;
    for (const batch of market.swaps()) {
      const bulk = slice(batch, 0, Math.min(batch.length, swaps - taken));
      left = bulk.length === batch.length ? undefined : slice(batch, bulk.length, batch.length);
      taken += bulk.length;
      ingest += await processor(() => dex.ingest(bulk));
      if (left !== undefined) break;
    }
    let profiles = 0;
    const refresh = await processor(async () => {
      const { tokens, wallets } = await dex.refresh();
      profiles = tokens + wallets;
    });
    const sizes = await bytesByTable(client);
    const blocks: number[] = [];
    for (let from = 0; left !== undefined && from + BLOCK <= left.length; from += BLOCK) {
      const block = slice(left, from, from + BLOCK);
      blocks.push(
        await processor(async () => {
          await dex.ingest(block);
          await dex.refresh({ scope: 'traded' });
        }),
      );
    }
    return {
      swaps,
      profiles,
      ingest: (ingest * 1000) / swaps,
      refresh: (refresh * 1000) / profiles,
      block: quantile(blocks, 0.5),
      questions: await askAll(dex),
      swapBytes: sum(sizes.filter(({ table }) => !table.includes('profiles'))) / swaps,
      profileBytes: sum(sizes.filter(({ table }) => table.includes('profiles'))) / profiles,
    };
  } finally {
    await dex.close();
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processor time of the process, milliseconds. */
async function processor(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Milliseconds of processor time of one question of each kind, the median over many wallets and tokens. */
async function askAll(dex: Swapfold): Promise<Costs['questions']> {
  const costs: Record<string, number> = {};
  for (const [kind, ask] of Object.entries(await questionKinds(dex, QUESTIONS))) {
    const times: number[] = [];
    for (let i = 0; i < QUESTIONS; i++) times.push(await processor(() => ask(i)));
    costs[kind] = quantile(times, 0.5);
  }
  return costs;
}

function sum(sizes: readonly { bytes: number }[]): number {
  return sizes.reduce((total, { bytes }) => total + bytes, 0);
}

async function bytesByTable(client: ChdbClient): Promise<readonly { table: string; bytes: number }[]> {
  const query = `select table, sum(bytes_on_disk) as bytes from system.parts where active and database = '${DATABASE}' group by table`;
  const rows = await (await client.query({ query, format: 'JSONEachRow' })).json<{ table: string; bytes: string }>();
  return rows.map(({ table, bytes }) => ({ table, bytes: Number(bytes) }));
}
