-- name: cielo
-- source: Cielo, items of its feed that are swaps
-- layout: https://developer.cielo.finance, /v1/feed: wallet, tx_hash, tx_type, chain, index, timestamp, block, dex, token0_address, token0_amount, token1_address, token1_amount
-- note: One file has swaps and transfers: import it as both. Each import takes its rows, and passes over and counts the others. The wallet gave token0.
-- only: tx_type is swap
-- needs: tx_type, tx_hash, index, timestamp, wallet, token0_address, token1_address, token0_amount, token1_amount
-- may: block, chain or network or blockchain, dex, token0_symbol, token1_symbol, token0_amount_usd, token1_amount_usd
-- chain: chain or network or blockchain
select
  timestamp as block_time,
  block as block_slot,
  tx_hash,
  index as swap_index,
  wallet,
  native_token(token0_address, chain) as token_in,
  native_token(token1_address, chain) as token_out,
  token0_amount as token_amount_in,
  token1_amount as token_amount_out,
  token0_symbol as token_symbol_in,
  token1_symbol as token_symbol_out,
  token0_amount_usd as usd_amount_in,
  token1_amount_usd as usd_amount_out,
  lower(dex) as protocol
from input
