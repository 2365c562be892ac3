import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withSourceMaps, withTests } from './bundle.ts';

/**
 * Prints what each test file costs: seconds of processor time with all its processes, and of the clock, the slowest first.
 * Standard error has each as it ends. `npm run test:times` measures every file, one at a time; `npm run test:times -- test/store.test.ts` those that are named.
 */
interface Cost {
  readonly file: string;
  readonly processor: number;
  readonly clock: number;
  readonly hasPassed: boolean;
}

const root = resolve(import.meta.dirname, '../..');

/** Every test file of `npm test` and of `npm run test:clickhouse`. */
function testFiles(): string[] {
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/test`);
  return [...packages, 'packages/clickhouse/test/engine', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name}`),
  );
}

/** The shell counts what its children, and theirs, took of the processor. */
function costOf(file: string, path: string): Cost {
  const begun = performance.now();
  const test = [process.execPath, ...withSourceMaps, '--test', path];
  const run = spawnSync('sh', ['-c', '"$@" > /dev/null 2>&1; echo $?; times', 'sh', ...test], {
    cwd: root,
    encoding: 'utf8',
  });
  const [code, , children = ''] = run.stdout.split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, seconds]) => +minutes! * 60 + +seconds!);
  const processor = parts.reduce((sum, part) => sum + part, 0);
  const clock = (performance.now() - begun) / 1000;
  console.error(`${processor.toFixed(2)} s of processor, ${clock.toFixed(1)} s: ${file}`);
  return { file, processor, clock, hasPassed: code === '0' };
}

const given = process.argv.slice(2);
const files = given.length > 0 ? given : testFiles();
const costs = await withTests(files, (paths) => files.map((file, number) => costOf(file, paths[number]!)));
costs.sort((a, b) => b.processor - a.processor);
const line = (processor: number, clock: number, what: string): string =>
  `${processor.toFixed(2).padStart(9)}  ${clock.toFixed(1).padStart(7)}  ${what}`;
const sum = (of: 'processor' | 'clock'): number => costs.reduce((total, cost) => total + cost[of], 0);

console.log('processor    clock');
for (const { file, processor, clock, hasPassed } of costs)
  console.log(line(processor, clock, hasPassed ? file : `${file} FAILED`));
console.log(line(sum('processor'), sum('clock'), `${costs.length} files`));
process.exitCode = costs.every(({ hasPassed }) => hasPassed) ? 0 : 1;
