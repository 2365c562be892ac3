-- name: etherscan-dex
-- source: Etherscan and explorers like it, DEX trades of a token saved as CSV
-- layout: https://info.etherscan.com/exploring-dex-tracker-page: Txn Hash, Action, Token Amount (Out), Token Amount (In), Txn Value, DEX
-- addresses: evm
-- note: Amounts are written with their symbols (1,234.5 USDC), and addresses of tokens are not: --set token= and --set quote=. A file with trades against several tokens needs --set quote_symbol= too: the others are passed over. The wallet gave what is in Token Amount (Out): the symbols say which of the two that is, if --set quote_symbol= gives one, or the configuration knows one of the tokens. If neither does, Action says so, whose base is a stable token, or else ETH: quote must be that base. Each file is looked at by itself: say it for several files.
-- only: Action is buy or sell
-- set: token = the address of the token whose trades these are
-- set: quote = the address of the token that it is bought with
-- set: wallet unless Maker = the wallet of all trades of the file
-- needs: Txn Hash or Transaction Hash or Txhash, UnixTimestamp or DateTime (UTC) or Date Time (UTC), Action
-- needs: Token Amount (Out), Token Amount (In)
-- may: Maker or From, Blockno or Block, Txn Value or Txn Value (USD), DEX
-- chain: blockchain or network or chain
select
  other_quote(written_symbol("Token Amount (Out)"), written_symbol("Token Amount (In)"), case when lower(trim("Action")) in ('buy', 'sell') then lower(trim("Action")) end, getvariable('quote_symbol')) as passed,
  "UnixTimestamp" as block_time,
  "Blockno" as block_slot,
  "Txn Hash" as tx_hash,
  hash_index(concat_ws(chr(10), lower(trim("Action")), plain(replace(split_part(trim("Token Amount (Out)"), ' ', 1), ',', '')), written_symbol("Token Amount (Out)"), plain(replace(split_part(trim("Token Amount (In)"), ' ', 1), ',', '')), written_symbol("Token Amount (In)"))) as swap_index,
  coalesce("Maker", getvariable('wallet')) as wallet,
  case when coalesce(gives_symbol(written_symbol("Token Amount (Out)"), written_symbol("Token Amount (In)"), coalesce(getvariable('quote_symbol'), getvariable('known_quote_symbol'))), not gives_symbol(written_symbol("Token Amount (Out)"), written_symbol("Token Amount (In)"), getvariable('known_token_symbol')), lower(trim("Action")) = 'buy') then getvariable('quote') else getvariable('token') end as token_in,
  case when coalesce(gives_symbol(written_symbol("Token Amount (Out)"), written_symbol("Token Amount (In)"), coalesce(getvariable('quote_symbol'), getvariable('known_quote_symbol'))), not gives_symbol(written_symbol("Token Amount (Out)"), written_symbol("Token Amount (In)"), getvariable('known_token_symbol')), lower(trim("Action")) = 'buy') then getvariable('token') else getvariable('quote') end as token_out,
  replace(split_part(trim("Token Amount (Out)"), ' ', 1), ',', '') as token_amount_in,
  replace(split_part(trim("Token Amount (In)"), ' ', 1), ',', '') as token_amount_out,
  written_symbol("Token Amount (Out)") as token_symbol_in,
  written_symbol("Token Amount (In)") as token_symbol_out,
  replace(ltrim(trim("Txn Value"), '$'), ',', '') as usd_amount_in,
  replace(ltrim(trim("Txn Value"), '$'), ',', '') as usd_amount_out,
  lower("DEX") as protocol
from input
