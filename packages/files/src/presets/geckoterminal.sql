-- name: geckoterminal
-- source: GeckoTerminal, trades of a pool, as fetched and as saved
-- layout: https://apiguide.geckoterminal.com, /networks/{network}/pools/{pool_address}/trades
-- amounts: pool
-- note: Trades have no index: it is made of a hash of tokens and amounts, so that overlapping pages agree.
-- only: attributes.kind is buy or sell
-- needs: attributes.block_timestamp or block_timestamp, attributes.tx_hash or tx_hash
-- needs: attributes.tx_from_address or tx_from_address, attributes.from_token_address or from_token_address
-- needs: attributes.to_token_address or to_token_address, attributes.from_token_amount or from_token_amount
-- needs: attributes.to_token_amount or to_token_amount
-- may: attributes.block_number or block_number, attributes.price_from_in_usd or price_from_in_usd
-- may: attributes.price_to_in_usd or price_to_in_usd, attributes.volume_in_usd or volume_in_usd
-- chain: attributes.network or network or network_id or networkId or blockchain or chain
select
  "attributes.block_timestamp" as block_time,
  "attributes.block_number" as block_slot,
  "attributes.tx_hash" as tx_hash,
  hash_index(concat_ws(chr(10), coalesce("attributes.from_token_address", ''), coalesce("attributes.to_token_address", ''), coalesce(as_float("attributes.from_token_amount"), ''), coalesce(as_float("attributes.to_token_amount"), ''))) as swap_index,
  "attributes.tx_from_address" as wallet,
  "attributes.from_token_address" as token_in,
  "attributes.to_token_address" as token_out,
  "attributes.from_token_amount" as token_amount_in,
  "attributes.to_token_amount" as token_amount_out,
  "attributes.price_from_in_usd" as token_price_in,
  "attributes.price_to_in_usd" as token_price_out,
  "attributes.volume_in_usd" as usd_amount_in,
  "attributes.volume_in_usd" as usd_amount_out
from input
