import type { Preset } from './preset.ts';

/** Rows of Dune's API are in a document; exports of queries are CSV, or Parquet of other tools. */
const records = ['result.rows[]', 'rows[]'];

export const duneSolana: Preset = {
  name: 'dune-solana',
  source: 'Dune, dex_solana.trades',
  addresses: 'solana',
  records,
  fields: {
    block_time: 'block_time',
    block_slot: 'block_slot',
    tx_hash: 'tx_id',
    tx_index: 'tx_index',
    swap_index: { outer: 'outer_instruction_index', inner: 'inner_instruction_index' },
    wallet: 'trader_id',
    token_in: 'token_sold_mint_address',
    token_out: 'token_bought_mint_address',
    token_amount_in: 'token_sold_amount',
    token_amount_out: 'token_bought_amount',
    token_symbol_in: 'token_sold_symbol',
    token_symbol_out: 'token_bought_symbol',
    usd_amount_in: 'amount_usd',
    usd_amount_out: 'amount_usd',
    protocol: 'project',
  },
};

export const duneSolanaBots: Preset = {
  name: 'dune-solana-bots',
  source: 'Dune, dex_solana.bot_trades',
  addresses: 'solana',
  records,
  requires: ['is_last_trade_in_transaction'],
  fields: {
    block_time: 'block_time',
    block_slot: 'block_slot',
    tx_hash: 'tx_id',
    tx_index: 'tx_index',
    swap_index: { outer: 'outer_instruction_index', inner: 'inner_instruction_index' },
    wallet: 'user',
    token_in: 'token_sold_address',
    token_out: 'token_bought_address',
    token_amount_in: 'token_sold_amount',
    token_amount_out: 'token_bought_amount',
    token_symbol_in: 'token_sold_symbol',
    token_symbol_out: 'token_bought_symbol',
    usd_amount_in: 'amount_usd',
    usd_amount_out: 'amount_usd',
    // project_contract_address is the program, not the pool.
    protocol: 'project',
  },
};

export const duneEvm: Preset = {
  name: 'dune-evm',
  source: 'Dune, dex.trades',
  addresses: 'evm',
  records,
  fields: {
    block_time: 'block_time',
    block_slot: 'block_number',
    tx_hash: 'tx_hash',
    swap_index: 'evt_index',
    // The taker is often a router.
    wallet: 'tx_from',
    token_in: 'token_sold_address',
    token_out: 'token_bought_address',
    token_amount_in: 'token_sold_amount',
    token_amount_out: 'token_bought_amount',
    token_symbol_in: 'token_sold_symbol',
    token_symbol_out: 'token_bought_symbol',
    usd_amount_in: 'amount_usd',
    usd_amount_out: 'amount_usd',
    protocol: { join: ['project', 'version'], with: '_v' },
    pool: 'project_contract_address',
  },
};
