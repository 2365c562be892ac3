-- name: dune-solana
-- rows: transfers
-- source: Dune, tokens_solana.transfers
-- layout: https://github.com/duneanalytics/spellbook, tokens_solana.transfers
-- addresses: solana
-- note: Rows list all movements, those of swaps too. amount is in smallest units: select amount_display beside it, or join tokens_solana.fungible for decimals. A file of one token can do with --set decimals=.
-- set: decimals unless amount_display or decimals = how many decimals the token of the file has, if the file has neither amount_display nor decimals
-- needs: block_time, tx_id, token_mint_address, amount, from_owner, to_owner
-- may: block_slot, tx_index, amount_display, decimals
-- value: amount_usd
-- chain: blockchain or network or chain
select
  block_time,
  block_slot,
  tx_id as tx_hash,
  tx_index,
  token_mint_address as token,
  coalesce(amount_display::varchar, units(amount, coalesce(decimals::varchar, getvariable('decimals')))) as token_amount,
  from_owner as "from",
  to_owner as "to",
  true as includes_swaps
from input
