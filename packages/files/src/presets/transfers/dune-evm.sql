-- name: dune-evm
-- rows: transfers
-- source: Dune, tokens.transfers
-- layout: https://github.com/duneanalytics/spellbook, tokens.transfers
-- addresses: evm
-- note: Rows list all movements, those of swaps too. They have no index of their own here, so that Etherscan's export of the same transfers adds none. amount is in whole tokens; a row without it, of a token whose decimals Dune does not know, is rejected. Rows of tokens that are not fungible are passed over.
-- needs: block_time, tx_hash, from, to, contract_address, amount, amount_raw
-- may: block_number, tx_index, token_standard
-- value: amount_usd
-- chain: blockchain or network or chain
select
  case when lower(token_standard) in ('erc721', 'erc1155', 'bep721', 'bep1155') then 'token_standard is ' || token_standard end as passed,
  block_time,
  block_number as block_slot,
  tx_hash,
  tx_index,
  contract_address as token,
  coalesce(amount::varchar, refused('is missing: Dune does not know the decimals of the token, only its amount in smallest units')) as token_amount,
  "from",
  "to",
  true as includes_swaps
from input
