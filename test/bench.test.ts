import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { columnsToObjects } from '@swapfold/core';
import { readSwapFile } from 'swapfold';
import { compareVersions } from '../bench/beside.ts';
import { drawChart } from '../bench/chart.ts';
import { openStore } from '../bench/databases.ts';
import { disturbances, othersBetween, usedByAll, usedByOne, type Watched } from '../bench/disturbance.ts';
import { fileBytes, filesOf } from '../bench/files.ts';
import { parseOptions } from '../bench/options.ts';
import { parts } from '../bench/parts/parts.ts';
import { publish, putFigures } from '../bench/publish.ts';
import { isMet, type Report, type Row } from '../bench/row.ts';
import { endTasks, shareProcess } from '../bench/run-task.ts';
import { tasks } from '../bench/tasks.ts';
import { cases, isWhole } from './support/whole.ts';

const folder = mkdtempSync(join(tmpdir(), 'swapfold-bench-'));
/** Where a larger market finds the one that it is made of. */
const root = join(folder, 'piece');
after(() => rmSync(folder, { recursive: true, force: true }));
const swaps = cases(2000, 400);
const tiny = { runs: 2, seconds: 0.1 };

await tasks.writeMarket({ swaps, root, market: 'launchpad' });

// Each task compares the answers of both sides itself, and throws where they differ: on every engine whenever the benchmark runs.
for (const engine of isWhole ? (['sqlite', 'duckdb'] as const) : (['sqlite'] as const)) {
  const of = { engine, swaps, root };

  test(`on ${engine}, plain SQL over plain tables answers every question of the benchmark alike`, async () => {
    await tasks.importStore({ ...of, format: 'parquet', refresh: true, keep: true });
    await tasks.copyPlain(of);
    assert.equal((await tasks.serve({ ...of, ...tiny })).length, 18);
  });

  test(`on ${engine}, the rows of a store are written again as often as asked, and the store is as it was`, async () => {
    const store = filesOf(root, swaps).store[engine];
    const before = fileBytes(store);
    const [first, warm] = await tasks.rewriteStore(of);
    assert.ok(first > 0 && warm > 0);
    assert.equal(fileBytes(store), before);
  });

  test(`on ${engine}, the views and the tables behind them answer the benchmark's questions`, async () => {
    const figures = await tasks.askViews(of);
    assert.equal(figures.length, 6);
    for (const { question, view, raw } of figures) assert.ok(view.runs === 5 && raw.runs === 5, question);
  });

  test(`on ${engine}, the plain refresh counts as Swapfold does, and known swaps are known`, async () => {
    const refreshed = await tasks.refreshFully({ ...of, runs: 1 });
    assert.ok(refreshed.profiles > swaps / 20);
    const arrived = await tasks.arriveInBlocks({ ...of, blocks: 1, hundreds: 2, seconds: 1 });
    assert.ok(arrived.batch.median > 0 && arrived.hundred.runs === 2);
  });
}

test('copies of a market lie side by side in order of time, with wallets of their own and the same quote tokens', async () => {
  const copies = Math.ceil(21_000 / swaps);
  await tasks.copyMarket({ from: swaps, swaps: copies * swaps, root: folder, blocks: 20 });
  const read = async (path: string) => {
    const [wallets, tokens, times]: [Set<string>, Set<string>, number[]] = [new Set(), new Set(), []];
    for await (const { batch } of readSwapFile(path))
      for (const swap of columnsToObjects(batch)) {
        wallets.add(swap.wallet);
        tokens.add(swap.token_in).add(swap.token_out);
        times.push(swap.block_time);
      }
    return { wallets, tokens, times };
  };
  const piece = await read(filesOf(root, swaps).parquet);
  const { parquet, tail } = filesOf(folder, copies * swaps);
  const [bulk, last] = [await read(parquet), await read(tail)];
  const times = [...bulk.times, ...last.times];
  assert.equal(times.length, copies * swaps);
  assert.ok(times.every((time, i) => i === 0 || time >= times[i - 1]!));
  assert.equal(new Set([...bulk.wallets, ...last.wallets]).size, copies * piece.wallets.size);
  assert.equal(new Set([...bulk.tokens, ...last.tokens]).size, copies * (piece.tokens.size - 4) + 4);
});

