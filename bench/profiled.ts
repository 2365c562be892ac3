import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { traceStatements } from './statements.ts';

/** Names the folder of the profiles to the processes of the tasks; unset, nothing is profiled. */
export const PROFILE_VARIABLE = 'SWAPFOLD_BENCH_PROFILE';

/** Microseconds between two looks at the calling thread: an import of minutes stays a file that can be read. */
const INTERVAL = 1000;

/** Calls of a question under a profile. */
const CALLS = 100;

export function isProfiling(): boolean {
  return process.env[PROFILE_VARIABLE] !== undefined;
}

/**
 * Does the work and, where profiles are wanted, writes what the calling thread did meanwhile, for `bench/profile.ts`, and beside it as text
 * what the statements of the engine took.
 */
export async function profiled<R>(name: string, work: () => Promise<R>): Promise<R> {
  const folder = process.env[PROFILE_VARIABLE];
  if (folder === undefined) return work();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  await session.post('Profiler.start');
  const statements = traceStatements();
  try {
    return await work();
  } finally {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    mkdirSync(folder, { recursive: true });
    const file = join(folder, name.replace(/\W+/g, '-'));
    writeFileSync(`${file}.cpuprofile`, JSON.stringify(profile));
    writeFileSync(`${file}.statements.txt`, statements.stop());
  }
}

/** Where profiles are wanted, asks again and again under one: what is short is seen only in many. */
export async function profileCalls(name: string, call: (i: number) => Promise<unknown>): Promise<void> {
  if (!isProfiling()) return;
  await profiled(name, async () => {
    for (let i = 0; i < CALLS; i++) await call(i);
  });
}
