import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { bundled } from './support/bundle.ts';
import { fencedBlocks } from './support/shell-lines.ts';

const root = resolve(import.meta.dirname, '..');
const pages = ['README.md', 'packages/cli/README.md', ...pagesBelow('docs')];
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');
const shellOf = (page: string): readonly string[] => fencedBlocks(textOf(page), ['sh', 'bash']);

function pagesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}

test('what a signal has to reach, or runs beside the shell, is started by Node, because npx passes no signal on', () => {
  const beside = pages.flatMap((page) =>
    shellOf(page)
      .filter((block) => /&\s*$|\$!|\bkill\b/m.test(block))
      .flatMap((block) => block.split('\n'))
      .filter((line) => /\bserve\b|\bfollow\b/.test(line))
      .map((line) => ({ page, line })),
  );
  assert.ok(beside.length >= 3);
  assert.deepEqual(
    beside.filter(({ line }) => !line.includes('node packages/cli/bin/swapfold.js')),
    [],
  );
});

test('a block that starts a server beside the shell, and asks it, waits for it', () => {
  const asking = pages.flatMap((page) => shellOf(page)).filter((block) => /serve .*&\n[\s\S]*curl/.test(block));
  assert.ok(asking.length >= 2);
  for (const block of asking) assert.match(block, /serve .*&\nnpx swapfold wait\n/);
});

test('each page with npx swapfold says that it runs in a clone', () => {
  const silent = pages.filter(
    (page) => shellOf(page).join('').includes('npx swapfold') && !/\bclone\b/.test(textOf(page)),
  );
  assert.deepEqual(silent, []);
  const named = pages.filter((page) => shellOf(page).some((block) => /npm install swapfold\b/.test(block)));
  assert.deepEqual(named, [], 'a name that is nobody’s yet');
});

/** Pages whose blocks run as they stand, each in a shell of its own, one after the other in a folder like a clone. */
const run: Readonly<Record<string, { readonly leaves?: RegExp; readonly without?: RegExp }>> = {
  // The demo, the tests and the packages that are not published yet.
  'README.md': { without: /npm run demo|npm test|npm install/, leaves: /^dex\.duckdb$/m },
  'docs/start/host.md': { without: /npm run demo/, leaves: /^dex\.duckdb$/m },
  'docs/start/research.md': { leaves: /^dex\.duckdb$/m },
  'docs/guides/command-line.md': { leaves: /^dex\.db$/m },
  'docs/cookbook/watch-tokens.md': { leaves: /^dex\.db$/m },
  'docs/cookbook/back-up.md': { leaves: /^backups\/dex-\d{8}T\d{6}Z\.db$/m },
  // What is not installed everywhere.
  'docs/guides/deploy.md': { without: /docker|sudo/, leaves: /^backups\/dex-\d{8}T\d{6}Z\.duckdb$/m },
};

/** A folder that looks like a built clone: its programs run what the sources are, and npm installs nothing. */
async function makeClone(folder: string): Promise<void> {
  for (const name of ['examples', 'docs']) symlinkSync(join(root, name), join(folder, name));
  const bin = join(folder, 'packages', 'cli', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(bin, 'swapfold.js'), `import ${JSON.stringify(await bundled('packages/cli/src/bin.ts'))};\n`);
  mkdirSync(join(folder, 'programs'));
  const program = (name: string, lines: string): void => {
    const path = join(folder, 'programs', name);
    writeFileSync(path, `#!/bin/sh\n${lines}\n`);
    chmodSync(path, 0o755);
  };
  program('npx', '[ "$1" = swapfold ] || exit 9\nshift\nnode packages/cli/bin/swapfold.js "$@"');
  program('npm', 'exit 0');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A block with a port that is free: that of the pages may be taken on this machine. */
const atPort = (block: string, port: number): string =>
  block
    .replaceAll('8080', String(port))
    .replaceAll(/\bserve (?!.*--port)/g, `serve --port ${port} `)
    .replaceAll(/swapfold wait$/gm, `swapfold wait --url http://127.0.0.1:${port}`);

/** Whether a block ends in a server that stays in front: another shell goes on. */
const stays = (block: string): boolean => /\bserve\b[^&]*$/.test(block.trimEnd().split('\n').at(-1)!);

interface Shell {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

/** A shell in a group of processes of its own, so that what it leaves running can be ended. */
function startShell(block: string, folder: string): Shell {
  const child = spawn('sh', ['-e', '-c', block], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${join(folder, 'programs')}${delimiter}${process.env.PATH}`, NO_COLOR: '1' },
  });
  const outputs = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const exit = once(child, 'exit') as Promise<[number | null]>;
  // What a block leaves running holds its outputs open.
  const ended = exit.then(async ([code]) => {
    const output = await Promise.race([outputs.then((both) => both.join('\n')), pause(200).then(() => '')]);
    return { code, output };
  });
  return { child, ended };
}

async function isAnswering(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}

for (const [page, { leaves, without }] of Object.entries(run))
  test(`the blocks of ${page} run as they stand, each in a fresh shell`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'swapfold-pages-'));
    const shells: Shell[] = [];
    try {
      await makeClone(folder);
      const port = await freePort();
      const blocks = shellOf(page).filter((block) => without === undefined || !without.test(block));
      assert.ok(blocks.length > 0);
      for (const block of blocks) {
        // An export of Dune, for which the page offers a file of the clone.
        const given = atPort(block, port).replaceAll('dune.parquet', 'examples/data/swaps.csv');
        const shell = startShell(given, folder);
        shells.push(shell);
        if (stays(block)) {
          const early = await Promise.race([shell.ended, untilAnswering(port)]);
          assert.equal(early, undefined, `${block}\n${JSON.stringify(early)}`);
          continue;
        }
        const { code, output } = await shell.ended;
        assert.equal(code, 0, `${block}\n${output}`);
      }
      if (leaves !== undefined)
        assert.match(readdirSync(folder, { recursive: true, encoding: 'utf8' }).join('\n'), leaves);
    } finally {
      for (const { child } of shells) endGroup(child.pid!);
      rmSync(folder, { recursive: true, force: true });
    }
  });

async function untilAnswering(port: number): Promise<void> {
  while (!(await isAnswering(port))) await pause(50);
}

/** Ends a shell, and what it has left running. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it runs any more.
  }
}
