import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from '../timing.ts';
import type { Contestant, Running } from './contestant.ts';
import type { Market } from './market.ts';
import { readSwaps } from './read-logs.ts';
import { assertSame, tallyOf } from './tally.ts';

/** What was measured of one contestant, milliseconds and MB; `undefined` of what it does not do. */
export interface Measured {
  readonly name: string;
  /** Swap events a second, from the start of the program until all of them are answered. */
  readonly answered: number;
  /** Until all else that it tells is up to date as well. */
  readonly complete: number;
  readonly delay?: { readonly p50: number; readonly p99: number };
  readonly reorganised?: number;
  readonly memory: number;
  readonly disk: number;
}

export interface Plan {
  readonly market: Market;
  readonly perBlock: number;
  readonly folder: string;
  /** New blocks whose delay is measured. */
  readonly blocks: number;
  /** Reorganisations that are measured. */
  readonly reorganisations: number;
}

/** Blocks that a reorganisation takes back. */
const DEPTH = 3;

export async function measure(contestant: Contestant, plan: Plan): Promise<Measured> {
  const { market, perBlock, folder } = plan;
  const to = await market.newest();
  const expected = tallyOf(await readSwaps(market, to, perBlock));
  const begun = performance.now();
  const running = await contestant.start(market, { folder, to });
  try {
    await until(`${contestant.name} has all swaps`, 20, async () => (await running.count()) === expected.count);
    const answered = performance.now() - begun;
    await until(`${contestant.name} is complete`, 20, running.isComplete);
    const complete = performance.now() - begun;
    assertSame(contestant.name, tallyOf(await running.rows()), expected);
    const rate = (milliseconds: number): number => (expected.count / milliseconds) * 1000;
    const figures = {
      name: contestant.name,
      answered: rate(answered),
      complete: rate(complete),
    };
    if (!contestant.follows) return { ...figures, memory: running.memory(), disk: diskOf(folder) };
    const delays = await delaysOf(running, plan, expected.count);
    const reorganised = await reorganisationsOf(running, plan, expected.count + plan.blocks * perBlock);
    const now = tallyOf(await readSwaps(market, await market.newest(), perBlock));
    assertSame(`${contestant.name}, after all`, tallyOf(await running.rows()), now);
    const delay = { p50: quantile(delays, 0.5), p99: quantile(delays, 0.99) };
    return {
      ...figures,
      delay,
      reorganised: quantile(reorganised, 0.5),
      memory: running.memory(),
      disk: diskOf(folder),
    };
  } finally {
    await running.stop();
  }
}

/** From the node's answer that it has mined a block to the first answer that counts its swaps. */
async function delaysOf(running: Running, { market, perBlock, blocks }: Plan, stored: number): Promise<number[]> {
  const delays: number[] = [];
  for (let i = 1; i <= blocks; i++) {
    await market.mine(1);
    const has = async (): Promise<boolean> => (await running.count()) === stored + i * perBlock;
    delays.push(await until('a new block is answered', 2, has));
    await pause(200 + (i % 10) * 13);
  }
  return delays;
}

/** From the node's answer that the newest blocks are empty ones now to the first answer without their swaps. */
async function reorganisationsOf(
  running: Running,
  { market, perBlock, reorganisations }: Plan,
  stored: number,
): Promise<number[]> {
  const times: number[] = [];
  const has = (swaps: number) => async (): Promise<boolean> => (await running.count()) === swaps;
  for (let i = 0; i < reorganisations; i++) {
    await market.mine(DEPTH);
    await until('the blocks are answered', 5, has(stored + DEPTH * perBlock));
    await pause(300);
    await market.reorganise(DEPTH);
    times.push(await until('the reorganisation is answered', 2, has(stored)));
  }
  return times;
}

/** MB of the files in a folder. */
const diskOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0) / 1e6;

/** Waits until something holds, looking every few milliseconds. Shape: milliseconds. Errors: after ten minutes. */
async function until(what: string, every: number, holds: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  while (!(await holds())) {
    if (performance.now() - begun > 600_000) throw new Error(`Waited for ten minutes until ${what}.`);
    await pause(every);
  }
  return performance.now() - begun;
}
