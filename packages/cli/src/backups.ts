import { basename, extname, join } from 'node:path';
import type { Swapfold } from '@swapfold/core';
import type { StoreUrl } from './options/store-url.ts';
import type { ServerLog } from './request-log.ts';
import { formatMegabytes } from './text/numbers.ts';

/** Writes a copy of the served store into a folder at each SIGUSR2, until it is disposed. */
export interface Backups {
  /** Stops listening, and aborts a copy that is being written. */
  dispose(): Promise<void>;
}

/** `folder` is absent if the server writes no copies: then the signal is only logged. */
export function backupOnSignal(
  store: Promise<Swapfold>,
  { db, folder, log }: { readonly db: StoreUrl; readonly folder: string | undefined; readonly log: ServerLog },
): Backups {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function write(into: string): Promise<void> {
    const file = join(into, backupName(db, new Date()));
    try {
      const { path, bytes } = await (await store).backup(file, { signal: stopping.signal });
      log.say(`Wrote the backup ${path}, ${formatMegabytes(bytes)}.`);
    } catch (err) {
      log.error({ err }, 'The backup was not written:');
    }
  }

  const listen = (): void => {
    if (folder === undefined) log.say('SIGUSR2 writes a backup if the server has --backup-dir.');
    else if (running !== undefined) log.say('A backup is being written already.');
    else
      running = write(folder).finally(() => {
        running = undefined;
      });
  };
  process.on('SIGUSR2', listen);
  return {
    async dispose() {
      process.off('SIGUSR2', listen);
      stopping.abort();
      await running;
    },
  };
}

/** `dex-20250131T120000Z.duckdb` of `dex.duckdb`. */
export function backupName({ path }: StoreUrl, now: Date): string {
  const extension = extname(path);
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${basename(path, extension)}-${time}${extension}`;
}
