/**
 * Swap events that became no swap, by reason, and swaps whose wallet is assumed.
 *
 * - `other_pools`: of pools that no followed factory or manager made.
 * - `malformed`: the topic of a swap, with other fields.
 * - `no_exchange`: the pool did not receive one token and give the other, as in a flash loan.
 * - `no_decimals`: a token does not tell its decimals.
 * - `no_initialize`: the node does not give the event by which a manager said what tokens the pool has.
 * - `searched_pools`: that event is still searched for; these are stored once it is found, and count no more.
 * - `assumed_wallets`: swaps that are stored, and of the sender because no rule says whose they are.
 */
export interface Undecoded {
  other_pools: number;
  malformed: number;
  no_exchange: number;
  no_decimals: number;
  no_initialize: number;
  searched_pools: number;
  assumed_wallets: number;
}

export const noneUndecoded = (): Undecoded => ({
  other_pools: 0,
  malformed: 0,
  no_exchange: 0,
  no_decimals: 0,
  no_initialize: 0,
  searched_pools: 0,
  assumed_wallets: 0,
});

export function sumUndecoded(a: Undecoded, b: Undecoded): Undecoded {
  const total = noneUndecoded();
  for (const reason of Object.keys(total) as (keyof Undecoded)[]) total[reason] = a[reason] + b[reason];
  return total;
}
