-- name: helius
-- source: Helius, parsed transactions of type SWAP
-- layout: https://docs.helius.dev, Enhanced Transactions: events.swap with nativeInput, nativeOutput, tokenInputs, tokenOutputs
-- amounts: wallet
-- addresses: solana
-- note: A transaction is one swap, of what went in first to what came out first. One with several inputs or outputs is rejected.
-- only: type is SWAP
-- needs: signature, timestamp, type, feePayer, events.swap.tokenInputs, events.swap.tokenOutputs
-- may: transactionError or transactionError.error or transactionError.InstructionError
-- may: slot, source, events.swap.nativeInput.amount, events.swap.nativeOutput.amount
select
  timestamp as block_time,
  slot as block_slot,
  signature as tx_hash,
  0 as swap_index,
  feePayer as wallet,
  coalesce(if(try_cast("events.swap.nativeInput.amount" as double) > 0, wrapped_sol(), null), json_extract_string("events.swap.tokenInputs", '$[0].mint')) as token_in,
  coalesce(if(try_cast("events.swap.nativeOutput.amount" as double) > 0, wrapped_sol(), null), json_extract_string("events.swap.tokenOutputs", '$[0].mint')) as token_out,
  one_amount("events.swap.nativeInput.amount", "events.swap.tokenInputs") as token_amount_in,
  one_amount("events.swap.nativeOutput.amount", "events.swap.tokenOutputs") as token_amount_out,
  lower(source) as protocol,
  case when coalesce(nullif(transactionError::varchar, ''), 'null') <> 'null' then 'the transaction failed' end as passed
from input
