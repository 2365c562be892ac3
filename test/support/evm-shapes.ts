import { createHash } from 'node:crypto';
import type { SwapInput } from '@swapfold/core';
import { bothUsd, common, csvOf, eventIndex, legsOf, oneUsd, type Shape, spaced, symbols, written } from './shapes.ts';

const pool = '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640';

/** The low 31 bits of the SHA-256 of what is written, a line each. */
export function hashIndex(...texts: readonly (string | null)[]): number {
  const digest = createHash('sha256')
    .update(texts.map((text) => text ?? '').join('\n'))
    .digest('hex');
  return Number(BigInt(`0x${digest}`) % 2n ** 31n);
}

const asPostgres = (hex: string): string => `\\x${hex.slice(2)}`;

const duneEvm: Shape = {
  preset: 'dune-evm',
  suffix: '.csv',
  others: 0,
  write: (swaps) =>
    csvOf(
      swaps.map((swap) => ({
        blockchain: 'ethereum',
        project: 'uniswap',
        version: '3',
        block_time: `${spaced(swap.block_time)}.000 UTC`,
        block_number: swap.block_slot,
        token_bought_symbol: swap.token_symbol_out,
        token_sold_symbol: swap.token_symbol_in,
        token_bought_amount: written(swap.token_amount_out),
        token_sold_amount: written(swap.token_amount_in),
        amount_usd: written(oneUsd(swap)),
        token_bought_address: asPostgres(swap.token_out),
        token_sold_address: asPostgres(swap.token_in),
        taker: asPostgres(pool),
        tx_from: asPostgres(swap.wallet),
        tx_hash: asPostgres(swap.tx_hash),
        evt_index: eventIndex(swap),
        project_contract_address: asPostgres(pool),
      })),
    ),
  reduce: (swap) => ({
    ...common(swap, eventIndex(swap)),
    ...symbols(swap),
    ...bothUsd(swap),
    log_index: eventIndex(swap),
    block_slot: swap.block_slot,
    protocol: 'uniswap_v3',
    pool,
  }),
};

/** An event of a pool that is no swap: both amounts have one sign. */
const mint = {
  __typename: 'Mint',
  id: 'm',
  timestamp: 'never',
  amount0: '5',
  amount1: '7',
};

const uniswapV3: Shape = {
  preset: 'uniswap-v3-subgraph',
  suffix: '.json',
  others: 2,
  write: (swaps) => JSON.stringify({ data: { swaps: [mint, ...swaps.map(v3), mint] } }, null, 1),
  reduce: (swap) => ({
    ...common(swap, eventIndex(swap)),
    ...symbols(swap),
    ...bothUsd(swap),
    log_index: eventIndex(swap),
    protocol: 'uniswap_v3',
    pool,
  }),
};

function v3(swap: SwapInput): unknown {
  const { isFirstGiven, legs } = legsOf(swap);
  const [sign0, sign1] = isFirstGiven ? ['', '-'] : ['-', ''];
  return {
    __typename: 'Swap',
    logIndex: String(eventIndex(swap)),
    amountUSD: written(oneUsd(swap)),
    amount1: `${sign1}${written(legs[1]!.amount)}`,
    amount0: `${sign0}${written(legs[0]!.amount)}`,
    origin: swap.wallet,
    recipient: pool,
    token1: { symbol: legs[1]!.symbol, id: legs[1]!.address },
    token0: { symbol: legs[0]!.symbol, id: legs[0]!.address },
    pool: { id: pool },
    timestamp: String(swap.block_time),
    transaction: { id: swap.tx_hash },
    id: `${swap.tx_hash}#${swap.swap_index}`,
  };
}

const uniswapV2: Shape = {
  preset: 'uniswap-v2-subgraph',
  suffix: '.ndjson',
  others: 1,
  write: (swaps) => [...swaps.map(v2), { ...mint, __typename: 'Burn' }].map((row) => JSON.stringify(row)).join('\n'),
  reduce: (swap) => ({
    ...common(swap, eventIndex(swap)),
    ...symbols(swap),
    ...bothUsd(swap),
    log_index: eventIndex(swap),
    block_slot: swap.block_slot,
    protocol: 'uniswap_v2',
    pool,
  }),
};

function v2(swap: SwapInput): unknown {
  const { isFirstGiven, legs } = legsOf(swap);
  const [first, second] = legs.map(({ amount }) => written(amount));
  const [token0, token1] = legs.map(({ address, symbol }) => ({ symbol, id: address }));
  return {
    amount1Out: isFirstGiven ? second : '0',
    amount0In: isFirstGiven ? first : '0',
    amount1In: isFirstGiven ? '0' : second,
    amount0Out: isFirstGiven ? '0' : first,
    logIndex: eventIndex(swap),
    from: swap.wallet,
    to: pool,
    pair: { id: pool, token0, token1 },
    timestamp: String(swap.block_time * 1000),
    transaction: { blockNumber: String(swap.block_slot), id: swap.tx_hash },
    amountUSD: written(oneUsd(swap)),
    id: `${swap.tx_hash}-${swap.swap_index}`,
    __typename: 'Swap',
  };
}

const geckoterminal: Shape = {
  preset: 'geckoterminal',
  suffix: '.json',
  others: 0,
  write: (swaps) =>
    JSON.stringify({
      data: swaps.map((swap) => ({
        id: swap.tx_hash,
        type: 'trade',
        attributes: {
          volume_in_usd: written(oneUsd(swap)),
          kind: 'buy',
          price_to_in_usd: written(swap.token_price_out),
          price_from_in_usd: written(swap.token_price_in),
          to_token_amount: written(swap.token_amount_out),
          from_token_amount: written(swap.token_amount_in),
          to_token_address: swap.token_out,
          from_token_address: swap.token_in,
          tx_from_address: swap.wallet,
          tx_hash: swap.tx_hash,
          block_timestamp: new Date(swap.block_time * 1000).toISOString(),
          block_number: swap.block_slot,
        },
      })),
    }),
  reduce: (swap) => ({
    ...common(
      swap,
      hashIndex(swap.token_in, swap.token_out, pointed(swap.token_amount_in), pointed(swap.token_amount_out)),
    ),
    ...bothUsd(swap),
    token_price_in: swap.token_price_in,
    token_price_out: swap.token_price_out,
    block_slot: swap.block_slot,
  }),
};

export const evmShapes: readonly Shape[] = [duneEvm, uniswapV3, uniswapV2, geckoterminal];

/** A number as floats are written without an exponent: 2 as 2.0. */
function pointed(value: number): string {
  const text = written(value)!;
  return text.includes('.') ? text : `${text}.0`;
}
