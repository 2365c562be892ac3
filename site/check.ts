import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

/** Checks spelling, and that every type is exported which an exported signature names: `npm run test:site`. */
const here = import.meta.dirname;
const run = (program: string, ...args: string[]): void => {
  execFileSync(process.execPath, [join(here, 'node_modules', program), ...args], {
    cwd: resolve(here, '..'),
    stdio: 'inherit',
  });
};

run('cspell/bin.mjs', '--config', 'site/cspell.json', '--no-progress', '--show-suggestions');
run('typedoc/bin/typedoc', '--options', 'site/typedoc.json', '--emit', 'none', '--treatValidationWarningsAsErrors');
