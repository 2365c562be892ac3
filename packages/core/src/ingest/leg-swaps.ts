import type { Batch } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';

/** What the ledgers of pairs need of swaps. */
export const legFields = [
  'seq',
  'tx',
  'wallet',
  'token_in',
  'token_out',
  'token_amount_in',
  'token_amount_out',
  'pre_token_balance_in',
  'pre_token_balance_out',
  'post_token_balance_in',
  'post_token_balance_out',
  'pool_amount_in',
  'pool_amount_out',
] as const;

export type LegSwaps = Batch<typeof swapsTable, (typeof legFields)[number]>;

/** The same arrays in an object of a fixed shape, as `ledgerTrades`. */
export function legSwaps({ length, columns: c }: LegSwaps): LegSwaps {
  return {
    length,
    columns: {
      seq: c.seq,
      tx: c.tx,
      wallet: c.wallet,
      token_in: c.token_in,
      token_out: c.token_out,
      token_amount_in: c.token_amount_in,
      token_amount_out: c.token_amount_out,
      pre_token_balance_in: c.pre_token_balance_in,
      pre_token_balance_out: c.pre_token_balance_out,
      post_token_balance_in: c.post_token_balance_in,
      post_token_balance_out: c.post_token_balance_out,
      pool_amount_in: c.pool_amount_in,
      pool_amount_out: c.pool_amount_out,
    },
  };
}
