-- name: flipside-solana
-- source: Flipside, solana.defi.ez_dex_swaps
-- layout: https://flipsidecrypto.github.io/solana-models, defi.ez_dex_swaps
-- addresses: solana
-- only: succeeded is true or 1
-- needs: BLOCK_TIMESTAMP, TX_ID, _LOG_ID, SWAPPER, SWAP_FROM_MINT, SWAP_TO_MINT, SWAP_FROM_AMOUNT, SWAP_TO_AMOUNT
-- may: BLOCK_ID, SWAP_FROM_SYMBOL, SWAP_TO_SYMBOL, SWAP_FROM_AMOUNT_USD, SWAP_TO_AMOUNT_USD, SWAP_PROGRAM
-- chain: blockchain or network
select
  block_timestamp as block_time,
  block_id as block_slot,
  tx_id as tx_hash,
  place_at_end(_log_id) as swap_index,
  swapper as wallet,
  swap_from_mint as token_in,
  swap_to_mint as token_out,
  swap_from_amount as token_amount_in,
  swap_to_amount as token_amount_out,
  swap_from_symbol as token_symbol_in,
  swap_to_symbol as token_symbol_out,
  swap_from_amount_usd as usd_amount_in,
  swap_to_amount_usd as usd_amount_out,
  swap_program as protocol
from input
