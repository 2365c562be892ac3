import { mkdirSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';

/** Names the folder of the profiles to the processes of the tasks; unset, nothing is profiled. */
export const PROFILE_VARIABLE = 'SWAPFOLD_BENCH_PROFILE';

/** Microseconds between two looks at the calling thread: an import of minutes stays a file that can be read. */
const INTERVAL = 1000;

/** Calls of a question under a profile. */
const CALLS = 100;

export function isProfiling(): boolean {
  return process.env[PROFILE_VARIABLE] !== undefined;
}

/** Does the work and, where profiles are wanted, writes what the calling thread did meanwhile, for `bench/profile.ts`. */
export async function profiled<R>(name: string, work: () => Promise<R>): Promise<R> {
  const folder = process.env[PROFILE_VARIABLE];
  if (folder === undefined) return work();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL });
  await session.post('Profiler.start');
  try {
    return await work();
  } finally {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${name.replace(/\W+/g, '-')}.cpuprofile`), JSON.stringify(profile));
  }
}

/** Where profiles are wanted, asks again and again under one: what is short is seen only in many. */
export async function profileCalls(name: string, call: (i: number) => Promise<unknown>): Promise<void> {
  if (!isProfiling()) return;
  await profiled(name, async () => {
    for (let i = 0; i < CALLS; i++) await call(i);
  });
}
