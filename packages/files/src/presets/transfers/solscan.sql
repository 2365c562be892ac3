-- name: solscan
-- rows: transfers
-- source: Solscan, transfers of an account or a token, saved as CSV or as answers of its API
-- layout: https://pro-api.solscan.io/pro-api-docs/v2.0, account/transfer and account/transfer/export: Signature, Block Time, Human Time, Action, From, To, Amount, Flow, Value, Decimals, Token Address
-- addresses: solana
-- note: Rows list all movements, those of swaps too. Amount is in smallest units, and Decimals says how many. Rows of other actions, such as opened and closed accounts, are passed over.
-- only: Action|activity_type is transfer or mint or burn or activity_spl_transfer or activity_spl_mint or activity_spl_burn
-- needs: Signature or trans_id, Block Time or block_time or Human Time, From or from_address, To or to_address
-- needs: Amount, Decimals or token_decimals, Token Address or token_address
-- may: block_id, Action or activity_type
-- value: Value
select
  "Block Time" as block_time,
  block_id as block_slot,
  "Signature" as tx_hash,
  native_token("Token Address", 'solana') as token,
  units("Amount", "Decimals") as token_amount,
  case when not contains(lower(coalesce("Action", '')), 'mint') then "From" end as "from",
  case when not contains(lower(coalesce("Action", '')), 'burn') then "To" end as "to",
  true as includes_swaps
from input
