import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Load, StreamResult } from './load.ts';

/** Runs a load in another process. Errors: where an answer was not 200. */
export async function runLoad(load: Load): Promise<StreamResult[]> {
  const child = fork(join(import.meta.dirname, 'load.ts'), { execArgv: ['--import', 'tsx'] });
  const results = await new Promise<StreamResult[]>((resolve, reject) => {
    child.once('message', (message) => resolve(message as StreamResult[]));
    child.once('exit', (code) => reject(new Error(`The load generator ended with code ${code}`)));
    child.send(load);
  });
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  if (failed > 0) throw new Error(`${failed} answers were not 200`);
  return results;
}
