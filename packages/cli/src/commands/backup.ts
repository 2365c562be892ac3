import { SwapfoldError } from '@swapfold/core';
import { backup } from '@swapfold/core/host';
import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { readerOf, requireStore } from '../open-store.ts';
import { addDbOption, examplesHelp } from '../options/store-options.ts';
import { type StoreUrl, showPath } from '../options/store-url.ts';
import { print } from '../output.ts';
import { formatMegabytes } from '../text/numbers.ts';

/** `swapfold backup FILE --db URL` */
export function addBackup(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('backup')
    .argument('<file>', 'the copy to write; no file of that name may exist')
    .summary('copy a store into a file, also while it is written to')
    .description(
      'Writes a copy of a store as it is at one commit into a new file of the same engine. An SQLite store can be in use meanwhile. DuckDB lets no second process in: the process that has the store open writes the copy ("swapfold serve --backup-dir", dex.backup). For ClickHouse use "swapfold copy" or its own BACKUP.',
    );
  addDbOption(command)
    .addHelpText('after', examplesHelp(['swapfold backup dex-2025-01-31.db --db dex.db']))
    .action(async (file: string, { db }: { readonly db: StoreUrl }) =>
      end(await interruptible((signal) => writeBackup(db, file, signal))),
    );
}

async function writeBackup(db: StoreUrl, file: string, signal: AbortSignal): Promise<void> {
  await requireStore(db);
  const { path, bytes } = await backup(await readerOf(db), file, { signal }).catch((error: unknown) => {
    throw isHeld(db, error) ? heldError(db, error as SwapfoldError) : error;
  });
  print(`Wrote ${path}, ${formatMegabytes(bytes)}. "swapfold verify --db ${db.engine}:${file}" checks it.`);
}

function isHeld({ engine }: StoreUrl, error: unknown): boolean {
  return engine === 'duckdb' && error instanceof SwapfoldError && error.code === 'store-locked';
}

function heldError(db: StoreUrl, cause: SwapfoldError): SwapfoldError {
  return new SwapfoldError(
    'store-locked',
    `${showPath(db)} is open in another process, and DuckDB lets no second process in. Have that process write the copy: send SIGUSR2 to "swapfold serve --backup-dir DIR", or call dex.backup(path).`,
    { cause },
  );
}
