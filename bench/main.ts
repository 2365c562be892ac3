/** The benchmark: `npm run bench` prints its parts, `npm run bench -- PART` runs one. */
import { spawnSync } from 'node:child_process';
import { usage } from './options.ts';
import { parts } from './parts/parts.ts';

interface Program {
  readonly file: string;
  readonly what: string;
  /** Folders with a package.json of their own that it needs. */
  readonly installs?: readonly string[];
  /** Whether it runs the packages as they are in the sources. */
  readonly isOfSources?: true;
}

/** What runs on no store of the market, with options of its own. */
const programs: Readonly<Record<string, Program>> = {
  live: {
    file: 'bench/live.ts',
    what: '1,000 subscribers beside blocks and prices: [--swaps N] [--seconds N] [--engine NAME] [--line with|without|costly] [--only KIND]',
  },
  chain: {
    file: 'bench/chain.ts',
    what: 'beside Ponder, Subsquid and viem: [--swaps N] [--per-block N] [--only NAME] [--json FILE] [--report FILE]',
    installs: ['test/chain', 'bench/peers/chain'],
  },
  solana: {
    file: 'bench/solana.ts',
    what: 'reading blocks of Solana beside solana-dex-parser: [--rounds N] [--blocks N] [--report FILE]',
    installs: ['bench/peers/solana'],
  },
  large: {
    file: 'bench/large.ts',
    what: 'stores of many millions, and their blocks: [SWAPS...] [--engine NAME] [--market NAME] [--piece N] [--blocks N] [--keep FOLDER] [--json FILE]',
  },
  explorer: {
    file: 'test/browser/measure.ts',
    what: 'the explorer in a browser: [SWAPS] [ENGINE]',
    installs: ['test/browser'],
    isOfSources: true,
  },
  publish: {
    file: 'bench/write-reports.ts',
    what: 'writes reports into the pages, measures nothing: bench/results/*.json [--disturbed]',
    isOfSources: true,
  },
};

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || name === '--help') console.log(list());
else {
  const program = programs[name];
  for (const folder of program?.installs ?? []) run('npm', ['ci', '--ignore-scripts', '--prefix', folder]);
  if (program?.isOfSources === undefined) {
    run('npm', ['run', 'build:js']);
    // What is published is measured: the built files, not the sources.
    process.env.TSX_TSCONFIG_PATH = 'bench/tsconfig.built.json';
  }
  const args = program === undefined ? ['bench/run.ts', name, ...rest] : [program.file, ...rest];
  run(process.execPath, [...process.execArgv, ...args]);
}

/** Ends this process with the same code if the other one fails. */
function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function list(): string {
  const line = ([part, { what }]: readonly [string, { readonly what: string }]): string =>
    `  ${part.padEnd(12)} ${what}`;
  return [
    'npm run bench -- PART... [OPTIONS]: parts that measure a store of a made-up market beside plain SQL of the same engine',
    ...Object.entries(parts).map(line),
    '  all          those of the published reports, import to http',
    usage,
    '',
    'npm run bench -- PART: parts with options of their own',
    ...Object.entries(programs).map(line),
  ].join('\n');
}
