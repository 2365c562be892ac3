import { parseArgs } from 'node:util';
import type { Engine } from './files.ts';
import { type PartName, parts } from './parts/parts.ts';

export interface BenchOptions {
  /** Swaps of each engine's run, in the order of the runs. */
  readonly engines: readonly { readonly engine: Engine; readonly swaps: number }[];
  readonly only: readonly PartName[];
  readonly isSmall: boolean;
  readonly json: string | undefined;
  /** Folder that keeps the market and the stores for another run; without, they go at the end. */
  readonly keep: string | undefined;
  /** Folder for CPU profiles of our side. */
  readonly profile: string | undefined;
  /** SVG to draw of the reports of several sizes. */
  readonly chart: string | undefined;
  readonly reports: readonly string[];
}

/** Swaps of the benchmark that is no full one. */
export const SMALL = 20_000;
const FULL: Readonly<Record<Engine, number>> = { sqlite: 1_000_000, duckdb: 10_000_000, clickhouse: 10_000_000 };
/** A tenth of it is a market, too. */
const LEAST = 2000;

export const usage = `Measures Swapfold beside plain engines: npm run bench, npm run bench:full, or with -- and
  --swaps N          size of the market (default ${SMALL.toLocaleString('en-US')}; full: 1 million on SQLite, 10 million on the others)
  --engine NAME      sqlite, duckdb or clickhouse, which needs chDB (default the first two)
  --only PART        one of ${Object.keys(parts).join(', ')}; repeat it for more
  --keep FOLDER      keep the market and the stores there, and use what is there
  --json FILE        write the figures as JSON
  --profile FOLDER   leave CPU profiles of our side there, for bench/profile.ts; figures of such a run are slower
  --chart FILE       draw an SVG of the reports named after the options, and measure nothing`;

export function parseOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      full: { type: 'boolean', default: false },
      swaps: { type: 'string' },
      engine: { type: 'string', multiple: true },
      only: { type: 'string', multiple: true },
      keep: { type: 'string' },
      json: { type: 'string' },
      profile: { type: 'string' },
      chart: { type: 'string' },
    },
  });
  const swaps = values.swaps === undefined ? undefined : Number(values.swaps);
  if (swaps !== undefined && !(Number.isInteger(swaps) && swaps >= LEAST))
    throw new Error(`--swaps ${values.swaps}: a whole number of at least ${LEAST} is needed.`);
  const engines = chosen('--engine', values.engine ?? ['sqlite', 'duckdb'], ['sqlite', 'duckdb', 'clickhouse']);
  return {
    engines: engines.map((engine) => ({ engine, swaps: swaps ?? (values.full ? FULL[engine] : SMALL) })),
    only: chosen('--only', values.only, Object.keys(parts) as PartName[]),
    isSmall: !values.full,
    json: values.json,
    keep: values.keep,
    profile: values.profile,
    chart: values.chart,
    reports: positionals,
  };
}

/** The names given, or all. */
function chosen<T extends string>(
  option: string,
  given: readonly string[] | undefined,
  known: readonly T[],
): readonly T[] {
  for (const name of given ?? [])
    if (!(known as readonly string[]).includes(name))
      throw new Error(`${option} ${name}: there is ${known.join(', ')}.`);
  return given === undefined ? known : known.filter((name) => given.includes(name));
}
