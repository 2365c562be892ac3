import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { unexportedTypes } from './unexported.ts';

/**
 * Holds the built packages to what publint and arethetypeswrong accept, to hold README and LICENSE, and to export the types that their
 * signatures name. Run after `npm run build`.
 */
const packages = [
  'core',
  'sql',
  'testing',
  'sqlite',
  'duckdb',
  'clickhouse',
  'client',
  'server',
  'mcp',
  'explorer',
  'chain',
  'evm',
  'files',
  'solana',
  'cli',
];
const root = resolve(import.meta.dirname, '../..');
let failed = 0;

for (const name of packages) {
  const folder = `packages/${name}`;
  for (const command of [
    ['publint', 'run', folder, '--strict'],
    ['attw', '--pack', folder, '--profile', 'esm-only'],
  ]) {
    const [program, ...args] = command as [string, ...string[]];
    const run = spawnSync(join(root, 'node_modules/.bin', program), args, { cwd: root, encoding: 'utf8' });
    const isFine = run.status === 0;
    console.log(`${isFine ? 'ok' : 'FAILED'}  ${command.join(' ')}`);
    if (isFine) continue;
    failed++;
    console.log(run.stdout, run.stderr);
  }
  const missing = missingFiles(folder);
  console.log(missing.length === 0 ? `ok  npm pack ${folder}` : `FAILED  npm pack ${folder}: no ${missing.join(', ')}`);
  const unexported = unexportedTypes(
    join(root, folder, 'dist'),
    ['index.d.ts', 'engine.d.ts'].filter((door) => existsSync(join(root, folder, 'dist', door))),
  );
  console.log(
    unexported.length === 0 ? `ok  types of ${folder}` : `FAILED  types of ${folder}, which it does not export:`,
  );
  for (const line of unexported) console.log(`  ${line}`);
  failed += missing.length + unexported.length;
}
/** What every package has to hold, and the packed one does not. */
function missingFiles(folder: string): string[] {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: join(root, folder), encoding: 'utf8' });
  const [{ files }] = JSON.parse(packed) as [{ files: readonly { readonly path: string }[] }];
  const held = new Set(files.map(({ path }) => path));
  return ['package.json', 'README.md', 'LICENSE', 'dist/index.js', 'dist/index.d.ts'].filter((path) => !held.has(path));
}

process.exitCode = failed === 0 ? 0 : 1;
