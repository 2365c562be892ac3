import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { bundled } from '../../../test/support/bundle.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

const cli = await bundled('packages/cli/src/bin.ts');

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** Runs a TypeScript program of the repository as a process of its own. */
export async function runProgram(path: string): Promise<Ended> {
  return start([await bundled(path)]).ended;
}

function start(args: readonly string[], { cwd = root, env = {}, input = '' }: RunOptions = {}): Started {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NO_COLOR: '1', TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'), ...env },
  });
  child.stdin.end(input);
  const exit = new Promise<Pick<Ended, 'code' | 'signal'>>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  );
  const ended = Promise.all([exit, text(child.stdout), text(child.stderr)]).then(([how, stdout, stderr]) => ({
    ...how,
    stdout,
    stderr,
  }));
  return { child, ended };
}

export function startCli(args: readonly string[], options?: RunOptions): Started {
  return start([cli, ...args], options);
}

export async function runCli(args: readonly string[], options?: RunOptions): Promise<Ended> {
  return startCli(args, options).ended;
}

/** Runs commands one after the other in one process: a process each would take a second. */
export async function runMany(
  commands: readonly (readonly string[])[],
  options: RunOptions = {},
): Promise<
  readonly (Pick<Ended, 'stderr'> & { readonly code: number; readonly stdout: string; readonly bytes: Buffer })[]
> {
  const { stdout } = await start([await bundled('packages/cli/test/many-commands.ts')], {
    ...options,
    input: JSON.stringify(commands),
  }).ended;
  const ended = JSON.parse(stdout) as readonly { code: number; stdout: string; stderr: string }[];
  return ended.map(({ code, stdout: text, stderr }) => {
    const bytes = Buffer.from(text, 'latin1');
    return { code, stderr, bytes, stdout: bytes.toString('utf8') };
  });
}

/** A folder that lasts as long as the test file, with the paths of files in it. */
export async function temporaryFolder(after: (clean: () => Promise<void>) => void): Promise<(name: string) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-cli-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}
