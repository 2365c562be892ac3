import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { ownCommand, pathFrom } from '../src/invocation.ts';
import { temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const clone = path('clone');
const binary = join(clone, 'node_modules', '.bin', 'swapfold');
mkdirSync(join(clone, 'node_modules', '.bin'), { recursive: true });
writeFileSync(binary, '');

const cases: readonly (readonly [what: string, started: Parameters<typeof ownCommand>[0], command: string])[] = [
  ['npx in a clone', { program: binary, cwd: clone, env: { npm_command: 'exec', INIT_CWD: clone } }, 'npx swapfold'],
  [
    'a script of the clone, called from a folder in it',
    { program: join(clone, 'packages/cli/src/bin.ts'), cwd: clone, env: { INIT_CWD: join(clone, 'docs') } },
    'node --import tsx ../packages/cli/src/bin.ts',
  ],
  [
    'Node',
    { program: join(clone, 'packages/cli/bin/swapfold.js'), cwd: clone, env: {} },
    'node packages/cli/bin/swapfold.js',
  ],
  [
    'a command of the PATH',
    { program: '/usr/local/bin/swapfold', cwd: clone, env: { PATH: '/usr/bin:/usr/local/bin' } },
    'swapfold',
  ],
  [
    'a folder with a space',
    { program: join(clone, 'my clone/swapfold.js'), cwd: clone, env: {} },
    "node 'my clone/swapfold.js'",
  ],
];
for (const [what, started, command] of cases)
  test(`what started by ${what} is started again by ${command}`, () => assert.equal(ownCommand(started), command));

test('a path of the process is one of the folder where npm was called', () => {
  assert.equal(pathFrom('.swapfold/demo.db', { cwd: clone, env: {} }), '.swapfold/demo.db');
  const below = { INIT_CWD: join(clone, 'docs') };
  assert.equal(pathFrom('.swapfold/demo.db', { cwd: clone, env: below }), '../.swapfold/demo.db');
});

test('the binary of a clone where nothing is built says what builds it, and hides no other failure', async () => {
  const bin = path('unbuilt/bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(path('unbuilt/dist'));
  writeFileSync(path('unbuilt/package.json'), '{ "type": "module" }');
  copyFileSync(resolve(import.meta.dirname, '../bin/swapfold.js'), join(bin, 'swapfold.js'));
  const started = () => spawnSync(process.execPath, [join(bin, 'swapfold.js'), 'demo'], { encoding: 'utf8' });
  const unbuilt = started();
  assert.deepEqual(
    [unbuilt.status, unbuilt.stdout, unbuilt.stderr],
    [1, '', 'error: Swapfold is not built here. In the clone, run: npm ci && npm run build:js\n'],
  );
  writeFileSync(path('unbuilt/dist/bin.js'), "import 'a-package-that-is-not-there';");
  assert.match(started().stderr, /ERR_MODULE_NOT_FOUND/);
  writeFileSync(path('unbuilt/dist/bin.js'), 'console.log(process.argv[2]);');
  assert.equal(started().stdout, 'demo\n');
});
