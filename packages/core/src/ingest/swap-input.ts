/**
 * One swap as a caller hands it in: a plain object with the interface's field names.
 *
 * - A missing optional field and `null` mean the same: the feed does not say.
 * - Amounts and balances are whole tokens (decimals applied), prices USD per token, times Unix seconds; `ingest` takes a `Date` as well, of which the whole second
 *   counts (`SwapInput<Date>`).
 */
export interface SwapInput<Time extends number | Date = number> {
  readonly tx_hash: string;
  /** Place of the swap in its transaction; (tx_hash, swap_index) identifies it. */
  readonly swap_index: number;
  /** Unix seconds, UTC. */
  readonly block_time: Time;
  readonly wallet: string;
  /** What the wallet gives. */
  readonly token_in: string;
  /** What the wallet receives. */
  readonly token_out: string;
  readonly token_amount_in: number;
  readonly token_amount_out: number;
  readonly block_slot?: number | null;
  /** Place of the transaction in its block: an extension of the interface, which settles ties within a block. */
  readonly tx_index?: number | null;
  readonly protocol?: string | null;
  readonly token_symbol_in?: string | null;
  readonly token_symbol_out?: string | null;
  readonly token_price_in?: number | null;
  readonly token_price_out?: number | null;
  readonly pre_token_balance_in?: number | null;
  readonly pre_token_balance_out?: number | null;
  readonly post_token_balance_in?: number | null;
  readonly post_token_balance_out?: number | null;
  readonly usd_amount_in?: number | null;
  readonly usd_amount_out?: number | null;
}

/** A swap with any of the times that `ingest` takes. */
export type GivenSwap = SwapInput<number | Date>;
