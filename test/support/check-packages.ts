import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { unexportedTypes } from './unexported.ts';

/**
 * Holds the built packages to what publint and arethetypeswrong accept, to hold README and LICENSE, and to export the types that their
 * signatures name. Run after `npm run build`.
 */
const root = resolve(import.meta.dirname, '../..');
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };

/** What is wrong with one package, and what was looked at. */
async function checkPackage(name: string): Promise<{ readonly lines: string[]; readonly failed: number }> {
  const folder = `packages/${name}`;
  const lines: string[] = [];
  let failed = 0;
  const say = (isFine: boolean, what: string, ...more: string[]): void => {
    lines.push(isFine ? `ok  ${what}` : `FAILED  ${what}`, ...(isFine ? [] : more));
    if (!isFine) failed++;
  };
  for (const [program, ...args] of [
    ['publint', 'run', folder, '--strict'],
    ['attw', '--pack', folder, '--profile', 'esm-only'],
  ] as const) {
    const { code, output } = await run(join(root, 'node_modules/.bin', program), args, root);
    say(code === 0, [program, ...args].join(' '), output);
  }
  const missing = await missingFiles(folder);
  say(missing.length === 0, `npm pack ${folder}`, ...missing.map((path) => `  no ${path}`));
  const unexported = unexportedTypes(
    join(root, folder, 'dist'),
    ['index.d.ts', 'host.d.ts', 'engine.d.ts'].filter((door) => existsSync(join(root, folder, 'dist', door))),
  );
  say(unexported.length === 0, `types of ${folder}`, ...unexported.map((line) => `  not exported: ${line}`));
  return { lines, failed };
}

/** What every package has to hold, and the packed one does not. */
async function missingFiles(folder: string): Promise<string[]> {
  const { output } = await run('npm', ['pack', '--dry-run', '--json'], join(root, folder));
  const [{ files }] = JSON.parse(output) as [{ files: readonly { readonly path: string }[] }];
  const held = new Set(files.map(({ path }) => path));
  return ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts'].filter((path) => !held.has(path));
}

async function run(program: string, args: readonly string[], cwd: string): Promise<{ code: unknown; output: string }> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, output: code === 0 ? output : output + errors };
}

const waiting = workspaces.map((folder) => basename(folder));
let failed = 0;
// Two at a time: most of it is programs that start.
await Promise.all(
  [1, 2].map(async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const checked = await checkPackage(name);
      console.log(checked.lines.join('\n'));
      failed += checked.failed;
    }
  }),
);
process.exitCode = failed === 0 ? 0 : 1;
