-- name: dune-evm
-- source: Dune, dex.trades
-- layout: https://github.com/duneanalytics/spellbook, dex.trades
-- amounts: pool
-- addresses: evm
-- note: The wallet is tx_from: the taker is often a router.
-- needs: block_time, tx_hash, evt_index, tx_from, token_sold_address, token_bought_address, token_sold_amount
-- needs: token_bought_amount
-- may: block_number, token_sold_symbol, token_bought_symbol, amount_usd, project, version, project_contract_address
-- chain: blockchain or network or chain
select
  block_time,
  block_number as block_slot,
  tx_hash,
  evt_index as swap_index,
  evt_index as log_index,
  tx_from as wallet,
  token_sold_address as token_in,
  token_bought_address as token_out,
  token_sold_amount as token_amount_in,
  token_bought_amount as token_amount_out,
  token_sold_symbol as token_symbol_in,
  token_bought_symbol as token_symbol_out,
  amount_usd as usd_amount_in,
  amount_usd as usd_amount_out,
  nullif(concat_ws('_v', nullif(project::varchar, ''), nullif(version::varchar, '')), '') as protocol,
  project_contract_address as pool
from input