test('the market in other formats imports as the Parquet file does', async () => {
  await tasks.writeOtherFormats({ swaps, root });
  for (const format of ['csv', 'ndjson', 'dune', 'slices'] as const) {
    await tasks.importStore({ engine: 'sqlite', swaps, root, format, refresh: false, keep: true });
    const dex = await openStore('sqlite', filesOf(root, swaps).store.sqlite);
    assert.equal((await dex.info()).swaps, swaps, format);
    await dex.close();
  }
});

test('a load over HTTP is answered whole, beside a bare server and searches', async () => {
  await tasks.importStore({ engine: 'sqlite', swaps, root, format: 'parquet', refresh: true, keep: true });
  const { price, search, candles, mix, expensive } = await tasks.serveHttp({
    engine: 'sqlite',
    swaps,
    root,
    rounds: 1,
    seconds: 0.2,
  });
  for (const rate of [price.ours, price.baseline, search.ours, search.asJson, candles.ours]) assert.ok(rate.median > 0);
  for (const { p50, p99, failed } of [mix, expensive]) assert.ok(p50 > 0 && p99 >= p50 && failed === 0);
});

test('the command lists every part, and runs none without a name', () => {
  const list = execFileSync(process.execPath, ['--import', 'tsx', 'bench/main.ts'], { encoding: 'utf8' });
  for (const name of [...Object.keys(parts), 'all', 'live', 'chain', 'large', 'explorer', 'publish'])
    assert.match(list, new RegExp(`^  ${name} `, 'm'));
});

const forksProcesses = isWhole ? false : 'it starts processes that load the sources: part of npm run test:whole';

test('two versions in turns: this one beside itself has a ratio for every line', { skip: forksProcesses }, async () => {
  const lines: string[] = [];
  const table = console.table;
  console.table = (rows) => lines.push(...(rows as { operation: string; ratio: string }[]).map(({ ratio }) => ratio));
  const beside = resolve(import.meta.dirname, '..');
  shareProcess();
  try {
    await compareVersions({
      only: ['views'],
      engine: 'sqlite',
      swaps,
      root,
      market: 'launchpad',
      isSmall: true,
      beside,
      rounds: 1,
    });
  } finally {
    console.table = table;
    endTasks();
  }
  assert.equal(lines.length, 6);
  for (const ratio of lines) assert.ok(Number(ratio) > 0, ratio);
});

const row = (ours: number, baseline: number | null, target: Row['target'], operation = 'full refresh'): Row => ({
  part: 'p',
  engine: 'DuckDB',
  operation,
  unit: 'ms',
  ours,
  baseline,
  what: '',
  target,
});

for (const [title, given, met] of [
  ['a figure at its limit meets it', row(50, null, { kind: 'most', ours: 50 }), true],
  ['a figure above its limit misses it', row(50.1, null, { kind: 'most', ours: 50 }), false],
  ['three times the baseline meets 3x', row(30, 10, { kind: 'most-ratio', ratio: 3 }), true],
  ['more than that misses it', row(31, 10, { kind: 'most-ratio', ratio: 3 }), false],
  ['a rate of 60 % meets 0.6x', row(60, 100, { kind: 'least-ratio', ratio: 0.6 }), true],
  ['a lesser one misses it', row(59, 100, { kind: 'least-ratio', ratio: 0.6 }), false],
  ['a rate at its limit meets it', row(50, null, { kind: 'least', ours: 50 }), true],
  ['a lesser rate misses it', row(49.9, null, { kind: 'least', ours: 50 }), false],
  ['a row without a target has nothing to meet', row(1, 1, null), null],
] as const)
  test(title, () => assert.equal(isMet(given), met));

test('the chart draws each operation once an engine, through a point for each size', () => {
  const report = (size: number, ours: number) => ({
    machine: '',
    node: '',
    date: '',
    load: [0, 0] as const,
    runs: [{ engine: 'DuckDB', swaps: size, rows: [row(ours, null, null), row(1, null, null, 'get-price, 1 token')] }],
  });
  const svg = drawChart([report(1e6, 100), report(1e5, 10), report(1e7, 1000)]);
  assert.equal(svg.match(/<polyline/g)!.length, 2);
  assert.equal(svg.match(/<circle/g)!.length, 6);
  assert.throws(() => drawChart([]), /no row of the chart/);
});

