-- name: dune-solana
-- source: Dune, dex_solana.trades
-- layout: https://github.com/duneanalytics/spellbook, dex_solana.trades
-- amounts: pool
-- addresses: solana
-- needs: block_time, tx_id, outer_instruction_index, inner_instruction_index, trader_id, token_sold_mint_address
-- needs: token_bought_mint_address, token_sold_amount, token_bought_amount
-- may: block_slot, tx_index, token_sold_symbol, token_bought_symbol, amount_usd, project
-- chain: blockchain or network or chain
select
  block_time,
  block_slot,
  tx_id as tx_hash,
  tx_index,
  place(outer_instruction_index, inner_instruction_index) as swap_index,
  trader_id as wallet,
  token_sold_mint_address as token_in,
  token_bought_mint_address as token_out,
  token_sold_amount as token_amount_in,
  token_bought_amount as token_amount_out,
  token_sold_symbol as token_symbol_in,
  token_bought_symbol as token_symbol_out,
  amount_usd as usd_amount_in,
  amount_usd as usd_amount_out,
  project as protocol
from input
