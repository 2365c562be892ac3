import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withSourceMaps, withTests } from './bundle.ts';

/**
 * Runs the test files that are named, two at a time, from one bundle: `npm test`. Compiled and loaded one by one, the sources would take
 * a second of the processor for each file. One file alone also runs by `node --import tsx --test FILE`.
 */
process.exitCode = await withTests(process.argv.slice(2), async (paths) => {
  const child = spawn(process.execPath, [...withSourceMaps, '--test', '--test-concurrency=2', ...paths], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  return (code as number | null) ?? 1;
});
