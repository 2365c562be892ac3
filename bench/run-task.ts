import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { TaskName, tasks } from './tasks.ts';

type Input<N extends TaskName> = Parameters<(typeof tasks)[N]>[0];
type Result<N extends TaskName> = Awaited<ReturnType<(typeof tasks)[N]>>;

interface Answer<R> {
  readonly result: R;
  /** Most memory that the process held, megabytes. */
  readonly memory: number;
  /** Processor time that it took, on all cores, milliseconds. */
  readonly processor: number;
}

/** Runs a task in a process of its own. */
export async function runTask<N extends TaskName>(name: N, input: Input<N>): Promise<Answer<Result<N>>> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'child.ts'), {
      execArgv: ['--import', 'tsx', '--max-old-space-size=8192'],
      serialization: 'advanced',
      // The command line reports there; what it says is not part of the table.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr!.on('data', (text: Buffer) => {
      said = (said + text.toString()).slice(-4000);
    });
    let answer: Answer<Result<N>> | undefined;
    child.once('message', (message) => {
      answer = message as typeof answer;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (answer !== undefined) resolve(answer);
      else reject(new Error(`The task "${name}" ended with code ${code}:\n${said}`));
    });
    child.send({ name, input });
  });
}
