import { resolve } from 'node:path';
import { type Swapfold, SwapfoldError } from '@swapfold/core';
import type { Command } from 'commander';
import { configOf, readConfigFile } from '../config-file.ts';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { lend, openReader, openStore, requireStore, type StoreOptions } from '../open-store.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { parseStoreUrl, type StoreUrl, showPath } from '../options/store-url.ts';
import { print } from '../output.ts';
import { createProgress } from '../progress/progress.ts';
import { refreshAloud } from '../refreshing.ts';
import { formatCount } from '../text/numbers.ts';

interface MergeOptions extends StoreOptions {
  /** False with `--no-refresh`. */
  readonly refresh: boolean;
}

/** `swapfold merge --db URL PART...` */
export function addMerge(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('merge')
    .summary('put the stores of all shards together')
    .description(
      'Puts the stores that "swapfold import swaps --shard" made together in a new one, which is then what one import of everything would have made, and refreshes the profiles. Nothing is folded again.',
    );
  addStoreOptions(command)
    .argument('<part...>', 'the stores of all parts, in the order of their numbers: 1/2, then 2/2', parseParts, [])
    .option('--no-refresh', 'leave out the profiles (swapfold refresh makes them)')
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold import swaps swaps.parquet --db part1.db --shard 1/2',
        'swapfold import swaps swaps.parquet --db part2.db --shard 2/2',
        'swapfold merge part1.db part2.db --db dex.duckdb',
      ]),
    )
    .action(async (parts: readonly StoreUrl[], options: MergeOptions) => {
      for (const part of parts) {
        await requireStore(part);
        if (resolve(part.path) === resolve(options.db.path))
          throw new SwapfoldError('invalid-input', `${showPath(part)} is a part and the store to make (--db) at once.`);
      }
      end(await interruptible((signal) => mergeInto(options, parts, signal)));
    });
}

async function mergeInto(options: MergeOptions, urls: readonly StoreUrl[], signal: AbortSignal): Promise<void> {
  const config = await readConfigFile(options.config);
  const parts: Swapfold[] = [];
  try {
    for (const [i, url] of urls.entries())
      parts.push(
        await openReader(url, config, { shard: { index: i + 1, of: urls.length } }).catch(
          sayWhichPart(url, i + 1, urls.length),
        ),
      );
    await lend(await openStore(options.db, config ?? configOf(parts[0]!)), async (dex) => {
      const { swaps } = await dex.merge(parts, { signal });
      print(`Merged ${formatCount(swaps)} swaps of ${formatCount(parts.length)} parts.`);
      if (options.refresh) await refreshAloud(dex, { progress: createProgress(), signal });
    });
  } finally {
    for (const part of parts) await part.close();
  }
}

/** Names the store that is another part than its place among the arguments says. */
function sayWhichPart(url: StoreUrl, index: number, of: number): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SwapfoldError && error.details.some(({ path }) => path === 'shard'))) throw error;
    throw new SwapfoldError(
      'invalid-input',
      `${showPath(url)} stands where part ${index}/${of} is expected: ${error.message} Give the stores of all parts, in the order of their numbers.`,
      { cause: error },
    );
  };
}

function parseParts(text: string, before: readonly StoreUrl[]): readonly StoreUrl[] {
  return [...before, parseStoreUrl(text)];
}
