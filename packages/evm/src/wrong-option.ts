import { SwapfoldError } from '@swapfold/core';

/** An option that is wrong: its path, and what would do. */
export function wrongOption(path: string, message: string): SwapfoldError {
  return new SwapfoldError('invalid-input', `"${path}" of evmSource: ${message}.`, { details: [{ path, message }] });
}
