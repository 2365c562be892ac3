import { type ErrorDetail, SwapfoldError } from '@swapfold/core';
import { type StoreUrl, showPath } from './options/store-url.ts';
import { note } from './output.ts';

/** What profiles alone depend on: paths of the details of a `store-mismatch`. */
const ofProfiles = ['labels.tokens', 'labels.wallets', 'metrics', 'token_profiles', 'wallet_profiles'];

/** Whether a store that was refused is right but for its profiles. */
export function isOfProfiles({ details }: SwapfoldError): boolean {
  return details.every(({ path }) => ofProfiles.includes(path));
}

/**
 * Says of a store that is refused which command would do.
 *
 * - `isGiven`: whether a configuration was given, or else the store's own did not fit.
 */
export function mismatchForCommands(url: StoreUrl, isGiven: boolean): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SwapfoldError && error.code === 'store-mismatch')) throw error;
    const differences = error.details.map(({ path, message }) => `"${path}": ${message}`).join('; ');
    const db = `--db ${url.engine}:${showPath(url)}`;
    const [what, command] = isOfProfiles(error) ? ['its profiles', 'refresh'] : ['it', 'rebuild'];
    const remedy = isGiven
      ? `Leave out --config to use the store's own settings, or fold ${what} with these: swapfold ${command} ${db} --config FILE`
      : `Fold ${what} again: swapfold ${command} ${db}. If an earlier version made the store with --config FILE, give that once more`;
    throw new SwapfoldError('store-mismatch', `The store was folded with other settings: ${differences}. ${remedy}`, {
      details: error.details,
      cause: error,
    });
  };
}

/** Says in what the given configuration differs from the store's own where nothing stored depends on it. */
export function noteDifference({ path, message }: ErrorDetail): void {
  note(`"${path}": ${message}, which counts.`);
}
