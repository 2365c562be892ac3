import { readFile } from 'node:fs/promises';
import { type ConfigInput, SwapfoldError } from '@swapfold/core';

/** What the configuration file says; opening the store checks it. Errors: `invalid-config` where it cannot be read or is not JSON. */
export async function readConfigFile(path: string | undefined): Promise<ConfigInput | undefined> {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : message;
    throw new SwapfoldError('invalid-config', `Cannot read the configuration ${path}: ${reason}.`, { cause });
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new SwapfoldError('invalid-config', `The configuration ${path} is not JSON: ${(cause as Error).message}.`, {
      cause,
    });
  }
}
