import { SwapfoldError } from '@swapfold/core';
import { type StoreUrl, showPath } from './options/store-url.ts';

/** What profiles alone depend on: paths of the details of a `store-mismatch`. */
const ofProfiles = ['labels.tokens', 'labels.wallets', 'metrics', 'token_profiles', 'wallet_profiles'];

/** Whether a store that was refused is right but for its profiles. */
export function isOfProfiles({ details }: SwapfoldError): boolean {
  return details.every(({ path }) => ofProfiles.includes(path));
}

/** Says of a store that is refused which command would do. */
export function mismatchForCommands(url: StoreUrl): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof SwapfoldError && error.code === 'store-mismatch')) throw error;
    if (error.details.some(({ path }) => path === 'shard')) throw error;
    const differences = error.details.map(({ path, message }) => `"${path}": ${message}`).join('; ');
    const db = `--db ${url.engine}:${showPath(url)}`;
    const remedy = isOfProfiles(error)
      ? `or fold its profiles with these settings: swapfold refresh ${db} --config FILE`
      : `or fold it with these settings: swapfold rebuild ${db} --config FILE`;
    throw new SwapfoldError(
      'store-mismatch',
      `The store was folded with other settings: ${differences}. Give its own (--config FILE), ${remedy}`,
      { details: error.details, cause: error },
    );
  };
}
