import { type StoreStatus, type Swapfold, SwapfoldError } from '@swapfold/core';

/** How long an answer holds, ms: the route needs no key, and must not be a way to keep the store busy. */
const FRESH = 1000;

/** Says whether the store answers, by a cheap lookup: the portfolio of an address that nobody has. */
export function createProbe(dex: Swapfold): () => Promise<string> {
  let asked = -Infinity;
  let answer: Promise<string> | undefined;
  return () => {
    const now = performance.now();
    if (answer === undefined || now - asked > FRESH) {
      asked = now;
      answer = probe(dex);
    }
    return answer;
  };
}

async function probe(dex: Swapfold): Promise<string> {
  try {
    await dex.call('portfolios.get', { wallet: nobody[dex.config.address_format] });
    return JSON.stringify({ status: 'ready', ...lagOf(await dex.status(), Date.now() / 1000) });
  } catch (cause) {
    throw new SwapfoldError('unavailable', 'The store does not answer.', { cause });
  }
}

/** How far a store is behind the clock, for probes and metrics: seconds, `null` without swaps or profiles. */
export function lagOf(
  { newest_block_time, all_profiles_as_of, all_refreshed_at, sources }: StoreStatus,
  now: number,
): {
  readonly lag_seconds: number | null;
  readonly profiles_age_seconds: number | null;
  readonly full_refresh_age_seconds: number | null;
  readonly rows_followed: number;
} {
  const since = (time: number | null): number | null => (time === null ? null : Math.max(0, Math.floor(now - time)));
  return {
    lag_seconds: since(newest_block_time),
    profiles_age_seconds: since(all_profiles_as_of),
    full_refresh_age_seconds: since(all_refreshed_at),
    rows_followed: sources.reduce((sum, { rows }) => sum + rows, 0),
  };
}

const nobody = {
  solana: '1'.repeat(32),
  evm: `0x${'0'.repeat(40)}`,
  tron: `0x${'0'.repeat(40)}`,
  sui: '0x0',
  any: '-',
} as const;
