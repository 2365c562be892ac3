import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** A program that prints "ready", and then what it does, until it is killed. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  /** What it has printed. */
  readonly text: () => string;
}

/** Starts a module with arguments, and waits until it is ready. */
export async function start(program: string, ...args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  while (!text.includes('ready')) {
    await Promise.race([once(child.stdout, 'data'), ended]);
    assert.equal(child.exitCode, null, 'the process has ended by itself');
  }
  return { child, ended, text: () => text };
}

export async function kill({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

/** How often it has printed a line that begins so. */
export const told = ({ text }: Running, line: string): number => text().split(`\n${line}`).length - 1;

/** Waits until it has printed such a line again, for so many milliseconds at most. */
export async function untilTold(running: Running, line: string, most: number): Promise<void> {
  const before = told(running, line);
  const isLate = AbortSignal.timeout(most);
  while (told(running, line) === before && !isLate.aborted)
    await once(running.child.stdout!, 'data', { signal: isLate }).catch(() => undefined);
}

/** Numbers from 0 to 1 that a seed decides. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
