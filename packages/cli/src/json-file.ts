import { readFile } from 'node:fs/promises';
import { SwapfoldError } from '@swapfold/core';

/**
 * The value of a JSON file of the operator.
 *
 * - `what` names it in messages: "the configuration".
 * - Errors: `invalid-config` where it cannot be read or is not JSON. They repeat nothing of its text, which may hold keys.
 */
export async function readJsonFile(path: string, what: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : message;
    throw new SwapfoldError('invalid-config', `Cannot read ${what} ${path}: ${reason}.`, { cause });
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    // V8 quotes the text around the fault after a comma.
    const reason = (error as Error).message.replace(/, (?:\.\.\.)?".*$/s, '');
    throw new SwapfoldError(
      'invalid-config',
      `${what[0]!.toUpperCase()}${what.slice(1)} ${path} is not JSON: ${reason}.`,
    );
  }
}
