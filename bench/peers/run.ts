/**
 * What data frames and SQL take for part of a refresh: `npm run bench:peers`, or with `-- --swaps N` (default 20,000), `--rounds N`
 * (default 3) and `--keep FOLDER` as the benchmark has it. Ten metrics of every wallet in five windows, from the same trades, beside our
 * full refresh, which folds everything of wallets and tokens and stores it. Answers are compared before anything is timed.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { disturbances, Watch } from '../disturbance.ts';
import { filesOf } from '../files.ts';
import { openStore } from '../open.ts';
import { openPlain, type PlainSql } from '../plain/sql.ts';
import { loadPolars, polarsAdvice } from '../polars/polars.ts';
import { prepareStore } from '../prepare.ts';
import type { Row } from '../row.ts';
import { takeSamples } from '../samples.ts';
import { asTable } from '../table.ts';
import { summary, timed } from '../timing.ts';
import { type Answers, metrics, polarsMetrics, sqlMetrics, windows } from './wallet-metrics.ts';

const { values } = parseArgs({
  options: {
    swaps: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'string' },
  },
});
const swaps = whole('swaps', values.swaps, 2000);
const rounds = whole('rounds', values.rounds, 1);
const polars = loadPolars();
if (polars === undefined) throw new Error(`nodejs-polars is not installed: ${polarsAdvice}`);
const root = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'swapfold-peers-')) : resolve(values.keep);
mkdirSync(root, { recursive: true });
try {
  await compare();
} finally {
  if (values.keep === undefined) rmSync(root, { recursive: true, force: true });
}

function whole(option: string, text: string, least: number): number {
  const value = Number(text);
  if (!(Number.isInteger(value) && value >= least))
    throw new Error(`--${option} ${text}: a whole number of at least ${least} is needed.`);
  return value;
}

async function compare(): Promise<void> {
  await prepareStore({ engine: 'duckdb', swaps, root });
  const files = filesOf(root, swaps);
  const plain = await openPlain('duckdb', files.plain.duckdb);
  const { lastTime } = await takeSamples(plain);
  const trades = files.scratch('peers.parquet');
  await plain.run(
    `copy (select wallet, time, direction, swap_type, usd_amount, pnl from trades) to '${trades}' (format parquet)`,
  );
  const sides = {
    'nodejs-polars': async () => polarsMetrics(polars!, trades, lastTime),
    'DuckDB SQL': () => sqlMetrics(plain, lastTime),
  };
  const expected = await profileMetrics(plain);
  for (const [name, answer] of Object.entries(sides)) assertSame(name, await answer(), expected);
  const dex = await openStore('duckdb', files.store.duckdb);
  const order = ['ours', ...Object.keys(sides)] as ('ours' | keyof typeof sides)[];
  const times = new Map(order.map((name) => [name, [] as number[]]));
  const watch = new Watch();
  await watch.note('start');
  for (let i = 0; i < rounds; i++) {
    for (const name of i % 2 === 0 ? order : order.toReversed()) {
      // Going back one second makes every profile stale.
      if (name === 'ours') await dex.refresh({ asOf: lastTime - 1 });
      times.get(name)!.push(await timed(() => (name === 'ours' ? dex.refresh() : sides[name]())));
    }
    await watch.note(`round ${i + 1}`);
  }
  await dex.close();
  await plain.close();
  rmSync(trades);
  const ours = summary(times.get('ours')!);
  const rows = Object.keys(sides).map(
    (name): Row => ({
      part: 'peers',
      engine: 'DuckDB',
      operation: `full refresh, ${swaps.toLocaleString('en-US')} swaps, beside ${name}`,
      unit: 'ms',
      ours: ours.median,
      baseline: summary(times.get(name as keyof typeof sides)!).median,
      what: `${metrics.length} metrics of every wallet in ${Object.keys(windows).length} windows, nothing stored`,
      target: null,
      spread: ours.quartiles,
    }),
  );
  console.log(asTable(rows));
  for (const reason of disturbances(watch.watched)) console.log(`The machine was disturbed: ${reason}`);
}

/** The metrics of the profiles that our refresh stored. */
async function profileMetrics(plain: PlainSql): Promise<Answers> {
  const answers: Answers = new Map();
  for (const window of Object.keys(windows)) {
    const columns = metrics.map((metric) => `"metrics.${window}.${metric}"`);
    for (const [wallet, ...values] of await plain.query(`select id, ${columns.join(', ')} from wallet_profiles`))
      answers.set(`${wallet} ${window}`, values.map(figure));
  }
  return answers;
}

/** Numbers as numbers, whatever wide type they come in. */
function figure(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** Sums of doubles in another order differ in their last bits. A wallet that did not trade in a window has nothing there. */
function assertSame(name: string, answers: Answers, expected: Answers): void {
  const nothing = metrics.map((metric) => (metric === 'winrate' ? null : 0));
  for (const key of answers.keys()) assert.ok(expected.has(key), `${name}: ${key} has no profile`);
  for (const [key, values] of expected) {
    const found = answers.get(key) ?? nothing;
    for (const [i, metric] of metrics.entries()) {
      const [a, b] = [figure(found[i]), figure(values[i])];
      const isSame = a === null || b === null ? a === b : Math.abs(a - b) <= 1e-7 * Math.max(1, Math.abs(b));
      assert.ok(isSame, `${name}, wallet and window ${key}, ${metric}: ${a}, and ${b} in the profile`);
    }
  }
}
