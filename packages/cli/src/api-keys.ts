import { type ConfigInput, SwapfoldError } from '@swapfold/core';
import { parseConfig } from '@swapfold/core/host';
import type { KeyEntry } from '@swapfold/server';
import { readJsonFile } from './json-file.ts';

/** Where the keys of a server come from. */
export interface KeySources {
  /** A JSON file: a list of keys, of their hashes, or of objects with `key`, `name`, `operations`, `rate`. */
  readonly file: string | undefined;
  readonly config: ConfigInput | undefined;
  /** Keys separated by commas. */
  readonly variable: string | undefined;
}

/** The keys of a server: from the file, the configuration and the environment variable. Errors: `invalid-config`, also if there are none. */
export async function readApiKeys({ file, config, variable }: KeySources): Promise<readonly KeyEntry[]> {
  const given = (variable ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  const keys = [...(await readKeysFile(file)), ...parseConfig(config).api_keys, ...given];
  if (keys.length > 0) return keys;
  throw new SwapfoldError(
    'invalid-config',
    'There is no API key, so nobody could call the server: set SWAPFOLD_API_KEYS=KEY[,KEY...], "api_keys" in the configuration, or --keys FILE.',
  );
}

/** The server checks the entries; they come first in its list, so that the places in its messages are those of the file. */
async function readKeysFile(path: string | undefined): Promise<readonly KeyEntry[]> {
  if (path === undefined) return [];
  const entries = await readJsonFile(path, 'the file of keys');
  if (Array.isArray(entries)) return entries;
  throw new SwapfoldError('invalid-config', `The file of keys ${path} does not hold a list, as in ["sha256:..."].`);
}
