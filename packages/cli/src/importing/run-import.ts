import { type Config, type Swapfold, SwapfoldError } from '@swapfold/core';
import { parseConfig } from '@swapfold/core/host';
import {
  type ImportFilesOptions,
  type ImportSummary,
  importFiles,
  type NewStore,
  refuseOverwriting,
} from '@swapfold/files';
import { readConfigFile } from '../config-file.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { interruptible, watchInterruption } from '../interruption.ts';
import { isStore, openStore, type StoreOptions, withStore } from '../open-store.ts';
import { note, print } from '../output.ts';
import { createProgress } from '../progress/create-progress.ts';
import { refreshAloud } from '../refreshing.ts';
import { noteRefused, StepTeller } from './steps.ts';
import { summaryLines } from './summary.ts';

export interface ImportOptions extends StoreOptions {
  /** False with `--no-refresh`. */
  readonly refresh: boolean;
  readonly rejects?: string | undefined;
}

export interface ImportJob {
  readonly inputs: readonly string[];
  readonly options: ImportOptions;
  readonly reading: ImportFilesOptions;
  /** Tells more after the summary, once all is stored. */
  readonly tell?: (dex: Swapfold) => Promise<unknown>;
}

/**
 * Stores the files, tells what became of their rows, and refreshes the profiles.
 *
 * - A store is made once there is something to store in it.
 * - Exit code: `failed` where there were rows and nothing of them can be stored; `interrupted` after a signal, with the current batch stored.
 */
export async function runImport(job: ImportJob): Promise<ExitCode> {
  const { db, config: path, rejects } = job.options;
  refuseOverwriting(rejects, [path, db.path]);
  return withImportStore(job.options, (to, storeOf) => importInto(to, storeOf, job));
}

/** The store that is imported into, or how it is made; and the store, once it is open. */
type ImportWork = (to: Swapfold | NewStore, storeOf: () => Swapfold | undefined) => Promise<ExitCode>;

/** Lends `work` a store, or one that is made once there is something to store. */
export async function withImportStore(options: StoreOptions, work: ImportWork): Promise<ExitCode> {
  if (await isStore(options.db)) return withStore(options, (dex) => work(dex, () => dex));
  const given = await readConfigFile(options.config);
  let dex: Swapfold | undefined;
  const open = async (): Promise<Swapfold> => {
    dex = await openStore(options.db, given);
    return dex;
  };
  return work({ config: parseConfig(given), open }, () => dex).finally(() => dex?.close());
}

async function importInto(
  to: Swapfold | NewStore,
  storeOf: () => Swapfold | undefined,
  { inputs, options, reading, tell }: ImportJob,
): Promise<ExitCode> {
  const stopping = new AbortController();
  const interruption = watchInterruption(() => {
    note('\nStopping after the current batch ...');
    stopping.abort();
  });
  const progress = createProgress();
  const { signal } = stopping;
  const importing = importFiles(to, inputs, { ...reading, rejects: options.rejects, signal });
  const { summary } = importing;
  const teller = new StepTeller(summary, progress);
  const sum = (): void =>
    print(summaryLines(summary, { seconds: teller.seconds, skipSame: reading.skipSame === true }).join('\n'));
  try {
    try {
      for await (const step of importing) teller.tell(step);
      teller.end();
    } catch (error) {
      teller.end();
      if (!(error instanceof SwapfoldError && error.code === 'aborted')) {
        if (storeOf() !== undefined && teller.hasBegun) sum();
        if (Object.values(summary.counts).some((count) => count > 0))
          note('What came before is stored; importing it again changes nothing.');
        throw error;
      }
    }
    sum();
    const dex = storeOf();
    if (dex === undefined) {
      note('No store was made: there is nothing to store.');
      return signal.aborted ? exitCodes.interrupted : endOf(summary, to.config);
    }
    await tell?.(dex);
    interruption.dispose();
    if (signal.aborted) {
      note('Interrupted. The counts above are of what is stored; the profiles are not refreshed.');
      note('Run the same command again to go on: what is stored is skipped.');
      return exitCodes.interrupted;
    }
    if (options.refresh) {
      const code = await interruptible((signal) => refreshAloud(dex, { progress, signal }));
      if (code !== exitCodes.ok) return code;
    }
    return endOf(summary, dex.config);
  } finally {
    interruption.dispose();
  }
}

/** `failed` if there were rows, and none of them can be stored. */
export function endOf(summary: ImportSummary, config: Config): ExitCode {
  const { rows, rejected, passed } = summary;
  if (rows === 0 || rejected + passed < rows) return exitCodes.ok;
  noteRefused(summary, config);
  return exitCodes.failed;
}
