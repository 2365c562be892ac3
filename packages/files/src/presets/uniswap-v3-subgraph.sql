-- name: uniswap-v3-subgraph
-- source: subgraph of Uniswap v3 or a fork, swaps
-- layout: https://github.com/Uniswap/v3-subgraph, schema.graphql, Swap
-- amounts: pool
-- addresses: evm
-- note: A pool of v4, told by the 32 bytes of its id, has the protocol uniswap_v4.
-- note: Amounts are the pool's: the wallet gave the token whose amount is positive.
-- only: __typename is Swap
-- needs: timestamp, transaction.id or transaction_id or transaction, logIndex, origin, amount0, amount1
-- needs: token0.id or token0_id or token0 or pool.token0.id, token1.id or token1_id or token1 or pool.token1.id
-- may: transaction.blockNumber or transaction_blockNumber or blockNumber, pool.id or pool_id or pool, amountUSD
-- may: token0.symbol or token0_symbol or pool.token0.symbol, token1.symbol or token1_symbol or pool.token1.symbol
-- chain: network or networkId or blockchain or chain
select
  timestamp as block_time,
  "transaction.blockNumber" as block_slot,
  "transaction.id" as tx_hash,
  logIndex as swap_index,
  logIndex as log_index,
  origin as wallet,
  case when gives_first(amount0, amount1) then "token0.id" else "token1.id" end as token_in,
  case when gives_first(amount0, amount1) then "token1.id" else "token0.id" end as token_out,
  given_amount(amount0, amount1) as token_amount_in,
  received_amount(amount0, amount1) as token_amount_out,
  case when gives_first(amount0, amount1) then "token0.symbol" else "token1.symbol" end as token_symbol_in,
  case when gives_first(amount0, amount1) then "token1.symbol" else "token0.symbol" end as token_symbol_out,
  amountUSD as usd_amount_in,
  amountUSD as usd_amount_out,
  case when length("pool.id") = 66 then 'uniswap_v4' else 'uniswap_v3' end as protocol,
  "pool.id" as pool
from input
