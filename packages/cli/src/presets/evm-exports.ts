import type { Preset } from './preset.ts';

/** GraphQL answers `data.swaps`; a table of rows may name what is nested with an underscore. */
const records = ['data.swaps[]', 'swaps[]'];

export const uniswapV3Subgraph: Preset = {
  name: 'uniswap-v3-subgraph',
  source: 'subgraph of Uniswap v3 or a fork, swaps',
  addresses: 'evm',
  records,
  fields: {
    block_time: 'timestamp',
    block_slot: ['transaction.blockNumber', 'transaction_blockNumber', 'blockNumber'],
    tx_hash: ['transaction.id', 'transaction_id', 'transaction'],
    swap_index: 'logIndex',
    wallet: 'origin',
    usd_amount_in: 'amountUSD',
    usd_amount_out: 'amountUSD',
    protocol: { value: 'uniswap_v3' },
    pool: ['pool.id', 'pool_id', 'pool'],
  },
  sides: {
    legs: [
      {
        token: ['token0.id', 'token0_id', 'token0', 'pool.token0.id'],
        symbol: ['token0.symbol', 'token0_symbol', 'pool.token0.symbol'],
        amount: 'amount0',
      },
      {
        token: ['token1.id', 'token1_id', 'token1', 'pool.token1.id'],
        symbol: ['token1.symbol', 'token1_symbol', 'pool.token1.symbol'],
        amount: 'amount1',
      },
    ],
    given: 'positive',
  },
  rows: [{ column: '__typename', is: ['Swap'] }],
};

export const uniswapV2Subgraph: Preset = {
  name: 'uniswap-v2-subgraph',
  source: 'subgraph of Uniswap v2 or a fork, swaps',
  addresses: 'evm',
  records,
  fields: {
    block_time: 'timestamp',
    block_slot: ['transaction.blockNumber', 'transaction_blockNumber', 'blockNumber'],
    tx_hash: ['transaction.id', 'transaction_id', 'transaction'],
    swap_index: 'logIndex',
    wallet: 'from',
    usd_amount_in: 'amountUSD',
    usd_amount_out: 'amountUSD',
    protocol: { value: 'uniswap_v2' },
    pool: ['pair.id', 'pair_id', 'pair'],
  },
  sides: {
    legs: [
      {
        token: ['pair.token0.id', 'token0.id', 'token0_id', 'token0'],
        symbol: ['pair.token0.symbol', 'token0.symbol', 'token0_symbol'],
        amount: { in: 'amount0In', out: 'amount0Out' },
      },
      {
        token: ['pair.token1.id', 'token1.id', 'token1_id', 'token1'],
        symbol: ['pair.token1.symbol', 'token1.symbol', 'token1_symbol'],
        amount: { in: 'amount1In', out: 'amount1Out' },
      },
    ],
    given: 'positive',
  },
  rows: [{ column: '__typename', is: ['Swap'] }],
};

export const geckoterminal: Preset = {
  name: 'geckoterminal',
  source: 'GeckoTerminal, trades of a pool',
  records: ['data[].attributes', '[].attributes'],
  fields: {
    block_time: 'block_timestamp',
    block_slot: 'block_number',
    tx_hash: 'tx_hash',
    swap_index: { hash: ['from_token_address', 'to_token_address', 'from_token_amount', 'to_token_amount'] },
    wallet: 'tx_from_address',
    token_in: 'from_token_address',
    token_out: 'to_token_address',
    token_amount_in: 'from_token_amount',
    token_amount_out: 'to_token_amount',
    token_price_in: 'price_from_in_usd',
    token_price_out: 'price_to_in_usd',
    usd_amount_in: 'volume_in_usd',
    usd_amount_out: 'volume_in_usd',
  },
  rows: [{ column: 'kind', is: ['buy', 'sell'] }],
};
