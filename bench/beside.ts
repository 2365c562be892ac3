/**
 * How long blocks wait that are ingested while all profiles are refreshed: with no refresh (`none`), with one beside them (`beside`), with one that
 * folds beside them and stores in the writer's place (`placed`), and with one that is a write (`write`).
 * `npm run bench:beside -- --swaps N --engine sqlite|duckdb --store FILE`; the last takes a copy of a store that is there already.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';
import type { Engine } from './files.ts';
import { holdOf } from './hold.ts';
import { storageOf } from './open.ts';
import { summary } from './timing.ts';

const { values: options } = parseArgs({
  options: {
    swaps: { type: 'string', default: '200000' },
    engine: { type: 'string', default: 'duckdb' },
    store: { type: 'string' },
    line: { type: 'string', multiple: true, default: ['none', 'beside', 'placed', 'write'] },
  },
});
const BLOCK = 500;
/** Milliseconds between two blocks. */
const EVERY = 2000;

type Line = 'none' | 'beside' | 'placed' | 'write';

const folder = mkdtempSync(join(tmpdir(), 'swapfold-beside-'));
const path = join(folder, 'store');
const storage = storageOf(options.engine as Engine, path);
const { writeAside } = storage;
try {
  const dex = await open();
  console.log(
    `${options.engine}, ${(await dex.info()).swaps} swaps, Node ${process.version}, load ${loadavg()[0]!.toFixed(2)}`,
  );
  const blocks = blocksAfter(await newest(dex));
  for (const line of options.line as Line[]) await measure(dex, line, blocks);
  await dex.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function open(): Promise<Swapfold> {
  if (options.store !== undefined) copyFileSync(options.store, path);
  const dex = await Swapfold.open({ storage });
  if (options.store !== undefined) return dex;
  const market = generateMarket({
    seed: 1,
    bots: 20,
    mix: { bot: 60, collect: 0.4 },
    swaps: Number(options.swaps),
    days: 30,
  });
  await dex.ingest(market.swaps());
  await dex.tokens.upsert(market.tokens());
  await dex.refresh();
  return dex;
}

/** The newest swaps of a store, of which blocks are made. */
async function newest(dex: Swapfold): Promise<readonly SwapInput[]> {
  const swaps: SwapInput[] = [];
  for (let cursor: string | undefined; swaps.length < 10 * BLOCK; ) {
    const page = await dex.swaps.list({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    swaps.push(...(page.data as readonly SwapInput[]));
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  return swaps;
}

function* blocksAfter(swaps: readonly SwapInput[]): Generator<readonly SwapInput[]> {
  const { block_time: time, block_slot: slot } = swaps[0]!;
  for (let block = 1; ; block++)
    yield Array.from({ length: BLOCK }, (_, i) => ({
      ...swaps[(block * BLOCK + i) % swaps.length]!,
      tx_hash: `block${block}n${i}`,
      swap_index: 0,
      block_time: time + 2 * block,
      block_slot: Number(slot ?? 0) + block,
      tx_index: i,
    }));
}

/** Ingests a block every two seconds while a refresh runs, or for half a minute. */
async function measure(dex: Swapfold, line: Line, blocks: Iterator<readonly SwapInput[]>): Promise<void> {
  const asOf = (await newestTime(dex)) - 1;
  Object.assign(storage, { writeAside: line === 'placed' ? undefined : writeAside });
  const begun = performance.now();
  let isOver = false;
  // As of an earlier instant than the profiles are of: all are folded anew, and stored anew.
  const refreshing = line === 'none' ? pause(30_000) : dex.refresh({ asOf, beside: line !== 'write' });
  const ended = refreshing.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  const hold = await holdOf(async () => {
    for (let block = 0; !isOver; block++) {
      await Promise.race([ended, pause(Math.max(0, begun + block * EVERY - performance.now()))]);
      const start = performance.now();
      await dex.ingest(blocks.next().value);
      times.push(performance.now() - start);
    }
    await ended;
  });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const { median } = summary(times);
  console.log(
    `${line.padEnd(7)} ${seconds} s, ${times.length} blocks: median ${median.toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms; the event loop was held for ${hold.elapsed.toFixed(0)} ms at most`,
  );
}

async function newestTime(dex: Swapfold): Promise<number> {
  return (await dex.status()).newest_block_time!;
}
