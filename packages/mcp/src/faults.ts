import { SwapfoldError } from '@swapfold/core';

/** An argument that is wrong, by its path. */
export function argumentFault(path: string, message: string): SwapfoldError {
  return new SwapfoldError('invalid-request', `"${path}": ${message}.`, { details: [{ path, message }] });
}
