import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Market } from './market.ts';
import type { SwapRow } from './tally.ts';

/** An indexer that reads the market. */
export interface Contestant {
  readonly name: string;
  /** What it leaves out, which the report says. */
  readonly note?: string;
  /** Starts it in an empty folder. `to` is the last block, of one that ends there. */
  readonly start: (market: Market, at: { readonly folder: string; readonly to: number }) => Running | Promise<Running>;
  /** Whether it goes on with the newest blocks, which may still change. */
  readonly follows: boolean;
}

export interface Running {
  /** Swaps that it answers; `undefined` if it does not answer yet. */
  readonly count: () => Promise<number | undefined>;
  /** Whether all else that it has to tell is up to date with the swaps. */
  readonly isComplete: () => Promise<boolean>;
  readonly rows: () => Promise<readonly SwapRow[]>;
  /** The most memory that it has taken, in MB. */
  readonly memory: () => number;
  readonly stop: () => Promise<void>;
}

/** A program of its own, which is ended with the signal of Ctrl-C. */
export interface Program {
  readonly child: ChildProcess;
  readonly memory: () => number;
  readonly stop: () => Promise<void>;
}

export function startProgram(
  args: readonly string[],
  { cwd, env, log }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly log: (text: string) => void },
): Program {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-100_000);
      log(said);
    });
  const ended = once(child, 'exit');
  let isWanted = true;
  child.on('exit', (code) => {
    if (isWanted && code !== 0) console.error(`${args.join(' ')} ended with ${code}:\n${said.slice(-3000)}`);
  });
  return {
    child,
    memory: () => {
      const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return (Number(kilobytes) * 1024) / 1e6;
    },
    stop: async () => {
      isWanted = false;
      child.kill('SIGINT');
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** The JSON that a server answers, `undefined` if it is not there or not ready. Errors: if it refuses the question. */
export async function answerOf<T>(url: string, init?: RequestInit): Promise<T | undefined> {
  const response = await fetch(url, init).catch(() => undefined);
  if (response === undefined || response.status >= 500 || response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}
