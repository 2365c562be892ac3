-- name: dune-solana-bots
-- source: Dune, dex_solana.bot_trades
-- layout: https://github.com/duneanalytics/spellbook, dex_solana.bot_trades
-- amounts: pool
-- addresses: solana
-- note: project_contract_address is the program, not the pool.
-- needs: block_time, tx_id, outer_instruction_index, inner_instruction_index, user, token_sold_address
-- needs: token_bought_address, token_sold_amount, token_bought_amount, is_last_trade_in_transaction
-- may: block_slot, tx_index, token_sold_symbol, token_bought_symbol, amount_usd, project
-- chain: blockchain or network or chain
select
  block_time,
  block_slot,
  tx_id as tx_hash,
  tx_index,
  place(outer_instruction_index, inner_instruction_index) as swap_index,
  "user" as wallet,
  token_sold_address as token_in,
  token_bought_address as token_out,
  token_sold_amount as token_amount_in,
  token_bought_amount as token_amount_out,
  token_sold_symbol as token_symbol_in,
  token_bought_symbol as token_symbol_out,
  amount_usd as usd_amount_in,
  amount_usd as usd_amount_out,
  project as protocol
from input
