import { fork } from 'node:child_process';
import { resolve } from 'node:path';
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

/** The checkout whose benchmark and library run the tasks. */
let version = resolve(import.meta.dirname, '..');
let isShared = false;
/** The process that runs all tasks, where they share one. */
let shared: Child | undefined;

/** From now on one process runs all tasks: half of a small benchmark is the start of processes. Its memory is then that of all tasks before. */
export function shareProcess(): void {
  isShared = true;
}

/** From now on the benchmark of another checkout runs the tasks, over the packages that are built there. */
export function useVersion(folder: string): void {
  endTasks();
  version = resolve(folder);
}

/** Runs a task in a process of its own, so that its memory is its own, or in the one that all share. */
export async function runTask<N extends TaskName>(name: N, input: Input<N>): Promise<Answer<Result<N>>> {
  const child = shared ?? new Child();
  if (isShared) shared = child;
  try {
    return (await child.run(name, input)) as Answer<Result<N>>;
  } finally {
    if (child !== shared) child.end();
  }
}

/** Ends what is kept for further tasks. */
export function endTasks(): void {
  shared?.end();
  shared = undefined;
}

class Child {
  #said = '';
  readonly #process = fork(resolve(version, 'bench/child.ts'), {
    cwd: version,
    execArgv: [...process.execArgv, '--max-old-space-size=8192'],
    serialization: 'advanced',
    // The command line reports there; what it says is not part of the table.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });

  constructor() {
    this.#process.stderr!.on('data', (text: Buffer) => {
      this.#said = (this.#said + text.toString()).slice(-4000);
    });
  }

  run(name: TaskName, input: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const end = (error?: Error | number | null): void => {
        this.#process.off('message', answer).off('error', end).off('close', end);
        if (error instanceof Error) reject(error);
        else reject(new Error(`The task "${name}" ended with code ${error}:\n${this.#said}`));
      };
      const answer = (message: unknown): void => {
        resolve(message);
        end();
      };
      this.#process.on('message', answer).on('error', end).on('close', end);
      this.#process.send({ name, input });
    });
  }

  end(): void {
    if (this.#process.connected) this.#process.disconnect();
  }
}
