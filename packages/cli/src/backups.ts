import { basename, extname, join } from 'node:path';
import { type Swapfold, SwapfoldError } from '@swapfold/core';
import type { WrittenBackup } from '@swapfold/server';
import type { StoreUrl } from './options/store-url.ts';
import type { ServerLog } from './request-log.ts';
import { formatMegabytes } from './text/numbers.ts';

/** Writes copies of the served store into one folder: at each SIGUSR2, and when it is asked to. */
export interface Backups {
  /** Errors: `not-found` if the server has no folder for them; `unavailable` while one is being written; the errors of `dex.backup`. */
  write(): Promise<WrittenBackup>;
  /** Stops listening, and aborts a copy that is being written. */
  dispose(): Promise<void>;
}

/** `folder` is absent if the server writes no copies: then the signal is only logged. */
export function backupsOf(
  store: Promise<Swapfold>,
  { db, folder, log }: { readonly db: StoreUrl; readonly folder: string | undefined; readonly log: ServerLog },
): Backups {
  const stopping = new AbortController();
  let running: Promise<WrittenBackup> | undefined;

  async function writeInto(into: string): Promise<WrittenBackup> {
    const file = backupName(db, new Date());
    const { path, bytes } = await (await store).backup(join(into, file), { signal: stopping.signal });
    log.say(`Wrote the backup ${path}, ${formatMegabytes(bytes)}.`);
    return { file, bytes };
  }

  async function write(): Promise<WrittenBackup> {
    if (folder === undefined)
      throw new SwapfoldError('not-found', 'This server has no folder for backups: start it with --backup-dir FOLDER.');
    if (running !== undefined)
      throw new SwapfoldError('unavailable', 'A backup is being written already: ask again when it is done.');
    running = writeInto(folder).finally(() => {
      running = undefined;
    });
    return running;
  }

  const listen = (): void => {
    if (folder === undefined) log.say('SIGUSR2 writes a backup if the server has --backup-dir.');
    else write().catch((err: unknown) => log.error({ err }, 'The backup was not written:'));
  };
  process.on('SIGUSR2', listen);
  return {
    write,
    async dispose() {
      process.off('SIGUSR2', listen);
      stopping.abort();
      await running?.catch(() => undefined);
    },
  };
}

/** `dex-20250131T120000Z.duckdb` of `dex.duckdb`. */
export function backupName({ path }: StoreUrl, now: Date): string {
  const extension = extname(path);
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${basename(path, extension)}-${time}${extension}`;
}
