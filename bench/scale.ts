/**
 * What docs/guides/sizing.md extrapolates from: `npm run bench -- scale` measures stores of 1, 3 and 10 million swaps on chDB, one after the other;
 * `npm run bench -- scale 100000 300000` other sizes. It prints what was measured and what 10^8 to 10^10 swaps need. `--json FILE` writes
 * the costs down after each size; sizes that are in the file are not measured again.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tell } from './prepare.ts';
import { runTask } from './run-task.ts';
import { type Costs, extrapolate } from './scale/costs.ts';

const SIZES = [1e6, 3e6, 1e7];
const LARGE = [1e8, 1e9, 1e10];

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' } } });
const sizes = positionals.length > 0 ? positionals.map(Number) : SIZES;
const known: Costs[] =
  options.json !== undefined && existsSync(options.json) ? JSON.parse(readFileSync(options.json, 'utf8')) : [];
const measured: Costs[] = [];
const root = mkdtempSync(join(tmpdir(), 'swapfold-scale-'));
try {
  for (const swaps of sizes) {
    const before = known.find((costs) => costs.swaps === swaps);
    measured.push(before ?? (await measure(swaps)));
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(measured, undefined, 2)}\n`);
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function measure(swaps: number): Promise<Costs> {
  tell(`measuring ${swaps.toLocaleString('en-US')} swaps`);
  const { result, memory } = await runTask('costOfStore', { swaps, root });
  tell(`peak memory ${Math.round(memory)} MB`);
  return result;
}

console.table(
  measured.map(({ questions, ...costs }) => ({
    swaps: costs.swaps,
    'ingest, us a swap': costs.ingest.toFixed(1),
    'refresh, us a profile': costs.refresh.toFixed(0),
    '1,000 new swaps, ms': costs.block.toFixed(0),
    'bytes a swap': costs.swapBytes.toFixed(0),
    'bytes a profile': costs.profileBytes.toFixed(0),
    ...Object.fromEntries(Object.entries(questions).map(([kind, cost]) => [`${kind}, ms`, cost.toFixed(1)])),
  })),
);
console.table(
  LARGE.map((swaps) => {
    const { disk, hours, block, question } = extrapolate(measured, swaps);
    return {
      swaps,
      'disk, GB': (disk / 1e9).toFixed(0),
      'CPU hours to import': hours.toFixed(0),
      '1,000 new swaps, ms': block.toFixed(0),
      'dearest question, ms': question.toFixed(0),
    };
  }),
);
