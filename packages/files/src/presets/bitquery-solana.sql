-- name: bitquery-solana
-- source: Bitquery, dump of Solana DEX trades
-- layout: https://docs.bitquery.io, Solana DEX trades dataset
-- addresses: solana
-- note: Buy is what the wallet received. A swap whose signer neither bought nor sold is that of the account that bought: a relayer signed and paid.
-- only: Transaction_Result_Success is true or 1
-- needs: Block_Time, Transaction_Signature, Instruction_Index, Trade_Index, Transaction_Signer
-- needs: Trade_Sell_Currency_MintAddress, Trade_Buy_Currency_MintAddress, Trade_Sell_Amount, Trade_Buy_Amount
-- may: Block_Slot, Transaction_Index, Trade_Sell_Currency_Symbol, Trade_Buy_Currency_Symbol, Trade_Sell_AmountInUSD
-- may: Trade_Buy_Account_Owner or Trade_Buy_Account_Token_Owner, Trade_Sell_Account_Owner or Trade_Sell_Account_Token_Owner
-- may: Trade_Buy_Account_Address, Trade_Sell_Account_Address, Trade_Buy_AmountInUSD, Trade_Dex_ProtocolName, Trade_Market_MarketAddress
select
  Block_Time as block_time,
  Block_Slot as block_slot,
  Transaction_Signature as tx_hash,
  Transaction_Index as tx_index,
  place(Instruction_Index, Trade_Index) as swap_index,
  swap_account(Transaction_Signer, coalesce(Trade_Buy_Account_Owner, Trade_Buy_Account_Address), coalesce(Trade_Sell_Account_Owner, Trade_Sell_Account_Address), Trade_Market_MarketAddress) as wallet,
  Trade_Sell_Currency_MintAddress as token_in,
  Trade_Buy_Currency_MintAddress as token_out,
  Trade_Sell_Amount as token_amount_in,
  Trade_Buy_Amount as token_amount_out,
  Trade_Sell_Currency_Symbol as token_symbol_in,
  Trade_Buy_Currency_Symbol as token_symbol_out,
  Trade_Sell_AmountInUSD as usd_amount_in,
  Trade_Buy_AmountInUSD as usd_amount_out,
  Trade_Dex_ProtocolName as protocol,
  Trade_Market_MarketAddress as pool
from input
