/**
 * Swapfold beside other indexers of EVM chains: `npm run bench:chain`, or with `-- --swaps N --per-block N --only NAME --blocks N
 * --reorganisations N --json FILE --report FILE --wait FILE`; NAME is sqlite, duckdb, ponder, ponder-lifted, subsquid or subsquid-100. All read
 * the same chain of Uniswap V2 and V3 on anvil, one after the other, and their answers are compared with it.
 *
 * - `--json` keeps the figures beside those that it has, so that runs of some contestants each make one report.
 * - `--wait` measures once the file is there, after the chain is mined, which takes a second for a thousand swaps.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
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
    wait: { type: 'string' },
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
const { json } = options;
const measured: ChainReport[] = [];
for (const perBlock of options['per-block']) measured.push(await compare(Number(options.swaps), Number(perBlock)));
const before: ChainReport[] = json !== undefined && existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : [];
const others = before.filter((report) => !measured.some(isSameChain(report)));
const reports = [...others, ...measured.map(withBefore)].sort((a, b) => a.swaps - b.swaps || a.perBlock - b.perBlock);
if (json !== undefined) writeFileSync(json, `${JSON.stringify(reports, undefined, 1)}\n`);
const report = reportOf(reports);
console.log(report);
if (options.report !== undefined) writeFileSync(options.report, report);

/** Of a chain that was measured before, the contestants that are not measured now stay. */
function withBefore(report: ChainReport): ChainReport {
  const old = before.find(isSameChain(report));
  const others = old?.measured.filter(({ name }) => !report.measured.some((each) => each.name === name)) ?? [];
  if (old === undefined || others.length === 0) return report;
  const order = Object.values(all).map(({ name }) => name);
  const measured = [...others, ...report.measured].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const setting = { ...report.setting, load: [...old.setting.load, ...report.setting.load] };
  return { ...report, setting, floor: [...old.floor, ...report.floor], measured };
}

function isSameChain({ swaps, perBlock }: ChainReport): (report: ChainReport) => boolean {
  return (report) => report.swaps === swaps && report.perBlock === perBlock;
}

async function compare(swaps: number, perBlock: number): Promise<ChainReport> {
  const market = await startMarket(perBlock);
  const root = mkdtempSync(join(tmpdir(), 'swapfold-chain-'));
  try {
    await market.mine(swaps / perBlock);
    await market.mineEmpty(END);
    while (options.wait !== undefined && !existsSync(options.wait)) await pause(500);
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
    const setting = { date, node: process.version, machine, load: [load] };
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
