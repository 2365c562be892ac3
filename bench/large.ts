/**
 * Stores larger than a market is made in reasonable time: `npm run bench -- large 10000000 50000000` measures each size on DuckDB, `--engine sqlite`
 * on SQLite, and how its times grow against the first. A market is made once (`--market usual` for the other one); a larger one is as many
 * of it side by side, each with wallets, tokens and transactions of its own. So copies multiply wallets, tokens and bots, and give none of
 * them a longer history: 25 copies of the usual market have 500 bots for 20, each with the swaps of one. `--blocks N` is how many blocks
 * arrive, `--keep FOLDER` keeps the market, `--json FILE` writes the figures.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Engine } from './files.ts';
import { filesOf } from './files.ts';
import { prepareMarket, tell } from './prepare.ts';
import { runTask } from './run-task.ts';
import { type LargeFigures, LEAST_BLOCKS } from './tasks/large.ts';

const PIECE = 2_000_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    engine: { type: 'string', default: 'duckdb' },
    market: { type: 'string', default: 'launchpad' },
    piece: { type: 'string', default: String(PIECE) },
    blocks: { type: 'string', default: String(LEAST_BLOCKS) },
    keep: { type: 'string' },
    json: { type: 'string' },
  },
});
const engine = options.engine as Engine;
const market = options.market as 'usual' | 'launchpad';
const piece = Number(options.piece);
const blocks = Math.max(LEAST_BLOCKS, Number(options.blocks));
const sizes = positionals.length > 0 ? positionals.map(Number) : [10_000_000, 50_000_000];
const root = options.keep ?? mkdtempSync(join(tmpdir(), 'swapfold-large-'));

interface Measured extends LargeFigures {
  readonly swaps: number;
  readonly 'import and refresh, s': number;
  readonly 'its memory, MB': number;
  readonly 'bytes a swap': number;
}

const measured: Measured[] = [];
try {
  for (const swaps of sizes) measured.push(await measure(swaps));
} finally {
  if (options.keep === undefined) rmSync(root, { recursive: true, force: true });
}
const [first] = measured;
console.log(
  `${engine}, copies side by side of a ${market} market of ${piece.toLocaleString('en-US')} swaps: they multiply its wallets, tokens and bots, not the history of one`,
);
console.table(
  Object.fromEntries(
    Object.keys(first!).map((name) => {
      const of = (figures: Measured): number => figures[name as keyof Measured]!;
      const cells = measured.map((figures) => [
        figures.swaps.toLocaleString('en-US'),
        Number(of(figures).toPrecision(3)),
      ]);
      return [name, { ...Object.fromEntries(cells), growth: Number((of(measured.at(-1)!) / of(first!)).toFixed(2)) }];
    }),
  ),
);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(measured, undefined, 2)}\n`);

async function measure(swaps: number): Promise<Measured> {
  const files = filesOf(root, swaps);
  if (!existsSync(files.tail)) {
    await prepareMarket({ swaps: piece, root: join(root, 'piece'), market });
    tell(`laying out ${swaps.toLocaleString('en-US')} swaps`);
    await runTask('copyMarket', { from: piece, swaps, root, blocks });
  }
  tell(`importing ${swaps.toLocaleString('en-US')} swaps into ${engine}`);
  const imported = await runTask('importStore', { engine, swaps, root, format: 'parquet', refresh: true, keep: true });
  tell('asking');
  const { result, memory } = await runTask('askLarge', { engine, swaps, root, blocks });
  rmSync(files.store[engine]);
  const figures: Measured = {
    swaps,
    'import and refresh, s': imported.result.milliseconds / 1000,
    'its memory, MB': imported.memory,
    'bytes a swap': imported.result.bytes / swaps,
    ...result,
    'memory, MB': memory,
  };
  // Should a larger size fail, these were not in vain.
  tell(JSON.stringify(figures));
  return figures;
}
