/**
 * What a thread did while it was profiled: `node --import tsx bench/profile.ts FILE...`, of the files that `--profile FOLDER` leaves.
 * Waiting is time for which the thread had nothing to do, most of it until the engine answered.
 */
import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { basename } from 'node:path';

/** Functions shown of a profile. */
const MOST = 25;
const WAITING = '(idle)';

for (const file of process.argv.slice(2)) tell(file, JSON.parse(readFileSync(file, 'utf8')) as Profiler.Profile);

function tell(file: string, { nodes, samples = [], timeDeltas = [] }: Profiler.Profile): void {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  // What an addon does has no name: it goes by who called it. Callers stand before those that they call.
  for (const { id, children = [] } of nodes)
    for (const child of children) if (names.get(child) === '') names.set(child, `within ${names.get(id)}`);
  const times = new Map<string, number>();
  let total = 0;
  for (const [i, id] of samples.entries()) {
    const name = names.get(id)!;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[i]!);
    total += timeDeltas[i]!;
  }
  const waited = times.get(WAITING) ?? 0;
  times.delete(WAITING);
  console.log(`\n${basename(file)}: ${seconds(total)}, ${share(waited, total)} of it waiting`);
  for (const [name, time] of [...times].sort((a, b) => b[1] - a[1]).slice(0, MOST))
    console.log(`${seconds(time).padStart(10)} ${share(time, total).padStart(7)}  ${name}`);
}

function nameOf({ functionName, url, lineNumber }: Profiler.Profile['nodes'][number]['callFrame']): string {
  if (url === '') return functionName;
  return `${functionName || 'a function'} (${url.split('/').slice(-2).join('/')}:${lineNumber + 1})`;
}

function seconds(microseconds: number): string {
  return `${(microseconds / 1e6).toFixed(3)} s`;
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
