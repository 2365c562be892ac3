import { existsSync } from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';

/** How a process was started. */
interface Started {
  /** The path of its program, as it was given. */
  readonly program: string;
  /** The folder that it runs in. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The words that start this program again where its user is, to be put before a command: `npx swapfold`, `swapfold`, or a call of Node.
 *
 * npm runs a script in the folder of its package, and notes in INIT_CWD where it was called.
 */
export function ownCommand({ program, cwd, env }: Started): string {
  const here = env.INIT_CWD ?? cwd;
  const isBinary = /[\\/]\.bin[\\/]swapfold$/.test(program);
  if (isBinary && existsSync(join(here, 'node_modules', '.bin', 'swapfold'))) return 'npx swapfold';
  const folders = (env.PATH ?? '').split(delimiter).map((folder) => resolve(folder));
  if (/[\\/]swapfold$/.test(program) && env.npm_command === undefined && folders.includes(dirname(program)))
    return 'swapfold';
  return `node ${program.endsWith('.ts') ? '--import tsx ' : ''}${quoted(relative(here, program) || program)}`;
}

/** As `ownCommand`, of this process. */
export const thisCommand = (): string =>
  ownCommand({ program: process.argv[1]!, cwd: process.cwd(), env: process.env });

/** A path as it stands in a command of where the user is. */
export function pathFrom(path: string, { cwd, env }: Omit<Started, 'program'>): string {
  return quoted(env.INIT_CWD === undefined ? path : relative(env.INIT_CWD, resolve(cwd, path)));
}

const quoted = (path: string): string => (/^[\w./\\:@-]+$/.test(path) ? path : `'${path}'`);
