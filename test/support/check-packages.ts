import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { unexportedTypes } from './unexported.ts';

/**
 * Holds the built packages to what publint and arethetypeswrong accept, to hold README and LICENSE, and to export the types that their
 * signatures name. Run after `npm run build`.
 */
const root = resolve(import.meta.dirname, '../..');
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };

/** A package as it would be published. */
interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs all packages at once into a folder: each start of npm takes as long as a check. */
async function packAll(to: string): Promise<readonly Packed[]> {
  const { code, output } = await run('npm', ['pack', '--workspaces', '--json', '--pack-destination', to], root);
  if (code !== 0) throw new Error(output);
  return JSON.parse(output) as readonly Packed[];
}

/** What is wrong with one package, and what was looked at. */
async function checkPackage(
  name: string,
  { filename, files }: Packed,
): Promise<{ readonly lines: string[]; readonly failed: number }> {
  const folder = `packages/${name}`;
  const lines: string[] = [];
  let failed = 0;
  const say = (isFine: boolean, what: string, ...more: string[]): void => {
    lines.push(isFine ? `ok  ${what}` : `FAILED  ${what}`, ...(isFine ? [] : more));
    if (!isFine) failed++;
  };
  for (const [program, ...args] of [
    ['publint', 'run', join(packs, filename), '--strict'],
    ['attw', join(packs, filename), '--profile', 'esm-only'],
  ] as const) {
    const { code, output } = await run(join(root, 'node_modules/.bin', program), args, root);
    say(code === 0, [program, ...args].join(' '), output);
  }
  const held = new Set(files.map(({ path }) => path));
  const missing = needed.filter((path) => !held.has(path));
  say(missing.length === 0, `npm pack ${folder}`, ...missing.map((path) => `  no ${path}`));
  const unexported = unexportedTypes(
    join(root, folder, 'dist'),
    ['index.d.ts', 'host.d.ts', 'engine.d.ts'].filter((door) => existsSync(join(root, folder, 'dist', door))),
  );
  say(unexported.length === 0, `types of ${folder}`, ...unexported.map((line) => `  not exported: ${line}`));
  return { lines, failed };
}

/** What every package has to hold. */
const needed = ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts'];

async function run(program: string, args: readonly string[], cwd: string): Promise<{ code: unknown; output: string }> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output: code === 0 ? output : output + errors };
}

const packs = await mkdtemp(join(tmpdir(), 'swapfold-packs-'));
let failed = 0;
try {
  const packed = await packAll(packs);
  if (packed.length !== workspaces.length)
    throw new Error(`npm packed ${packed.length} of ${workspaces.length} packages.`);
  const waiting = workspaces.map((folder, i) => [basename(folder), packed[i]!] as const);
  // Two at a time: most of it is programs that start.
  await Promise.all(
    [1, 2].map(async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const checked = await checkPackage(...next);
        console.log(checked.lines.join('\n'));
        failed += checked.failed;
      }
    }),
  );
} finally {
  await rm(packs, { recursive: true });
}
process.exitCode = failed === 0 ? 0 : 1;
