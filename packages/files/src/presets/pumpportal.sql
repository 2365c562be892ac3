-- name: pumpportal
-- source: PumpPortal, messages of its stream as people record them
-- layout: https://pumpportal.fun/data-api/real-time: signature, mint, traderPublicKey, txType, tokenAmount, solAmount, newTokenBalance, pool
-- amounts: pool
-- addresses: solana
-- note: The stream has no time: the recorder's timestamp is read, or --set time=. A creation with a purchase is that purchase. Other creations, and migrations, are passed over.
-- only: txType is buy or sell or create
-- set: time unless timestamp = the time of all trades of the file
-- needs: signature, mint, traderPublicKey, txType, tokenAmount or initialBuy, solAmount
-- may: timestamp, initialBuy, newTokenBalance, pool, bondingCurveKey
select
  coalesce(timestamp::varchar, getvariable('time')) as block_time,
  signature as tx_hash,
  hash_index(concat_ws(chr(10), mint, case when lower(trim(txType)) = 'sell' then 'sell' else 'buy' end, plain(solAmount), plain(coalesce(tokenAmount, initialBuy)))) as swap_index,
  traderPublicKey as wallet,
  case when lower(trim(txType)) = 'sell' then mint else wrapped_sol() end as token_in,
  case when lower(trim(txType)) = 'sell' then wrapped_sol() else mint end as token_out,
  case when lower(trim(txType)) = 'sell' then tokenAmount else solAmount end as token_amount_in,
  case when lower(trim(txType)) = 'sell' then solAmount else coalesce(tokenAmount, initialBuy) end as token_amount_out,
  case when lower(trim(txType)) = 'sell' then newTokenBalance end as post_token_balance_in,
  case when lower(trim(txType)) = 'buy' then newTokenBalance end as post_token_balance_out,
  pool as protocol,
  bondingCurveKey as pool,
  case when lower(trim(txType)) = 'create' and coalesce(try_cast(coalesce(tokenAmount, initialBuy) as double), 0) = 0 then 'txType is create, without a purchase' end as passed
from input
