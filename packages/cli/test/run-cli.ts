import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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

const environment = (env: RunOptions['env'] = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  NO_COLOR: '1',
  TSX_TSCONFIG_PATH: join(root, 'tsconfig.json'),
  ...env,
});

function start(args: readonly string[], { cwd = root, env = {}, input = '' }: RunOptions = {}): Started {
  const child = spawn(process.execPath, args, {
    cwd,
    env: environment(env),
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

/**
 * Runs a command to its end. Those of one test file run one after the other in one process, for to start one takes a third of a second;
 * a command with an input of its own, or that is to be killed, needs its own process.
 */
export async function runCli(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  if (options.input !== undefined) return startCli(args, options).ended;
  const [{ code, stdout, stderr }] = (await runMany([args], options)) as [Command];
  return { code, signal: null, stdout, stderr };
}

interface Command {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

/** Runs commands one after the other in the process of `runCli`. */
export async function runMany(
  commands: readonly (readonly string[])[],
  options: Omit<RunOptions, 'input'> = {},
): Promise<readonly Command[]> {
  runner ??= new Runner(await bundled('packages/cli/test/many-commands.ts'));
  return runner.run(commands, { cwd: root, ...options });
}

let runner: Runner | undefined;

/** A process that runs the commands that it is sent. It ends with this one, and does not keep this one from its end. */
class Runner {
  readonly #child: ChildProcess;
  readonly #ended: Promise<readonly [number | null, NodeJS.Signals | null]>;
  #before: Promise<unknown> = Promise.resolve();

  constructor(program: string) {
    this.#child = spawn(process.execPath, [program], {
      cwd: root,
      env: environment(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    this.#ended = once(this.#child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    this.#child.unref();
    this.#child.channel?.unref();
  }

  run(commands: readonly (readonly string[])[], options: RunOptions): Promise<readonly Command[]> {
    const answer = this.#before.then(() => this.#send(commands, options));
    this.#before = answer.catch(() => undefined);
    return answer;
  }

  async #send(commands: readonly (readonly string[])[], options: RunOptions): Promise<readonly Command[]> {
    this.#child.channel?.ref();
    try {
      const answered = once(this.#child, 'message');
      this.#child.send({ commands, ...options });
      const ended = this.#ended.then(([code, signal]) => {
        throw new Error(`The process of commands ended (${code ?? signal}) in ${JSON.stringify(commands)}`);
      });
      const [answers] = (await Promise.race([answered, ended])) as [readonly Omit<Command, 'stdout'>[]];
      return answers.map((answer) => ({ ...answer, stdout: answer.bytes.toString('utf8') }));
    } finally {
      this.#child.channel?.unref();
    }
  }
}

/** A folder that lasts as long as the test file, with the paths of files in it. */
export async function temporaryFolder(after: (clean: () => Promise<void>) => void): Promise<(name: string) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-cli-'));
  after(() => rm(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}
