-- name: bitquery-graphql
-- source: Bitquery, answers of its GraphQL interface: Solana DEXTrades
-- layout: https://docs.bitquery.io/docs/examples/Solana/solana-dextrades
-- addresses: solana
-- note: Trade.Buy.Account says who bought: a signer who sold there has the other side. A swap whose signer neither bought nor sold is that of the account that bought: a relayer signed and paid. Without accounts, the signer bought.
-- only: Transaction.Result.Success is true or 1
-- needs: Block.Time, Transaction.Signature, Transaction.Signer, Trade.Index, Trade.Buy.Amount, Trade.Sell.Amount
-- needs: Trade.Buy.Currency.MintAddress, Trade.Sell.Currency.MintAddress
-- may: Block.Slot, Transaction.Index, Instruction.Index, Trade.Buy.Account.Address, Trade.Sell.Account.Address
-- may: Trade.Buy.Account.Owner or Trade.Buy.Account.Token.Owner, Trade.Sell.Account.Owner or Trade.Sell.Account.Token.Owner
-- may: Trade.Buy.Currency.Symbol, Trade.Sell.Currency.Symbol, Trade.Buy.AmountInUSD, Trade.Sell.AmountInUSD
-- may: Trade.Dex.ProtocolName, Trade.Market.MarketAddress
select
  "Block.Time" as block_time,
  "Block.Slot" as block_slot,
  "Transaction.Signature" as tx_hash,
  "Transaction.Index" as tx_index,
  place(coalesce("Instruction.Index"::varchar, '0'), "Trade.Index") as swap_index,
  swap_account("Transaction.Signer", coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address"), "Trade.Market.MarketAddress") as wallet,
  case when is_seller(swap_account("Transaction.Signer", coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address"), "Trade.Market.MarketAddress"), coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address")) then "Trade.Buy.Currency.MintAddress" else "Trade.Sell.Currency.MintAddress" end as token_in,
  case when is_seller(swap_account("Transaction.Signer", coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address"), "Trade.Market.MarketAddress"), coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address")) then "Trade.Sell.Currency.MintAddress" else "Trade.Buy.Currency.MintAddress" end as token_out,
  case when is_seller(swap_account("Transaction.Signer", coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address"), "Trade.Market.MarketAddress"), coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address")) then "Trade.Buy.Amount" else "Trade.Sell.Amount" end as token_amount_in,
  case when is_seller(swap_account("Transaction.Signer", coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address"), "Trade.Market.MarketAddress"), coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address")) then "Trade.Sell.Amount" else "Trade.Buy.Amount" end as token_amount_out,
  case when is_seller(swap_account("Transaction.Signer", coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address"), "Trade.Market.MarketAddress"), coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address")) then "Trade.Buy.Currency.Symbol" else "Trade.Sell.Currency.Symbol" end as token_symbol_in,
  case when is_seller(swap_account("Transaction.Signer", coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address"), "Trade.Market.MarketAddress"), coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address")) then "Trade.Sell.Currency.Symbol" else "Trade.Buy.Currency.Symbol" end as token_symbol_out,
  case when is_seller(swap_account("Transaction.Signer", coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address"), "Trade.Market.MarketAddress"), coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address")) then "Trade.Buy.AmountInUSD" else "Trade.Sell.AmountInUSD" end as usd_amount_in,
  case when is_seller(swap_account("Transaction.Signer", coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address"), "Trade.Market.MarketAddress"), coalesce("Trade.Buy.Account.Owner", "Trade.Buy.Account.Address"), coalesce("Trade.Sell.Account.Owner", "Trade.Sell.Account.Address")) then "Trade.Sell.AmountInUSD" else "Trade.Buy.AmountInUSD" end as usd_amount_out,
  "Trade.Dex.ProtocolName" as protocol,
  "Trade.Market.MarketAddress" as pool
from input
