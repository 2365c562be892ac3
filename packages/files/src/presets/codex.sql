-- name: codex
-- source: Codex, token events
-- layout: https://docs.codex.io/api-reference/types/event.md
-- amounts: pool
-- note: The amount of the other token is the value in USD divided by its price. Multi-hop swaps are one event a pool.
-- only: eventType is Swap
-- needs: transactionHash, logIndex, timestamp, maker, token0Address, token1Address, eventDisplayType, quoteToken
-- needs: data.amountNonLiquidityToken, data.priceUsdTotal, token0SwapValueUsd, token1SwapValueUsd
-- may: blockNumber, transactionIndex, supplementalIndex, address, liquidityToken
-- chain: networkId or network or blockchain or chain
select
  timestamp as block_time,
  blockNumber as block_slot,
  transactionHash as tx_hash,
  transactionIndex as tx_index,
  place(logIndex, supplementalIndex) as swap_index,
  maker as wallet,
  case when (eventDisplayType = 'Sell') = (quoteToken = 'token0') then token0Address else token1Address end as token_in,
  case when (eventDisplayType = 'Sell') = (quoteToken = 'token0') then token1Address else token0Address end as token_out,
  case when eventDisplayType = 'Sell' then "data.amountNonLiquidityToken"::varchar else quotient("data.priceUsdTotal", case when quoteToken = 'token0' then token1SwapValueUsd else token0SwapValueUsd end) end as token_amount_in,
  case when eventDisplayType = 'Sell' then quotient("data.priceUsdTotal", case when quoteToken = 'token0' then token1SwapValueUsd else token0SwapValueUsd end) else "data.amountNonLiquidityToken"::varchar end as token_amount_out,
  "data.priceUsdTotal" as usd_amount_in,
  "data.priceUsdTotal" as usd_amount_out,
  address as pool,
  case when coalesce(eventDisplayType, '') not in ('Buy', 'Sell') then 'eventDisplayType is neither Buy nor Sell' when liquidityToken is not null and lower(liquidityToken) = lower(case when quoteToken = 'token0' then token0Address else token1Address end) then 'the token of interest is the liquidity token' end as passed
from input
