import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The release of chDB that the tests run on: ClickHouse 26.7. */
const VERSION = '3.4.0';

const folder = resolve(import.meta.dirname, '../../.chdb');
const manifest = join(folder, 'node_modules/chdb/package.json');

if (process.env.CLICKHOUSE_URL === undefined && installedVersion() !== VERSION) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  // Its peers are adapters of other libraries that no test needs.
  const options = ['--save-exact', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...options, `chdb@${VERSION}`], { cwd: folder, stdio: 'inherit' });
}

function installedVersion(): string | undefined {
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : undefined;
}
