// Runs the commands of each message, one after the other in this process, and answers with what each wrote and ended with.
import { chdir } from 'node:process';
import { main } from '../src/main.ts';

interface Message {
  readonly commands: readonly (readonly string[])[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

type Write = typeof process.stdout.write;

/** What a stream does with a piece: keeps it for the answer. */
function collect(pieces: Buffer[]): Write {
  return ((piece: string | Uint8Array, encoding?: BufferEncoding | (() => void), done?: () => void) => {
    pieces.push(
      typeof piece === 'string'
        ? Buffer.from(piece, typeof encoding === 'string' ? encoding : 'utf8')
        : Buffer.from(piece),
    );
    const written = typeof encoding === 'function' ? encoding : done;
    if (written !== undefined) setImmediate(written);
    return true;
  }) as Write;
}

async function run(args: readonly string[]) {
  const out: Buffer[] = [];
  const errors: Buffer[] = [];
  process.stdout.write = collect(out);
  process.stderr.write = collect(errors);
  const code = await main([...args]);
  return { code, bytes: Buffer.concat(out), stderr: Buffer.concat(errors).toString('utf8') };
}

process.on('message', async ({ commands, cwd, env = {} }: Message) => {
  const before = { ...process.env };
  chdir(cwd);
  Object.assign(process.env, env);
  const answers = [];
  for (const args of commands) answers.push(await run(args));
  for (const name of Object.keys(env)) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  process.send!(answers);
});
process.on('disconnect', () => process.exit());
