/** The columns of the market's files, but for the transaction's hash. */
export const textColumns = [
  'protocol',
  'wallet',
  'token_in',
  'token_out',
  'token_symbol_in',
  'token_symbol_out',
] as const;
export const numberColumns = [
  'swap_index',
  'block_time',
  'block_slot',
  'tx_index',
  'token_amount_in',
  'token_amount_out',
  'token_price_in',
  'token_price_out',
  'usd_amount_in',
  'usd_amount_out',
  'pre_token_balance_in',
  'pre_token_balance_out',
  'post_token_balance_in',
  'post_token_balance_out',
] as const;
