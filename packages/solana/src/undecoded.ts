/**
 * What touches an exchange and became no swap, by reason.
 *
 * - `no_exchange`: an instruction that swaps, below which no two opposite transfers were found.
 * - `no_amount`: a pool that pays lamports by itself, of which nothing says how many.
 * - `unknown_program`: a program that nobody knows takes or pays lamports by itself, which can be read one way only.
 * - `contradicts_balances`: the transfers do not come to what the token accounts held before and after.
 * - `contradicts_pool`: the pool has exchanged other tokens before.
 * - `no_decimals`: nothing of the transaction says how many decimals a token has.
 * - `no_inner_instructions`: the node did not record which instructions were called.
 * - `no_time`: the block is final, and the node does not say its time.
 * - `not_found`: the node listed a transaction that the chain has dropped.
 * - `malformed`: not a transaction as a node gives it with `encoding: "json"`.
 */
export interface Undecoded {
  no_exchange: number;
  no_amount: number;
  unknown_program: number;
  contradicts_balances: number;
  contradicts_pool: number;
  no_decimals: number;
  no_inner_instructions: number;
  no_time: number;
  not_found: number;
  malformed: number;
}

export const noneUndecoded = (): Undecoded => ({
  no_exchange: 0,
  no_amount: 0,
  unknown_program: 0,
  contradicts_balances: 0,
  contradicts_pool: 0,
  no_decimals: 0,
  no_inner_instructions: 0,
  no_time: 0,
  not_found: 0,
  malformed: 0,
});

/** Adds counts to others. */
export function addUndecoded(to: Undecoded, of: Undecoded): void {
  for (const reason of Object.keys(of) as (keyof Undecoded)[]) to[reason] += of[reason];
}
