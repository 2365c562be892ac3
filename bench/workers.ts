/**
 * What workers of a refresh would gain on more cores than this machine has (docs/guides/sizing.md), for an SQLite store without profiles:
 *
 *     swapfold import swaps FILE --db STORE.db --no-refresh
 *     npm run build:js && node --env-file=bench/built.env --import tsx bench/workers.ts STORE.db 4
 *
 * It refreshes a copy of the store alone, and another with so many threads, one after the other: each folds its shard while nothing else
 * runs, and the profiles wait in memory until the last one is done. So each shard, and then the writing, is timed as on a core of its own.
 */
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { Worker } from 'node:worker_threads';
import { type FoldMessage, type FoldTask, type RefreshWorker, Swapfold } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { takeItems } from '../packages/cli/src/threads/take-items.ts';
import { copyFile, removeFile } from './files.ts';

/** Seconds by the clock, and of processor time of the whole process. */
interface Cost {
  readonly wall: number;
  readonly processor: number;
}

const [store, argument = '4'] = process.argv.slice(2);
const workers = Number(argument);
if (store === undefined || !(Number.isInteger(workers) && workers >= 1))
  throw new Error('Name an SQLite store without profiles, and how many workers to try, at least one.');
const copy = `${store}.workers`;
const folder = join(import.meta.dirname, '../packages/cli/dist/folder.js');

const alone = await refreshCopy((dex) => costOf(() => dex.refresh()));
const shards: Cost[] = [];
const writing = await refreshCopy(refreshInTurns);
console.table({ alone, ...Object.fromEntries(shards.map((cost, i) => [`shard ${i + 1}`, cost])), writing });
const processor = shards.reduce((sum, cost) => sum + cost.processor, writing.processor);
const longest = Math.max(...shards.map(({ wall }) => wall));
console.log(
  `The writing is ${percent(writing.processor / alone.processor)} of the processor time alone. ` +
    `${workers} workers take ${processor.toFixed(1)} s of it together, which is ${(processor / workers).toFixed(1)} s of ${workers} cores; ` +
    `the longest shard takes ${longest.toFixed(1)} s by the clock.`,
);

async function refreshCopy(refresh: (dex: Swapfold) => Promise<Cost>): Promise<Cost> {
  copyFile(store!, copy);
  const dex = await Swapfold.open({ storage: sqlite(copy) });
  try {
    return await refresh(dex);
  } finally {
    await dex.close();
    removeFile(copy);
  }
}

/** What the refresh takes once all shards are folded. */
async function refreshInTurns(dex: Swapfold): Promise<Cost> {
  let turn: Promise<unknown> = Promise.resolve();
  let isWriting: () => void = () => undefined;
  const writing = new Promise<void>((resolve) => {
    isWriting = resolve;
  });
  const worker: RefreshWorker = {
    async *fold(task) {
      const folded = turn.then(() => foldShard(task));
      turn = folded;
      const messages = await folded;
      if (shards.length === workers) isWriting();
      await writing;
      yield* messages;
    },
  };
  const refreshed = dex.refresh({ workers: Array.from({ length: workers }, () => worker) });
  await Promise.race([writing, refreshed]);
  return costOf(() => refreshed);
}

/** Folds one shard in a thread that has to start first, as `swapfold refresh --workers` does. */
async function foldShard(task: FoldTask): Promise<readonly FoldMessage[]> {
  const messages: FoldMessage[] = [];
  const url = { engine: 'sqlite', path: copy };
  const cost = await costOf(async () => {
    const thread = new Worker(folder, { workerData: { url, config: undefined, task } });
    for await (const message of takeItems<FoldMessage>(thread, 'folding profiles')) messages.push(message);
  });
  shards.push(cost);
  return messages;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const [begun, before] = [performance.now(), cpuUsage()];
  await work();
  const { user, system } = cpuUsage(before);
  return { wall: seconds((performance.now() - begun) / 1000), processor: seconds((user + system) / 1e6) };
}

function seconds(value: number): number {
  return Math.round(value * 100) / 100;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
