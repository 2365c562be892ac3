/**
 * Swapfold beside other indexers of EVM chains: `npm run bench -- chain`, with `--swaps N --per-block N --only NAME --blocks N
 * --reorganisations N --json FILE --report FILE`; NAME is sqlite, duckdb, ponder, ponder-lifted, subsquid or subsquid-100. All read
 * the same chain of Uniswap V2 and V3 on anvil, one after the other, and their answers are compared with it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Contestant } from './chain/contestant.ts';
import { startMarket } from './chain/market.ts';
import { type Measured, measure } from './chain/measure.ts';
import { ponder, subsquid } from './chain/peers.ts';
import { clientOf, readLogs } from './chain/read-logs.ts';
import { type ChainReport, reportOf } from './chain/report.ts';
import { swapfold } from './chain/swapfold.ts';

const { values: options } = parseArgs({
  options: {
    swaps: { type: 'string', default: '20000' },
    'per-block': { type: 'string', multiple: true, default: ['20', '200'] },
    only: { type: 'string', multiple: true },
    blocks: { type: 'string', default: '100' },
    reorganisations: { type: 'string', default: '10' },
    json: { type: 'string' },
    report: { type: 'string' },
  },
});
const all: Readonly<Record<string, Contestant>> = {
  sqlite: swapfold('sqlite'),
  duckdb: swapfold('duckdb'),
  subsquid: subsquid(),
  'subsquid-100': subsquid(100),
  ponder: ponder(),
  'ponder-lifted': ponder(true),
};
const names = options.only ?? Object.keys(all);
const unknown = names.filter((name) => all[name] === undefined);
if (unknown.length > 0) throw new Error(`--only ${unknown.join()}: known are ${Object.keys(all).join(', ')}.`);
/** Empty blocks at the end, so that who reads final blocks alone can read those before. */
const END = 20;

const machine = `${cpus().length} cores of ${cpus()[0]!.model.trim()}`;
const reports: ChainReport[] = [];
for (const perBlock of options['per-block']) reports.push(await compare(Number(options.swaps), Number(perBlock)));
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(reports, undefined, 1)}\n`);
const report = reportOf(reports);
console.log(report);
if (options.report !== undefined) writeFileSync(options.report, report);

async function compare(swaps: number, perBlock: number): Promise<ChainReport> {
  const market = await startMarket(perBlock);
  const root = mkdtempSync(join(tmpdir(), 'swapfold-chain-'));
  try {
    await market.mine(swaps / perBlock);
    await market.mineEmpty(END);
    /** Before anything is measured: what other programs leave of the machine. */
    const load = loadavg()[0]!;
    const before = await floor();
    const measured: Measured[] = [];
    for (const name of names) {
      const folder = join(root, name);
      mkdirSync(folder);
      const [blocks, reorganisations] = [Number(options.blocks), Number(options.reorganisations)];
      const figures = await measure(all[name]!, { market, perBlock, folder, blocks, reorganisations });
      console.error(JSON.stringify(figures));
      measured.push(figures);
      await market.mineEmpty(END);
    }
    const date = new Date().toISOString().slice(0, 10);
    const setting = { date, node: process.version, machine, load };
    return { swaps, perBlock, setting, floor: [before, await floor()], measured };
  } finally {
    await market.chain.stop();
    rmSync(root, { recursive: true, force: true });
  }

  async function floor(): Promise<number> {
    const to = await market.newest();
    const begun = performance.now();
    const { length } = await readLogs(clientOf(market), to, perBlock);
    return (length / (performance.now() - begun)) * 1000;
  }
}
