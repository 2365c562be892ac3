import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** Checks spelling: `npm run test:site`. */
const here = import.meta.dirname;
execFileSync(
  process.execPath,
  [join(here, 'node_modules/cspell/bin.mjs'), '--config', 'site/cspell.json', '--no-progress', '--show-suggestions'],
  { cwd: resolve(here, '..'), stdio: 'inherit' },
);
