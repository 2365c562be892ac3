import type { ConfigInput, Swapfold } from '@swapfold/core';
import { readJsonFile } from './json-file.ts';

/** What the configuration file says; opening the store checks it. Errors: `invalid-config` where it cannot be read or is not JSON. */
export async function readConfigFile(path: string | undefined): Promise<ConfigInput | undefined> {
  if (path === undefined) return undefined;
  return (await readJsonFile(path, 'the configuration')) as ConfigInput;
}

/** What an open store remembers of its configuration. */
export function configOf({ config: { api_keys: _, ...config } }: Swapfold): ConfigInput {
  return config;
}
