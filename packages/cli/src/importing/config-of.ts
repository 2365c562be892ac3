import type { Config } from '@swapfold/core';
import { parseConfig } from '@swapfold/core/host';
import { readConfigFile } from '../config-file.ts';
import { isStore, withStoreToAsk } from '../open-store.ts';
import type { StoreUrl } from '../options/store-url.ts';

/** The configuration that files are read for: the given one, else that of the store, if it is there. */
export async function configOf({
  db,
  config: path,
}: {
  readonly db?: StoreUrl | undefined;
  readonly config?: string | undefined;
}): Promise<Config> {
  if (db !== undefined && path === undefined && (await isStore(db)))
    return withStoreToAsk({ db }, async (dex) => dex.config);
  return parseConfig(await readConfigFile(path));
}
