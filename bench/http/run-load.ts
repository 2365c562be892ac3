import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Load, StreamResult } from './load.ts';

/** One process for all loads of this one; it ends with it, or by `endLoads`. */
let generator: ChildProcess | undefined;

/** Runs a load in another process, one at a time. Errors: where an answer was not 200. */
export async function runLoad(load: Load): Promise<StreamResult[]> {
  generator ??= fork(join(import.meta.dirname, 'load.ts'), { execArgv: ['--import', 'tsx'] });
  const child = generator;
  const results = await new Promise<StreamResult[]>((resolve, reject) => {
    const ended = (code: number | null): void => reject(new Error(`The load generator ended with code ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as StreamResult[]);
    });
    child.send(load);
  });
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  if (failed > 0) throw new Error(`${failed} answers were not 200`);
  return results;
}

/** Ends that process and waits for it: only then does its processor time count as ours (`disturbance.ts`). */
export async function endLoads(): Promise<void> {
  const child = generator;
  generator = undefined;
  if (child === undefined || child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
