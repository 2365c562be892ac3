import { existsSync, linkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Engine, engineNames, filesOf } from './files.ts';
import { type PartName, parts } from './parts/parts.ts';
import { prepareMarket, prepareStore, tell } from './prepare.ts';
import { cellsOf, type Row, titles } from './row.ts';
import { useVersion } from './run-task.ts';
import { quantile } from './timing.ts';

export interface Comparison {
  readonly only: readonly PartName[];
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
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
    await prepareMarket({ swaps, root });
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
    `\n${engineNames[of.engine]}, ${of.swaps.toLocaleString('en-US')} swaps: medians of ${rounds} rounds, the least and the greatest`,
  );
  console.log(`${''.padEnd(70)}${'this'.padStart(34)}${'beside'.padStart(34)}${'ratio'.padStart(8)}`);
  for (const [operation, ours] of versions[0].rows) {
    const theirs = versions[1].rows.get(operation);
    if (theirs === undefined) continue;
    const ratio = (middleOf(ours) / middleOf(theirs)).toFixed(2);
    console.log(`${operation.slice(0, 69).padEnd(70)}${shown(ours)}${shown(theirs)}${ratio.padStart(8)}`);
  }
}

const shared = ['parquet', 'tail', 'known', 'tokens'] as const;

function shareMarket(from: ReturnType<typeof filesOf>, to: ReturnType<typeof filesOf>): void {
  for (const name of shared) if (!existsSync(to[name])) linkSync(from[name], to[name]);
}

function middleOf(rows: readonly Row[]): number {
  return quantile(
    rows.map(({ ours }) => ours),
    0.5,
  );
}

function shown(rows: readonly Row[]): string {
  const [least, middle, greatest] = [0, 0.5, 1].map((part) => {
    const ours = quantile(
      rows.map((row) => row.ours),
      part,
    );
    return cellsOf({ ...rows[0]!, ours })[titles.indexOf('ours')];
  });
  return `${middle} (${least} to ${greatest})`.padStart(34);
}
