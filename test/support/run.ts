import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundled, withSourceMaps, withTests } from './bundle.ts';
import { longFiles } from './long-files.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    log: { type: 'string', default: '.swapfold-tests.log' },
    part: { type: 'string', default: 'all' },
  },
});

/** The files of the part that is asked for: the long ones, the others, or all, the long ones first: the last to end is a short one then. */
const files = [true, false]
  .filter((isLong) => values.part === 'all' || (values.part === 'long') === isLong)
  .flatMap((isLong) => positionals.filter((file) => longFiles.has(file) === isLong));

/**
 * Runs the test files that are named, two at a time, from one bundle: `npm test`. Compiled and loaded one by one, the sources would take
 * a second of the processor for each file. Prints a summary; `--log FILE` gets what every test said. `--part quick` leaves out the long
 * files, `--part long` all others. One file alone also runs by `node --import tsx --test FILE`.
 */
process.exitCode = await withTests(files, async (paths) => {
  const reporters = [
    ['spec', resolve(values.log)],
    [await bundled('test/support/summary.ts'), 'stdout'],
  ].flatMap(([reporter, to]) => [`--test-reporter=${reporter}`, `--test-reporter-destination=${to}`]);
  const child = spawn(process.execPath, [...withSourceMaps, '--test', '--test-concurrency=2', ...reporters, ...paths], {
    stdio: 'inherit',
    env: { ...process.env, SWAPFOLD_TEST_LOG: values.log },
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return (code as number | null) ?? 1;
});
