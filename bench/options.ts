import { parseArgs } from 'node:util';
import type { MarketShape } from '@swapfold/testing';
import type { Engine } from './files.ts';
import { type PartName, parts } from './parts/parts.ts';

export interface BenchOptions {
  /** Swaps of each engine's run, in the order of the runs. */
  readonly engines: readonly { readonly engine: Engine; readonly swaps: number }[];
  readonly market: MarketShape;
  readonly only: readonly PartName[];
  readonly isSmall: boolean;
  readonly json: string | undefined;
  /** Folder that keeps the market and the stores for another run; without, they go at the end. */
  readonly keep: string | undefined;
  /** The built checkout of another version, to run in turns with this one. */
  readonly beside: string | undefined;
  readonly rounds: number;
}

/** Swaps of the benchmark that is no full one. */
export const SMALL = 20_000;
const FULL: Readonly<Record<Engine, number>> = { sqlite: 1_000_000, duckdb: 10_000_000, clickhouse: 10_000_000 };
/** A tenth of it is a market, too. */
const LEAST = 2000;

/** The parts of the published reports. */
const published: readonly PartName[] = ['import', 'formats', 'refresh', 'incremental', 'serving', 'http'];

export const usage = `  --swaps N          size of the market (default ${SMALL.toLocaleString('en-US')}; full: 1 million on SQLite, 10 million on the others)
  --full             full sizes and more rounds: most of an hour for \`all\`
  --engine NAME      sqlite, duckdb or clickhouse, which needs chDB (default the first two); repeat it for more
  --market NAME      launchpad, a handful of swaps a wallet, or usual, 50 (default launchpad, which is published)
  --keep FOLDER      keep the market and the stores there, and use what is there
  --json FILE        write the figures as JSON
  --beside FOLDER    run a built checkout of another version in turns with this one, --rounds N times each (default 3)`;

export function parseOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      full: { type: 'boolean', default: false },
      swaps: { type: 'string' },
      engine: { type: 'string', multiple: true },
      market: { type: 'string', default: 'launchpad' },
      keep: { type: 'string' },
      json: { type: 'string' },
      beside: { type: 'string' },
      rounds: { type: 'string', default: '3' },
    },
  });
  const swaps = values.swaps === undefined ? undefined : Number(values.swaps);
  if (swaps !== undefined && !(Number.isInteger(swaps) && swaps >= LEAST))
    throw new Error(`--swaps ${values.swaps}: a whole number of at least ${LEAST} is needed.`);
  const rounds = Number(values.rounds);
  if (!(Number.isInteger(rounds) && rounds > 0))
    throw new Error(`--rounds ${values.rounds}: a whole number of at least 1 is needed.`);
  const engines = chosen('--engine', values.engine ?? ['sqlite', 'duckdb'], ['sqlite', 'duckdb', 'clickhouse']);
  const names = positionals.flatMap((name): readonly string[] => (name === 'all' ? published : [name]));
  return {
    engines: engines.map((engine) => ({ engine, swaps: swaps ?? (values.full ? FULL[engine] : SMALL) })),
    market: chosen('--market', [values.market], ['launchpad', 'usual'])[0]!,
    only: chosen('part', names, Object.keys(parts) as PartName[]),
    isSmall: !values.full,
    json: values.json,
    keep: values.keep,
    beside: values.beside,
    rounds,
  };
}

/** The names given, in the order of those known. */
function chosen<T extends string>(option: string, given: readonly string[], known: readonly T[]): readonly T[] {
  for (const name of given)
    if (!(known as readonly string[]).includes(name))
      throw new Error(`${option} ${name}: there is ${known.join(', ')}.`);
  return known.filter((name) => given.includes(name));
}
