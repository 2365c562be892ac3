/**
 * Asks one version of the library, and loads nothing else: neither another engine nor the plain tables. Which modules a process has loaded
 * before is worth a third of what a loop over plain arrays takes. Started by `bench/versions.ts`.
 */
import { type Call, callsTo } from '../questions/calls.ts';
import type { Samples } from '../samples.ts';
import { atRest, summary, type Times, timed, WARM_UP } from '../timing.ts';
import { openVersion, type VersionStore } from './load.ts';

/** What is asked of one version in one process. */
export interface Asking extends VersionStore {
  readonly samples: Samples;
  readonly runs: number;
}

export interface Asked {
  readonly times: Readonly<Record<string, Times>>;
  /** The first answers to each question, to be compared. */
  readonly answers: Readonly<Record<string, readonly unknown[]>>;
}

const COMPARED = 5;

process.once('message', async (asking: Asking) => {
  process.send!(await ask(asking), () => process.disconnect());
});

async function ask({ version, engine, store, samples, runs }: Asking): Promise<Asked> {
  const dex = await openVersion({ version, engine, store });
  const times: Record<string, Times> = {};
  const answers: Record<string, unknown[]> = {};
  for (const [name, call] of Object.entries(callsTo(dex, samples) as Record<string, Call>)) {
    answers[name] = [];
    for (let i = 0; i < COMPARED; i++) answers[name].push(await call(i));
    // The first search has the stored profiles read in the background.
    await atRest();
    for (let i = 0; i < WARM_UP; i++) await call(i);
    const each: number[] = [];
    for (let i = 0; i < runs; i++) each.push(await timed(() => call(i + WARM_UP)));
    times[name] = summary(each);
  }
  await dex.close();
  return { times, answers };
}