test('an unknown part, engine or size is refused with what there is', () => {
  assert.throws(() => parseOptions(['imports']), /part imports: there is import, formats, refresh/);
  assert.throws(() => parseOptions(['all', '--engine', 'mysql']), /there is sqlite, duckdb, clickhouse/);
  assert.throws(() => parseOptions(['all', '--swaps', '10']), /--swaps 10: .* at least 2000/);
  assert.throws(() => parseOptions(['all', '--market', 'bazaar']), /--market bazaar: there is launchpad, usual/);
  assert.throws(() => parseOptions(['all', '--rounds', '0']), /--rounds 0: .* at least 1/);
});

test('a machine is disturbed by what others take of it, and by becoming slower', () => {
  const part = (name: string, others: number | null, yardstick: number): Watched => ({ part: name, others, yardstick });
  assert.deepEqual(disturbances([part('start', null, 1), part('a', 0.05, 1.3), part('b', 0, 1)]), []);
  assert.deepEqual(disturbances([part('start', null, 1), part('a', 0.2, 1), part('b', 0, 1.5)]), [
    'a: others took 20 % of the processors',
    'b: the machine was 1.50 times slower than at its fastest',
  ]);
});

test("others' time is what is busy or stolen and not our own, as Linux counts it", () => {
  // user 10, nice 1, system 5, idle 60, disk 4, interrupts 2 and 3, stolen 15: 100, of which 36 are busy.
  assert.deepEqual(usedByAll('cpu  10 1 5 60 4 2 3 15 7 7\ncpu0 1 1 1 1\n'), { all: 100, busy: 36 });
  const stat = `42 (a) b) S 7 ${Array.from({ length: 9 }, () => 0).join(' ')} 20 3 400 10 20 0 1`;
  assert.deepEqual(usedByOne(stat), { parent: 7, ticks: 433 });
  assert.equal(othersBetween({ all: 100, busy: 36, own: 20 }, { all: 300, busy: 136, own: 80 }), 40 / 200);
});

const results = resolve(import.meta.dirname, '../bench/results');
const reports = readdirSync(results)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')) as Report);

test('the page and the tables beside the reports are what the reports say, and the page is short', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../docs/internals/performance.md'), 'utf8');
  // Some were made on a machine that became slower meanwhile, and say so.
  const { figures, tables } = publish(reports, true);
  assert.equal(putFigures(page, figures), page);
  assert.equal(tables.size, 3);
  for (const [file, table] of tables) assert.equal(readFileSync(join(results, file), 'utf8'), table);
  assert.ok(page.split('\n').length <= 201);
});

test('a smaller report of the launchpad market goes before one of the usual market, and both are named', () => {
  const report = (swaps: number, market?: 'launchpad' | 'usual'): Report => ({
    machine: '',
    node: '',
    date: '',
    load: [0, 0],
    runs: [
      { engine: 'SQLite', swaps, rows: [row(swaps, null, null, 'get-price, 1 token')], ...(market && { market }) },
    ],
  });
  const titleIn = (reports: readonly Report[]) => publish(reports).tables.get('sqlite.md')!.split('\n', 1)[0];
  assert.equal(titleIn([report(9e6), report(8e6, 'usual')]), '# SQLite, 9,000,000 swaps, usual market');
  assert.equal(titleIn([report(9e6), report(2e6, 'launchpad')]), '# SQLite, 2,000,000 swaps, launchpad market');
  const both = drawChart([report(1e6, 'launchpad'), report(1e5, 'launchpad'), report(1e7)]);
  assert.equal(both.match(/<circle/g)!.length, 2);
});

test('a report of a disturbed machine is refused, and published with a mark only where that is asked for', () => {
  const disturbed = { ...reports.find(({ runs }) => runs.length > 0)!, disturbed: ['others took half'] };
  assert.throws(() => publish([disturbed]), /others took half\. Measure again, or publish it with --disturbed/);
  for (const table of publish([disturbed], true).tables.values())
    assert.match(table, /disturbed\*\*: others took half/);
});
