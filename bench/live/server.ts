/** The server of `bench/live.ts`: a generated market that goes on trading, a block every two seconds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { columnsToObjects, memory, type StorageAdapter, Swapfold, type SwapInput } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { serve } from '@swapfold/server';
import { sqlite } from '@swapfold/sqlite';
import { generateMarket } from '@swapfold/testing';

/** What the server says once it answers. */
export interface Started {
  readonly url: string;
  readonly wallets: readonly string[];
  readonly tokens: readonly string[];
}

/** What it says of each block: when it was durable, Unix milliseconds, and how long its ingest took. */
export interface Committed {
  readonly slot: number;
  readonly at: number;
  readonly milliseconds: number;
  readonly swaps: readonly { readonly wallet: string; readonly tx_hash: string }[];
}

const BLOCK = 500;
const EVERY = 2000;
/** Blocks that there are: half an hour of them. */
const BLOCKS = 900;

const [engine, count] = [process.argv[2]!, Number(process.argv[3])];
const folder = mkdtempSync(join(tmpdir(), 'swapfold-live-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const stores: Readonly<Record<string, () => StorageAdapter>> = {
  memory,
  sqlite: () => sqlite(join(folder, 'live.db')),
  duckdb: () => duckdb(join(folder, 'live.duckdb')),
};
const market = generateMarket({ seed: 24, swaps: count + BLOCKS * BLOCK });
const all = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
const storage = stores[engine]!();
/** When the last write was durable. */
let durable = 0;
const write = storage.write.bind(storage);
storage.write = async (change) => {
  const answer = await write(change);
  durable = performance.timeOrigin + performance.now();
  return answer;
};
const dex = await Swapfold.open({ storage, config: market.config });
await dex.ingest(all.slice(0, count));
await dex.refresh();
const server = await serve(dex, {
  port: 0,
  keys: 'none',
  connections: 4096,
  limits: { liveConnections: 2048 },
});
const later = all.slice(count);
const known = later.slice(0, 20 * BLOCK);
process.send!({
  started: {
    url: server.url,
    wallets: [...new Set(known.map(({ wallet }) => wallet))],
    tokens: [...new Set(known.map(({ token_out }) => token_out))].slice(0, 100),
  } satisfies Started,
});
let isOver = false;
process.on('message', (message) => {
  if (message === 'end') isOver = true;
  else void trade();
});

async function trade(): Promise<void> {
  const begun = performance.now();
  for (let block = 0; block < BLOCKS && !isOver; block++) {
    await pause(Math.max(0, begun + block * EVERY - performance.now()));
    const slot = 1e9 + block;
    const last = later[(block + 1) * BLOCK - 1]!.block_time;
    // One block: its swaps share the time of the last of them.
    const swaps = later.slice(block * BLOCK, (block + 1) * BLOCK).map(
      (swap, i): SwapInput => ({
        ...swap,
        tx_hash: `live${slot}n${i}`,
        swap_index: 0,
        block_time: last + block,
        block_slot: slot,
        tx_index: i,
      }),
    );
    const start = performance.now();
    const { added } = await dex.ingest(swaps);
    const milliseconds = performance.now() - start;
    if (added !== BLOCK) throw new Error(`${added} of a block were added`);
    const sent = swaps.map(({ wallet, tx_hash }) => ({ wallet, tx_hash }));
    process.send!({ committed: { slot, at: durable, milliseconds, swaps: sent } satisfies Committed });
  }
}
