-- name: moralis
-- source: Moralis, swaps of a token, pair or wallet
-- layout: https://docs.moralis.com/data-api/solana/wallet/wallet-swaps.md
-- note: Swaps have no index: it is made of a hash of tokens and amounts, so that overlapping pages agree.
-- only: transactionType is buy or sell
-- needs: transactionHash, blockTimestamp, walletAddress, bought.address, bought.amount, sold.address, sold.amount
-- may: transactionIndex, blockNumber, bought.symbol, sold.symbol, bought.usdAmount, sold.usdAmount, exchangeName
-- may: pairAddress
-- chain: chain or chainId or chain_id or network or networkId or blockchain
select
  blockTimestamp as block_time,
  blockNumber as block_slot,
  transactionHash as tx_hash,
  transactionIndex as tx_index,
  hash_index(concat_ws(chr(10), coalesce("sold.address", ''), coalesce("bought.address", ''), ltrim(plain("sold.amount"), '-'), ltrim(plain("bought.amount"), '-'))) as swap_index,
  walletAddress as wallet,
  "sold.address" as token_in,
  "bought.address" as token_out,
  ltrim("sold.amount"::varchar, '-') as token_amount_in,
  ltrim("bought.amount"::varchar, '-') as token_amount_out,
  "sold.symbol" as token_symbol_in,
  "bought.symbol" as token_symbol_out,
  ltrim("sold.usdAmount"::varchar, '-') as usd_amount_in,
  ltrim("bought.usdAmount"::varchar, '-') as usd_amount_out,
  exchangeName as protocol,
  pairAddress as pool
from input
