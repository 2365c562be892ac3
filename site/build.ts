import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { nameModules, writePages } from './pages.ts';

/** Makes site/dist: `npm run docs:site`. */
const here = import.meta.dirname;
const run = (program: string, ...args: string[]): void => {
  execFileSync(process.execPath, [join(here, 'node_modules', program), ...args], { cwd: here, stdio: 'inherit' });
};

writePages(join(here, 'pages'));
run('typedoc/bin/typedoc', '--options', 'typedoc.json');
nameModules(join(here, 'pages/reference/api'));
run('vitepress/bin/vitepress.js', 'build', '.');
