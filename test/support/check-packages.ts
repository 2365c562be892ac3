import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** Holds the built packages to what publint and arethetypeswrong accept. Run after `npm run build`. */
const packages = ['core', 'sqlite', 'duckdb', 'clickhouse', 'server', 'cli'];
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
}
process.exitCode = failed === 0 ? 0 : 1;
