import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** One call of JSON-RPC. */
export type Call = readonly [method: string, params: readonly unknown[]];

/** A chain in a process of its own, which mines when it is told to. */
export interface Anvil {
  readonly url: string;
  /** Calls one method. Throws what the node answers as an error. */
  readonly call: <T = string>(method: string, ...params: readonly unknown[]) => Promise<T>;
  /** Calls many at once, answered in their order. */
  readonly batch: <T = string>(calls: readonly Call[]) => Promise<T[]>;
  readonly stop: () => Promise<void>;
}

const require = createRequire(import.meta.url);

/** Where the program is: the package of this system holds it. */
function anvilPath(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const system = process.platform === 'win32' ? 'win32' : process.platform;
  const name = `@foundry-rs/anvil-${system}-${arch}`;
  return join(dirname(require.resolve(`${name}/package.json`)), 'bin', system === 'win32' ? 'anvil.exe' : 'anvil');
}

/** Starts a chain on a free port. `args` are those of anvil, such as `--timestamp`; `accounts` those that it signs for. */
export async function startAnvil(args: readonly string[] = [], accounts = 20): Promise<Anvil> {
  const fixed = ['--port', '0', '--no-mining', '--gas-limit', '1000000000', '--order', 'fifo', '--accounts'];
  const child = spawn(anvilPath(), [...fixed, String(accounts), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const port = /Listening on [^:]+:(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
    });
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${text}`)));
    child.once('error', reject);
  });
  child.stdout.removeAllListeners('data');
  child.stdout.resume();
  const node = rpcOf(url);
  return {
    ...node,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

interface Answer<T> {
  readonly id: number;
  readonly result?: T;
  readonly error?: { readonly message: string };
}

/** Calls of a node by its address, without any library. */
export function rpcOf(url: string): Omit<Anvil, 'stop'> {
  const batch = async <T>(calls: readonly Call[]): Promise<T[]> => {
    if (calls.length === 0) return [];
    const body = JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })));
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answers = (await response.json()) as Answer<T>[];
    const results = new Array<T>(calls.length);
    for (const { id, result, error } of answers) {
      if (error !== undefined) throw new Error(`${calls[id]![0]}: ${error.message}`);
      results[id] = result as T;
    }
    return results;
  };
  return {
    url,
    batch,
    call: async <T>(method: string, ...params: readonly unknown[]) => (await batch<T>([[method, params]]))[0]!,
  };
}
