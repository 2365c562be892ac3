import type { Measured } from './measure.ts';
import { POLL } from './swapfold.ts';

/** Where a run was made. */
interface Setting {
  readonly date: string;
  readonly node: string;
  readonly machine: string;
  /** Processes that wanted a core in the minute before. */
  readonly load: number;
}

/** What was measured of a chain. */
export interface ChainReport {
  readonly setting: Setting;
  readonly swaps: number;
  readonly perBlock: number;
  /** Events a second that viem's getLogs alone reads, before and after the contestants. */
  readonly floor: readonly number[];
  readonly measured: readonly Measured[];
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US');

export function reportOf(reports: readonly ChainReport[]): string {
  return [
    '# Beside other indexers of EVM chains',
    '',
    '`npm run bench -- chain --report bench/results/chain.md` writes this page. Every indexer reads the same chain: Uniswap V2 and V3 on anvil, five',
    'pools, 200 wallets, routes of one to three pools. They run one after the other, each as a program of its own that is started on an empty folder.',
    'The swaps that each answers are compared with the chain: their number, and the sums of amounts by pool and by wallet.',
    ...reports.flatMap(tableOf),
    '',
    '- **answered**: swap events a second, from the start of the program until all swaps are answered. **All of it**: until profiles have them too.',
    `- **delay**: from the node's answer that it has mined a block to the first answer with its swaps. Each looks for blocks every ${POLL} ms, which is`,
    `  ${POLL / 2} ms of the delay in the middle.`,
    "- **reorganised**: from the node's answer that three blocks are empty ones now, without a later block, to the first answer without their swaps.",
    '- **memory** is the most that the program took, **disk** what it stored.',
    '- **viem getLogs** reads and decodes the events in ranges of 5,000, without senders, and stores nothing: the floor. Its figures are from before and after each run of the others.',
    '- **Swapfold** is `swapfold serve --follow evm:URL` with defaults: trades, lots, positions, prices and profiles of a hundred metrics, answered over HTTP.',
    '- **Ponder** 0.16.10 with pglite inserts a row for each swap, as its API then counts. Its limit of requests begins at 20 a second and grows with success;',
    '  it has no option to lift it, so that `ponder-lifted` changes the number in its source.',
    '- **Subsquid** is its EVM processor 1.27.3 with the file store 2.0.0, which stores final blocks alone and has no server. Its files are its answer, so it has',
    '  no delay and no reorganisation here. It sends 10 requests at once by default, `subsquid-100` sends 100.',
    '',
  ].join('\n');
}

const listOf = (texts: readonly string[]): string => texts.join(', ').replace(/, (?=[^ ]+$)/, ' and ');

function tableOf({ swaps, perBlock, setting, floor, measured }: ChainReport): string[] {
  const { date, machine, node, load } = setting;
  const figure = (value: number | undefined, unit: string): string =>
    !Number.isFinite(value) ? '' : `${whole(value!)} ${unit}`;
  return [
    '',
    `## ${whole(swaps)} swaps, ${perBlock} in a block`,
    '',
    `${date}, ${machine}, Node ${node}, load ${load.toFixed(1)} before.`,
    '',
    '| | answered | all of it | delay, median and p99 | reorganised | memory | disk |',
    '|---|---|---|---|---|---|---|',
    `| viem getLogs | ${listOf(floor.map(whole))} /s | | | | | |`,
    ...measured.map(
      ({ name, answered, complete, delay, reorganised, memory, disk }) =>
        `| ${name} | ${whole(answered)} /s | ${whole(complete)} /s | ${delay === undefined ? '' : `${whole(delay.p50)}, ${whole(delay.p99)} ms`} | ${figure(reorganised, 'ms')} | ${figure(memory, 'MB')} | ${disk.toFixed(1)} MB |`,
    ),
  ];
}
