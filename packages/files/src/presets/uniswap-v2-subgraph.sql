-- name: uniswap-v2-subgraph
-- source: subgraph of Uniswap v2 or a fork, swaps
-- layout: https://github.com/Uniswap/v2-subgraph, schema.graphql, Swap
-- amounts: pool
-- addresses: evm
-- only: __typename is Swap
-- needs: timestamp, transaction.id or transaction_id or transaction, logIndex, from
-- needs: pair.token0.id or token0.id or token0_id or token0, pair.token1.id or token1.id or token1_id or token1
-- needs: amount0In, amount0Out, amount1In, amount1Out
-- may: transaction.blockNumber or transaction_blockNumber or blockNumber, pair.id or pair_id or pair, amountUSD
-- may: pair.token0.symbol or token0.symbol or token0_symbol, pair.token1.symbol or token1.symbol or token1_symbol
-- chain: network or networkId or blockchain or chain
select
  timestamp as block_time,
  "transaction.blockNumber" as block_slot,
  "transaction.id" as tx_hash,
  logIndex as swap_index,
  logIndex as log_index,
  "from" as wallet,
  case when gives_first(less(amount0In, amount0Out), less(amount1In, amount1Out)) then "pair.token0.id" else "pair.token1.id" end as token_in,
  case when gives_first(less(amount0In, amount0Out), less(amount1In, amount1Out)) then "pair.token1.id" else "pair.token0.id" end as token_out,
  given_amount(less(amount0In, amount0Out), less(amount1In, amount1Out)) as token_amount_in,
  received_amount(less(amount0In, amount0Out), less(amount1In, amount1Out)) as token_amount_out,
  case when gives_first(less(amount0In, amount0Out), less(amount1In, amount1Out)) then "pair.token0.symbol" else "pair.token1.symbol" end as token_symbol_in,
  case when gives_first(less(amount0In, amount0Out), less(amount1In, amount1Out)) then "pair.token1.symbol" else "pair.token0.symbol" end as token_symbol_out,
  amountUSD as usd_amount_in,
  amountUSD as usd_amount_out,
  'uniswap_v2' as protocol,
  "pair.id" as pool
from input
