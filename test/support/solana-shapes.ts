import type { SwapInput } from '@swapfold/core';
import { hashIndex } from './evm-shapes.ts';
import { bothUsd, common, csvOf, oneUsd, type Shape, spaced, symbols, written } from './shapes.ts';

/** The instruction that a swap is said to be of: outer ones and inner ones. */
function instruction({ swap_index }: SwapInput): { outer: number; inner: number | null } {
  return { outer: 2 + Math.floor(swap_index / 3), inner: swap_index % 3 === 0 ? null : swap_index % 3 };
}

function composed(swap: SwapInput): number {
  const { outer, inner } = instruction(swap);
  return outer * 4096 + (inner === null ? 0 : inner + 1);
}

const duneSolana: Shape = {
  preset: 'dune-solana',
  suffix: '.csv',
  others: 0,
  write: (swaps) =>
    csvOf(
      swaps.map((swap) => ({
        blockchain: 'solana',
        project: swap.protocol,
        block_time: `${spaced(swap.block_time)}.000 UTC`,
        block_slot: swap.block_slot,
        token_bought_symbol: swap.token_symbol_out,
        token_sold_symbol: swap.token_symbol_in,
        token_bought_amount: written(swap.token_amount_out),
        token_sold_amount: written(swap.token_amount_in),
        amount_usd: written(oneUsd(swap)),
        token_bought_mint_address: swap.token_out,
        token_sold_mint_address: swap.token_in,
        project_program_id: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8',
        trader_id: swap.wallet,
        tx_id: swap.tx_hash,
        outer_instruction_index: instruction(swap).outer,
        inner_instruction_index: instruction(swap).inner,
        tx_index: swap.tx_index,
      })),
    ),
  reduce: (swap) => ({
    ...common(swap, composed(swap)),
    ...symbols(swap),
    ...bothUsd(swap),
    block_slot: swap.block_slot,
    tx_index: swap.tx_index,
    protocol: swap.protocol,
  }),
};

const duneSolanaBots: Shape = {
  preset: 'dune-solana-bots',
  suffix: '.csv',
  others: 0,
  write: (swaps) =>
    csvOf(
      swaps.map((swap) => ({
        block_time: spaced(swap.block_time),
        bot: 'Hers',
        amount_usd: written(oneUsd(swap)),
        token_bought_amount: written(swap.token_amount_out),
        token_sold_amount: written(swap.token_amount_in),
        token_bought_address: swap.token_out,
        token_sold_address: swap.token_in,
        project: swap.protocol,
        project_contract_address: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8',
        user: swap.wallet,
        tx_id: swap.tx_hash,
        tx_index: swap.tx_index,
        outer_instruction_index: instruction(swap).outer,
        inner_instruction_index: instruction(swap).inner,
        is_last_trade_in_transaction: 'true',
      })),
    ),
  reduce: (swap) => ({
    ...common(swap, composed(swap)),
    ...bothUsd(swap),
    tx_index: swap.tx_index,
    protocol: swap.protocol,
  }),
};

const flipside: Shape = {
  preset: 'flipside-solana',
  suffix: '.csv',
  others: 1,
  write: (swaps) =>
    csvOf(
      [...swaps, swaps[0]!].map((swap, i) => {
        const { outer, inner } = instruction(swap);
        return {
          SWAP_PROGRAM: swap.protocol,
          BLOCK_ID: swap.block_slot,
          BLOCK_TIMESTAMP: `${spaced(swap.block_time)}.000`,
          TX_ID: swap.tx_hash,
          SWAPPER: swap.wallet,
          SWAP_FROM_MINT: swap.token_in,
          SWAP_FROM_AMOUNT: written(swap.token_amount_in),
          SWAP_FROM_AMOUNT_USD: written(swap.usd_amount_in),
          SWAP_FROM_SYMBOL: swap.token_symbol_in,
          SWAP_TO_MINT: swap.token_out,
          SWAP_TO_AMOUNT: written(swap.token_amount_out),
          SWAP_TO_AMOUNT_USD: written(swap.usd_amount_out),
          SWAP_TO_SYMBOL: swap.token_symbol_out,
          _LOG_ID: [swap.tx_hash, outer, ...(inner === null ? [] : [inner])].join('-'),
          SUCCEEDED: i < swaps.length ? 'TRUE' : 'FALSE',
        };
      }),
    ),
  reduce: (swap) => ({
    ...common(swap, composed(swap)),
    ...symbols(swap),
    usd_amount_in: swap.usd_amount_in,
    usd_amount_out: swap.usd_amount_out,
    block_slot: swap.block_slot,
    protocol: swap.protocol,
  }),
};

const bitquery: Shape = {
  preset: 'bitquery-solana',
  suffix: '.ndjson',
  others: 0,
  write: (swaps) =>
    swaps
      .map((swap) =>
        JSON.stringify({
          Trade_Sell_Currency_Symbol: swap.token_symbol_in ?? '',
          Trade_Sell_Currency_MintAddress: swap.token_in,
          Trade_Sell_AmountInUSD: written(swap.usd_amount_in),
          Trade_Sell_Amount: written(swap.token_amount_in),
          Trade_Buy_Currency_Symbol: swap.token_symbol_out ?? '',
          Trade_Buy_Currency_MintAddress: swap.token_out,
          Trade_Buy_AmountInUSD: written(swap.usd_amount_out),
          Trade_Buy_Amount: written(swap.token_amount_out),
          Instruction_Index: String(instruction(swap).outer),
          Trade_Index: instruction(swap).inner === null ? null : String(instruction(swap).inner),
          Transaction_Index: String(swap.tx_index),
          Transaction_Signer: swap.wallet,
          Transaction_Signature: swap.tx_hash,
          Block_Slot: String(swap.block_slot),
          Block_Time: `${spaced(swap.block_time)}+00`,
        }),
      )
      .join('\n'),
  reduce: (swap) => ({
    ...common(swap, composed(swap)),
    ...symbols(swap),
    usd_amount_in: swap.usd_amount_in,
    usd_amount_out: swap.usd_amount_out,
    block_slot: swap.block_slot,
    tx_index: swap.tx_index,
  }),
};

const birdeye: Shape = {
  preset: 'birdeye',
  suffix: '.json',
  others: 1,
  write: (swaps) =>
    JSON.stringify({
      success: true,
      data: {
        items: [
          ...swaps.map((swap) => ({
            txType: 'swap',
            txHash: swap.tx_hash,
            blockUnixTime: swap.block_time,
            owner: swap.wallet,
            side: 'sell',
            source: swap.protocol,
            to: {
              price: swap.token_price_out,
              uiAmount: swap.token_amount_out,
              address: swap.token_out,
              symbol: swap.token_symbol_out,
            },
            from: {
              price: swap.token_price_in,
              uiAmount: swap.token_amount_in,
              address: swap.token_in,
              symbol: swap.token_symbol_in,
            },
          })),
          { txType: 'add', txHash: 'x', blockUnixTime: 0, owner: 'x', side: 'add', source: 'x', from: {}, to: {} },
        ],
      },
    }),
  reduce: (swap) => ({
    ...common(
      swap,
      hashIndex(swap.token_in, swap.token_out, String(swap.token_amount_in), String(swap.token_amount_out)),
    ),
    ...symbols(swap),
    token_price_in: swap.token_price_in,
    token_price_out: swap.token_price_out,
    protocol: swap.protocol,
  }),
};

export const solanaShapes: readonly Shape[] = [duneSolana, duneSolanaBots, flipside, bitquery, birdeye];
