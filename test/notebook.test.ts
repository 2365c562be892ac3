import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { withFolder } from './support/engines.ts';

const root = resolve(import.meta.dirname, '..');
const example = join(root, 'examples/notebook');
const python = process.env.SWAPFOLD_PYTHON ?? 'python3';

const lacksVega = existsSync(join(example, 'node_modules/vega-lite'))
  ? false
  : 'Vega-Lite is not installed: npm ci --ignore-scripts --prefix examples/notebook';
const lacksPandas =
  spawnSync(python, ['-c', 'import pandas, matplotlib']).status === 0
    ? false
    : `pandas and matplotlib are not installed for ${python} (SWAPFOLD_PYTHON names another)`;

test(
  'the script draws both pictures, and the notebook draws them again from what it exported',
  {
    skip: lacksVega || lacksPandas,
  },
  () =>
    withFolder(async (folder) => {
      const out = join(folder, 'out');
      const said = execFileSync(process.execPath, ['--import', 'tsx', join(example, 'draw.ts'), '', out], {
        cwd: root,
        encoding: 'utf8',
      });
      const [points, minutes] = said.match(/\d+/g)!.map(Number);
      assert.ok(points! > 100 && minutes! > 10, said);
      const svg = (name: string): string => readFileSync(join(out, name), 'utf8');
      assert.equal(readFileSync(join(out, 'equity.csv'), 'utf8').trimEnd().split('\n').length, points! + 1);
      for (const name of ['leaderboard.svg', 'launch.svg']) assert.match(svg(name), /^<svg.*<path/s);

      const notebook = JSON.parse(readFileSync(join(example, 'market.ipynb'), 'utf8')) as {
        cells: readonly { cell_type: string; source: readonly string[] }[];
      };
      const code = notebook.cells.filter((cell) => cell.cell_type === 'code').map((cell) => cell.source.join(''));
      execFileSync(python, ['-c', `${code.join('\n')}\nassert len(trades) > 1000 and len(minutes) > 5`], {
        cwd: folder,
      });
      for (const name of ['leaderboard-pandas.svg', 'launch-pandas.svg']) assert.match(svg(name), /<svg/);
    }),
);
