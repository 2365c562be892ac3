import { setTimeout as pass } from 'node:timers/promises';

/** Times of the runs of one thing, milliseconds. */
export interface Times {
  readonly median: number;
  readonly quartiles: readonly [low: number, high: number];
  readonly p99: number;
  readonly runs: number;
}

/** Two ways to the same answer. Run `i` of either is asked the same question. */
export interface Pair {
  readonly ours: (i: number) => Promise<unknown>;
  readonly baseline: (i: number) => Promise<unknown>;
  /** Throws where the answers differ. */
  readonly check: (ours: unknown, baseline: unknown, i: number) => void;
}

/** Rounds before the first that is timed, which is the round of this number; the answers of each are compared. */
export const WARM_UP = 20;

/**
 * Times a pair in turns, ours first in one round and last in the next, until `runs` rounds or `seconds` are over.
 * A pair is checked before it is timed, over several questions.
 */
export async function timePair(
  pair: Pair,
  { runs, seconds }: { runs: number; seconds: number },
): Promise<{ ours: Times; baseline: Times }> {
  let deadline = performance.now() + seconds * 500;
  for (let i = 0; i < Math.min(WARM_UP, runs) && (i < 2 || performance.now() < deadline); i++)
    pair.check(await pair.ours(i), await pair.baseline(i), i);
  const times: { ours: number[]; baseline: number[] } = { ours: [], baseline: [] };
  deadline = performance.now() + seconds * 1000;
  for (let i = 0; i < runs && (i < 5 || performance.now() < deadline); i++) {
    for (const side of i % 2 === 0 ? (['ours', 'baseline'] as const) : (['baseline', 'ours'] as const)) {
      const start = performance.now();
      await pair[side](i + WARM_UP);
      times[side].push(performance.now() - start);
    }
  }
  return { ours: summary(times.ours), baseline: summary(times.baseline) };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function summary(times: readonly number[]): Times {
  const at = (part: number): number => quantile(times, part);
  return { median: at(0.5), quartiles: [at(0.25), at(0.75)], p99: at(0.99), runs: times.length };
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

/** A process that works less than this part of a core has come to rest: its event loop, and the engine's threads. */
const REST = 0.1;

/** How long it has to, ms. */
const QUIET = 250;

/** Waits until what questions have set going in the background is done; two minutes at most. */
export async function atRest(): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    const before = process.cpuUsage();
    await pass(QUIET);
    const { user, system } = process.cpuUsage(before);
    if (user + system < REST * QUIET * 1000) return;
  }
}
