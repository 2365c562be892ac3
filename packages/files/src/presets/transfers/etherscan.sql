-- name: etherscan
-- rows: transfers
-- source: Etherscan and explorers like it, ERC-20 transfers of an address or a token saved as CSV
-- layout: https://info.etherscan.com/exporting-data: Transaction Hash, Blockno, UnixTimestamp, DateTime (UTC), From, To, TokenValue, USDValueDayOfTx, ContractAddress, TokenName, TokenSymbol
-- addresses: evm
-- note: Rows list all movements of ERC-20 tokens, those of swaps too. TokenValue is in whole tokens, with commas between thousands. An export of a token's page does not name its token: --set token=. Rows with a TokenId are passed over.
-- set: token unless ContractAddress = the address of the token whose transfers these are
-- needs: Transaction Hash or Txhash or Txn Hash, UnixTimestamp or DateTime (UTC) or DateTime, From, To
-- needs: TokenValue or Quantity
-- may: Blockno or Block, ContractAddress or Contract Address, TokenId or Token ID
-- value: USDValueDayOfTx
-- chain: blockchain or network or chain
select
  case when nullif(trim("TokenId"::varchar), '') is not null then 'it has a TokenId' end as passed,
  "UnixTimestamp" as block_time,
  "Blockno" as block_slot,
  "Transaction Hash" as tx_hash,
  coalesce("ContractAddress", getvariable('token')) as token,
  written_amount("TokenValue") as token_amount,
  "From" as "from",
  "To" as "to",
  true as includes_swaps
from input
