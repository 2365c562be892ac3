/**
 * Ingests, rolls back and refreshes until a line comes in; prints `ingested FROM TO` and the like for what was acknowledged. A write that
 * another process overtook, or that a fault of the connection ended, is not.
 */
import { Swapfold, SwapfoldError } from '@swapfold/core';
import { clickhouse } from '../../src/index.ts';
import { randomOf, rivals } from './rivals.ts';

const [address, seed] = process.argv.slice(2) as [string, string];
const { config, swaps, slot, batch } = rivals;
const random = randomOf(Number(seed));
let isOver = false;
process.stdin.on('data', () => {
  isOver = true;
});

async function acknowledged(work: () => Promise<string>): Promise<boolean> {
  try {
    process.stdout.write(`${await work()}\n`);
    return true;
  } catch (error) {
    if (error instanceof SwapfoldError && error.code === 'store-failed') return false;
    throw error;
  }
}

let dex: Swapfold | undefined;
const open = async () => {
  dex = await Swapfold.open({ storage: clickhouse(address), config });
  return 'opened';
};

async function step(store: Swapfold): Promise<string> {
  const chance = random();
  if (chance < 0.15) {
    await store.rollback({ from_block_slot: slot });
    return 'rolled back';
  }
  if (chance < 0.3) {
    await store.refresh();
    return 'refreshed';
  }
  const from = Math.floor((random() * swaps.length) / batch) * batch;
  await store.ingest(swaps.slice(from, from + batch));
  return `ingested ${from} ${Math.min(from + batch, swaps.length)}`;
}

while (!isOver) {
  if (dex === undefined) await acknowledged(open);
  else await acknowledged(() => step(dex!));
}
await dex?.close().catch(() => undefined);
process.exit(0);
