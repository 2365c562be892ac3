import { SwapfoldError } from '@swapfold/core';
import { backup } from '@swapfold/core/host';
import type { WrittenBackup } from '@swapfold/server';
import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { readerOf, requireStore } from '../open-store.ts';
import { examplesHelp } from '../options/store-options.ts';
import { parseStoreUrl, type StoreUrl, showPath, storeForms } from '../options/store-url.ts';
import { print } from '../output.ts';
import { callServer, KEY_VARIABLE, parseServerUrl } from '../remote.ts';
import { formatMegabytes } from '../text/numbers.ts';

interface BackupOptions {
  readonly db?: StoreUrl;
  readonly url?: string;
}

/** `swapfold backup FILE --db URL`, `swapfold backup --url URL` */
export function addBackup(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('backup')
    .argument('[file]', 'the copy to write, of --db; no file of that name may exist')
    .summary('copy a store into a file, also while it is written to')
    .description(
      `Writes a copy of a store as it is at one commit into a new file of the same engine. An SQLite store can be in use meanwhile. DuckDB lets no second process in: the process that has the store open writes the copy, into the folder of its --backup-dir and under a name of its own. --url has a server do so, with the key in ${KEY_VARIABLE}, which needs "server.backup" among its "operations". For ClickHouse use "swapfold copy" or its own BACKUP.`,
    )
    .option('--db <url>', `the store: ${storeForms}`, parseStoreUrl)
    .option('--url <url>', 'the address of the server that has the store open', parseServerUrl)
    .hook('preAction', requireOne)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold backup dex-2025-01-31.db --db dex.db',
        `${KEY_VARIABLE}=key-of-the-operator swapfold backup --url http://127.0.0.1:8080`,
      ]),
    )
    .action(async (file: string | undefined, { db, url }: BackupOptions) => {
      const work = (signal: AbortSignal): Promise<void> =>
        db === undefined ? requestBackup(url!, signal) : writeBackup(db, file!, signal);
      end(await interruptible(work, url && 'Interrupted. The server may write the copy all the same.'));
    });
}

/** A file of a store, or a server. */
function requireOne(command: Command): void {
  const { db, url }: BackupOptions = command.opts();
  const [file] = command.args;
  if (db === undefined && url === undefined)
    command.error("error: required option '--db <url>' not specified, or '--url <url>' of a server");
  if (db !== undefined && url !== undefined)
    command.error('error: --db and --url exclude each other: give one of them');
  if (db !== undefined && file === undefined) command.error("error: missing required argument 'file'");
  if (url !== undefined && file !== undefined)
    command.error(`error: the server names the copy itself: leave out '${file}'`);
}

async function requestBackup(url: string, signal: AbortSignal): Promise<void> {
  const { file, bytes } = await callServer<WrittenBackup>(url, '/v1/server/backup', signal);
  print(`The server wrote ${file}, ${formatMegabytes(bytes)}, into the folder of its --backup-dir.`);
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
    `${showPath(db)} is open in another process, and DuckDB lets no second process in. Have that process write the copy: "swapfold backup --url URL" or SIGUSR2 to "swapfold serve --backup-dir FOLDER", or dex.backup(path).`,
    { cause },
  );
}
