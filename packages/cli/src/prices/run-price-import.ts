import type { Swapfold } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { type ImportFilesOptions, type ImportSummary, importFiles, type NewStore } from '@swapfold/files';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { configOf } from '../importing/config-of.ts';
import { endOf, withImportStore } from '../importing/run-import.ts';
import { StepTeller } from '../importing/steps.ts';
import { interruptible } from '../interruption.ts';
import type { StoreUrl } from '../options/store-url.ts';
import { note, print } from '../output.ts';
import { createProgress } from '../progress/create-progress.ts';
import { refreshAloud } from '../refreshing.ts';
import { priceSummary } from './price-summary.ts';
import { tellValuation } from './valuation.ts';

export interface PriceOptions {
  /** Absent with `dryRun` alone. */
  readonly db?: StoreUrl | undefined;
  readonly config?: string | undefined;
  readonly token?: string | undefined;
  readonly rejects?: string | undefined;
  readonly dryRun?: boolean | undefined;
  /** False with `--no-refresh`. */
  readonly refresh: boolean;
}

/** Rows that a dry run shows. */
const SHOWN = 3;

/**
 * Stores the prices of the files in one transaction, tells what became of them, and refreshes the profiles.
 *
 * - A store is made once there is something to store in it.
 * - Exit code: `failed` if there were rows and none of them can be stored.
 */
export async function runPriceImport(inputs: readonly string[], options: PriceOptions): Promise<ExitCode> {
  const { db, config: path, token, rejects, dryRun } = options;
  const reading = { kind: 'prices', token, rejects } as const;
  if (db === undefined || dryRun) return dryRunOf(inputs, { config: await configOf(options) }, reading);
  return withImportStore({ db, config: path }, async (to, storeOf) => {
    let summary: ImportSummary | undefined;
    const ended = await interruptible(async (signal) => {
      summary = await imported(to, inputs, { ...reading, signal });
    });
    if (summary === undefined) return ended;
    print(priceSummary(summary, to.config).join('\n'));
    const code = endOf(summary, to.config);
    const dex = storeOf();
    if (dex === undefined) {
      note('No store was made: there is nothing to store.');
      return code;
    }
    const { swaps } = await tellValuation(dex);
    if (!options.refresh || code !== exitCodes.ok || swaps === 0) return code;
    return interruptible((signal) => refreshAloud(dex, { progress: createProgress(), signal }));
  });
}

async function dryRunOf(inputs: readonly string[], to: NewStore, reading: ImportFilesOptions): Promise<ExitCode> {
  const summary = await imported(to, inputs, reading);
  const first = summary.prices.slice(0, SHOWN);
  print('Nothing is written.');
  if (first.length > 0) print('First prices as they would be stored:');
  for (const price of first) print(`  ${JSON.stringify(price)}  known from ${formatTime(price.time)}`);
  print(priceSummary(summary, to.config).join('\n'));
  return endOf(summary, to.config);
}

async function imported(
  to: Swapfold | NewStore,
  inputs: readonly string[],
  reading: ImportFilesOptions,
): Promise<ImportSummary> {
  const importing = importFiles(to, inputs, reading);
  const teller = new StepTeller(importing.summary);
  for await (const step of importing) teller.tell(step);
  return importing;
}
