/**
 * How fast Solana is read: `npm run bench -- solana`, or with `--rounds N --blocks N --report FILE`. Blocks of 1,500 transactions with 400 swaps:
 * JSON alone, the decoder with it, the library `solana-dex-parser`, in turns; then followed from a node on loopback, with profiles.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Reader } from '../packages/solana/src/block-reader.ts';
import { blockText, madeOf, SWAPS, TRANSACTIONS } from './solana/block.ts';
import { type Followed, followed } from './solana/followed.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    blocks: { type: 'string', default: '40' },
    report: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
const text = blockText(1, undefined);
const median = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!;

/** Milliseconds of the processor: what else the machine does does not count. */
function timed(work: () => void): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

const [parsing, decoding]: [number[], number[]] = [[], []];
let swaps = 0;
for (let round = 0; round < rounds; round++) {
  parsing.push(timed(() => JSON.parse(text)));
  decoding.push(
    timed(() => {
      swaps = new Reader().block(JSON.parse(text), 1).rows.length;
    }),
  );
}

const folder = mkdtempSync(join(tmpdir(), 'swapfold-solana-'));
const lines: string[] = [];
const row = (name: string, ms: number, found: string): void => {
  lines.push(
    `| ${name} | ${ms.toFixed(0)} | ${Math.round((TRANSACTIONS / ms) * 1000).toLocaleString('en')} | ${found} |`,
  );
};
row('`JSON.parse` alone', median(parsing), '');
row('Swapfold, JSON included', median(decoding), `${swaps} hops`);
try {
  const peer = new URL('./peers/solana/', import.meta.url).pathname;
  if (existsSync(join(peer, 'node_modules'))) {
    const file = join(folder, 'block.json');
    writeFileSync(file, text);
    const said = execFileSync(
      process.execPath,
      [join(peer, 'decode.mjs'), file, String(Math.max(3, Math.floor(rounds / 3)))],
      { encoding: 'utf8' },
    );
    const { times, trades } = JSON.parse(said) as { times: number[]; trades: number };
    row('`solana-dex-parser` 2.6.7, JSON included', median(times), `${trades} trades`);
  }
  const results: Followed[] = [];
  for (const engine of ['sqlite', 'duckdb'] as const)
    results.push(await followed(engine, Number(options.blocks), folder));
  const report = [
    `Blocks of ${TRANSACTIONS} transactions, ${SWAPS} of which swap, made of ${madeOf}: ${(text.length / 1e6).toFixed(1)} MB of JSON each.`,
    `${cpus().length} cores of ${cpus()[0]!.model.trim()}, Node.js ${process.versions.node}, load ${loadavg()[0]!.toFixed(1)}; medians of ${rounds}.`,
    '',
    '| one thread | ms of the processor a block | transactions per second | found |',
    '| --- | --- | --- | --- |',
    ...lines,
    '',
    `| followed from a node on loopback, ${options.blocks} blocks | swaps per second | swaps per second of the processor | a new block is answered after |`,
    '| --- | --- | --- | --- |',
    ...results.map(
      ({ engine, perSecond, perCpuSecond, answered }) =>
        `| ${engine}, profiles included | ${Math.round(perSecond).toLocaleString('en')} | ${Math.round(perCpuSecond).toLocaleString('en')} | ${answered.toFixed(0)} ms |`,
    ),
    '',
  ].join('\n');
  console.log(report);
  if (options.report !== undefined) writeFileSync(options.report, report);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
