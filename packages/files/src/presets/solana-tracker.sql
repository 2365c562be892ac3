-- name: solana-tracker
-- source: Solana Tracker, trades of a token
-- layout: https://docs.solanatracker.io, /trades/{tokenAddress}: tx, amount, priceUsd, volume, volumeSol, type, wallet, time, program
-- addresses: solana
-- note: The file does not name its token: --set token=. volume is in USD, volumeSol in SOL.
-- only: type is buy or sell
-- set: token = the address of the token whose trades these are
-- needs: tx, amount, type, wallet, time, volumeSol or solVolume, volume
-- may: program
select
  time as block_time,
  tx as tx_hash,
  hash_index(concat_ws(chr(10), getvariable('token'), lower(trim(type)), plain(amount), plain(volumeSol))) as swap_index,
  wallet,
  case when lower(trim(type)) = 'buy' then wrapped_sol() else getvariable('token') end as token_in,
  case when lower(trim(type)) = 'buy' then getvariable('token') else wrapped_sol() end as token_out,
  case when lower(trim(type)) = 'buy' then volumeSol else amount end as token_amount_in,
  case when lower(trim(type)) = 'buy' then amount else volumeSol end as token_amount_out,
  volume as usd_amount_in,
  volume as usd_amount_out,
  program as protocol
from input
