/** The server of `bench/live.ts`: a generated market that goes on trading, a block every two seconds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { columnsToObjects, memory, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { duckdb } from '@swapfold/duckdb';
import { serve } from '@swapfold/server';
import { sqlite } from '@swapfold/sqlite';
import { generateMarket } from '@swapfold/testing';
import { markSeldom } from '../../packages/cli/src/collector.ts';

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
/** How long what is asked of a block's messages waits, so that it takes no part in them, ms. */
const LATER = 1000;

// As `swapfold serve` does.
markSeldom();
const engine = process.argv[2]!;
const [count, blocks] = process.argv.slice(3).map(Number) as [number, number];
const folder = mkdtempSync(join(tmpdir(), 'swapfold-live-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const stores: Readonly<Record<string, () => StorageAdapter>> = {
  memory,
  sqlite: () => sqlite(join(folder, 'live.db')),
  duckdb: () => duckdb(join(folder, 'live.duckdb')),
};
const market = generateMarket({ seed: 24, swaps: count + blocks * BLOCK });
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
const later = await ingestFirst();
await dex.refresh();
const server = await serve(dex, {
  port: 0,
  keys: 'none',
  connections: 4096,
  limits: { liveConnections: 2048 },
});
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

/** Stores the swaps before the first block, and gives those of the blocks. */
async function ingestFirst(): Promise<readonly SwapInput[]> {
  const all = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
  await dex.ingest(all.slice(0, count));
  return all.slice(count);
}

async function trade(): Promise<void> {
  const begun = performance.now();
  for (let block = 0; block < blocks && !isOver; block++) {
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
    const at = durable;
    setTimeout(() => {
      const sent = swaps.map(({ wallet, tx_hash }) => ({ wallet, tx_hash }));
      process.send!({ committed: { slot, at, milliseconds, swaps: sent } satisfies Committed });
    }, LATER);
  }
}
