/** Runs parts of the benchmark on stores of a made-up market. Started by `main.ts`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import type { MarketShape } from '@swapfold/testing';
import { compareVersions } from './beside.ts';
import { disturbances, Watch } from './disturbance.ts';
import { engineNames } from './files.ts';
import { type BenchOptions, parseOptions, SMALL } from './options.ts';
import { parts } from './parts/parts.ts';
import { prepareStore, tell } from './prepare.ts';
import { cellsOf, isMet, type Report, type Row, titleOf, titles } from './row.ts';
import { endTasks, shareProcess } from './run-task.ts';

await start(parseOptions(process.argv.slice(2)));

async function start(options: BenchOptions): Promise<void> {
  const folder = options.keep === undefined ? mkdtempSync(join(tmpdir(), 'swapfold-bench-')) : resolve(options.keep);
  const root = join(folder, options.market);
  mkdirSync(root, { recursive: true });
  try {
    if (options.beside !== undefined) {
      for (const run of options.engines) await compareVersions({ ...options, ...run, beside: options.beside, root });
      return endTasks();
    }
    const report = await measure(options, root);
    print(report);
    if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(options: BenchOptions, root: string): Promise<Report> {
  if (options.isSmall && options.engines.every(({ swaps }) => swaps <= SMALL)) shareProcess();
  const before = loadavg()[0]!;
  const watch = new Watch();
  watch.note('start');
  const { market } = options;
  const runs: { engine: string; market: MarketShape; swaps: number; rows: Row[] }[] = [];
  for (const { engine, swaps } of options.engines) {
    const rows: Row[] = [];
    for (const name of options.only) {
      const { needsStore, run } = parts[name];
      if (needsStore) await prepareStore({ engine, swaps, root, market });
      tell(`${engineNames[engine]}, ${swaps.toLocaleString('en-US')} swaps: ${name}`);
      rows.push(...(await run({ engine, swaps, root, market, isSmall: options.isSmall })));
      watch.note(`${engineNames[engine]}, ${name}`);
    }
    runs.push({ engine: engineNames[engine], market, swaps, rows });
  }
  endTasks();
  const [processor] = cpus();
  return {
    machine: `${cpus().length} x ${processor!.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB`,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
    load: [before, loadavg()[0]!],
    watched: watch.watched,
    disturbed: disturbances(watch.watched),
    runs,
  };
}

function print({ machine, node, date, load, disturbed, runs }: Report): void {
  console.log(`${date}, ${machine}, Node ${node}, load average ${load.map((value) => value.toFixed(2)).join(' -> ')}`);
  for (const run of runs) {
    console.log(`\n${titleOf(run)} (seed 1)\n${asTable(run.rows)}`);
    const judged = run.rows.map(isMet).filter((met) => met !== null);
    console.log(`${judged.filter(Boolean).length} of ${judged.length} targets met`);
  }
  if (disturbed !== undefined && disturbed.length > 0)
    console.log(
      `\nThe machine was disturbed; these figures are no measure:\n${disturbed.map((line) => `- ${line}`).join('\n')}`,
    );
}

/** The rows as a table of text, in the order given. */
function asTable(rows: readonly Row[]): string {
  const rightAligned = new Set<string>(['ours', 'quartiles', 'baseline', 'ratio', 'target', 'memory']);
  const cells = [[...titles], ...rows.map(cellsOf)];
  const widths = titles.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells
    .map((row) =>
      row
        .map((cell, column) =>
          rightAligned.has(titles[column]!) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
