import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bundled } from '../support/bundle.ts';
import { withFolder } from '../support/engines.ts';

const program = await bundled('test/support/demo.ts');

test('the demo on a chain trades, follows over reorganisations, shows prices of each block, and ends if nobody looks on', () =>
  withFolder(async (folder) => {
    const child = spawn(process.execPath, [program, '--chain'], {
      cwd: folder,
      env: { ...process.env, CI: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err] = [child.stdout, child.stderr].map((stream) => stream.setEncoding('utf8').toArray());
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [said, wrong] = [(await out!).join(''), (await err!).join('')];
    assert.equal(code, 0, wrong);
    const lines = said.match(/^Block \d+: \d+ swaps, .*$/gm) ?? [];
    assert.equal(lines.length, 10, said);
    for (const line of lines) assert.match(line, /WETH \d+\.\d\d USD/);
    // The market begins at 2,000 dollars an ether, and no trade is large.
    const [dollars] = lines.map((line) => Number(/WETH ([\d.]+)/.exec(line)?.[1]));
    assert.ok(dollars! > 1800 && dollars! < 2200, lines[0]);
    assert.match(said, /The chain has changed from block \d+ on/);
    assert.match(said, / serve --follow evm:http:\/\/127\.0\.0\.1:\d+ --factory 0x/);
    assert.match(said, /See it at http:\/\/127\.0\.0\.1:\d+\//);
    assert.ok(existsSync(join(folder, '.swapfold', 'chain.db')));
  }));
