import { existsSync, linkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { MarketShape } from '@swapfold/testing';
import { type Engine, engineNames, filesOf } from './files.ts';
import { type PartName, parts } from './parts/parts.ts';
import { prepareMarket, prepareStore, tell } from './prepare.ts';
import { figure, type Row } from './row.ts';
import { useVersion } from './run-task.ts';
import { quantile } from './timing.ts';

export interface Comparison {
  readonly only: readonly PartName[];
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
  readonly market: MarketShape;
  readonly isSmall: boolean;
  /** A checkout of another version, whose packages are built. */
  readonly beside: string;
  /** Two processes of one version differ, too: three or more rounds show it. */
  readonly rounds: number;
}

/**
 * Two versions of the library in turns, this one first in one round and last in the next: each runs the parts by its own benchmark, on
 * stores that it made of the same files. Prints the lines that both have.
 */
export async function compareVersions({ only, beside, rounds, root, ...of }: Comparison): Promise<void> {
  const versions = [
    { folder: resolve(import.meta.dirname, '..'), root, rows: new Map<string, Row[]>() },
    { folder: resolve(beside), root: join(root, 'beside'), rows: new Map<string, Row[]>() },
  ] as const;
  // A tenth, too: some parts compare with a store of that size.
  for (const swaps of [of.swaps, Math.round(of.swaps / 10)]) {
    await prepareMarket({ swaps, root, market: of.market });
    shareMarket(filesOf(root, swaps), filesOf(versions[1].root, swaps));
  }
  for (const name of only)
    for (let round = 0; round < rounds; round++)
      for (const version of round % 2 === 0 ? versions : versions.toReversed()) {
        useVersion(version.folder);
        const context = { ...of, root: version.root };
        if (parts[name].needsStore) await prepareStore(context);
        tell(`${of.engine}, ${name}, round ${round + 1}: ${version.folder}`);
        for (const row of await parts[name].run(context))
          version.rows.set(row.operation, [...(version.rows.get(row.operation) ?? []), row]);
      }
  useVersion(versions[0].folder);
  console.log(
    `${engineNames[of.engine]}, ${of.swaps.toLocaleString('en-US')} swaps of the ${of.market} market: medians, the least and the greatest`,
  );
  const common = [...versions[0].rows].filter(([operation]) => versions[1].rows.has(operation));
  console.table(
    common.map(([operation, rows]) => {
      const [ours, theirs] = [rows, versions[1].rows.get(operation)!].map(spreadOf) as [Spread, Spread];
      return { operation, this: ours.text, beside: theirs.text, ratio: (ours.median / theirs.median).toFixed(2) };
    }),
  );
}

function shareMarket(from: ReturnType<typeof filesOf>, to: ReturnType<typeof filesOf>): void {
  for (const name of ['parquet', 'tail', 'tokens'] as const) if (!existsSync(to[name])) linkSync(from[name], to[name]);
}

interface Spread {
  readonly median: number;
  readonly text: string;
}

/** What one version took for the same in all rounds. */
function spreadOf(rows: readonly Row[]): Spread {
  const figures = rows.map(({ ours }) => ours);
  const [least, median, greatest] = [0, 0.5, 1].map((part) => quantile(figures, part)) as [number, number, number];
  const [low, middle, high] = [least, median, greatest].map((ours) => figure(ours, rows[0]!.unit));
  return { median, text: `${middle} (${low} to ${high})` };
}
