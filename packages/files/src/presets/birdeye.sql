-- name: birdeye
-- source: Birdeye, trades of a token
-- layout: https://docs.birdeye.so, /defi/txs/token
-- note: Trades have no index: it is made of a hash of tokens and amounts, so that overlapping pages agree.
-- only: txType is swap
-- only: side is buy or sell
-- needs: blockUnixTime, txHash, owner, from.address, to.address, from.uiAmount, to.uiAmount
-- may: from.symbol, to.symbol, from.price, to.price, source
-- chain: network or networkId or blockchain or chain
select
  blockUnixTime as block_time,
  txHash as tx_hash,
  hash_index(concat_ws(chr(10), coalesce("from.address", ''), coalesce("to.address", ''), coalesce(plain("from.uiAmount"), ''), coalesce(plain("to.uiAmount"), ''))) as swap_index,
  owner as wallet,
  "from.address" as token_in,
  "to.address" as token_out,
  "from.uiAmount" as token_amount_in,
  "to.uiAmount" as token_amount_out,
  "from.symbol" as token_symbol_in,
  "to.symbol" as token_symbol_out,
  "from.price" as token_price_in,
  "to.price" as token_price_out,
  source as protocol
from input
