-- name: cielo
-- rows: transfers
-- source: Cielo, items of its feed that are transfers
-- layout: https://developer.cielo.finance, /v1/feed: wallet, tx_hash, tx_type, chain, index, timestamp, block, from, to, contract_address, amount, amount_usd
-- note: One file has swaps and transfers: import it as both. Each import takes its rows, and passes over and counts the others. A transfer that the feed has for both of its wallets is one. Take the transfers of a wallet from one source.
-- only: tx_type is transfer
-- needs: tx_type, tx_hash, timestamp, from, to, contract_address or token_address, amount or token_amount
-- may: block, chain or network or blockchain, index
-- value: amount_usd
-- chain: chain or network or blockchain
select
  timestamp as block_time,
  block as block_slot,
  tx_hash,
  hash_index(concat_ws(chr(10), coalesce(index::varchar, ''), contract_address, coalesce("from", ''), coalesce("to", ''), plain(amount))) as transfer_index,
  native_token(contract_address, chain) as token,
  amount as token_amount,
  nullif("from", '') as "from",
  nullif("to", '') as "to"
from input
