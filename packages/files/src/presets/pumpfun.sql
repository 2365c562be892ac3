-- name: pumpfun
-- source: pump.fun, trades of a coin
-- layout: frontend-api of pump.fun, /trades/all/{mint}: signature, mint, sol_amount, token_amount, is_buy, user, timestamp, tx_index, slot
-- amounts: pool
-- addresses: solana
-- note: Amounts are lamports, and millionths of a coin. Trades have no index: it is made of a hash of coin, side and amounts.
-- needs: signature, mint, sol_amount, token_amount, is_buy, user, timestamp
-- may: slot, tx_index
select
  timestamp as block_time,
  slot as block_slot,
  signature as tx_hash,
  tx_index,
  hash_index(concat_ws(chr(10), mint, is_true(is_buy)::varchar, plain(sol_amount), plain(token_amount))) as swap_index,
  "user" as wallet,
  case when is_true(is_buy) then wrapped_sol() else mint end as token_in,
  case when is_true(is_buy) then mint else wrapped_sol() end as token_out,
  case when is_true(is_buy) then units(sol_amount, 9) else units(token_amount, 6) end as token_amount_in,
  case when is_true(is_buy) then units(token_amount, 6) else units(sol_amount, 9) end as token_amount_out,
  'pump_fun' as protocol,
  case when is_true(is_buy) is null then 'is_buy is neither true nor false' end as passed
from input
