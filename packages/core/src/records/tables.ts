import { pairOf } from './chain-order.ts';
import { defineTable } from './columns.ts';
import { addedSwapColumns, swapFieldColumns } from './swap-fields.ts';

/** Settings of the store: schema version, configuration it was folded with, as-of time of the profiles. */
export const metaTable = defineTable({
  name: 'meta',
  columns: { name: 'text', value: 'text' },
  key: ['name'],
  indexes: [],
  derived: false,
});

/** The dictionary: addresses, protocols and symbols by id. */
export const textsTable = defineTable({
  name: 'texts',
  columns: { id: 'id', text: 'text' },
  key: ['id'],
  indexes: [['text']],
  derived: false,
});

/**
 * One row a transaction: what all its swaps share. The hash lives here only; `tx_key` is a 53-bit hash of it, to find it by. `moment` is its
 * log index and fraction (`records/moment.ts`), `file_place` its place in the files whose order an import kept (`ingest/file-order.ts`).
 */
export const transactionsTable = defineTable({
  name: 'transactions',
  columns: {
    tx: 'id',
    tx_key: 'long',
    tx_hash: 'text',
    block_time: 'long',
    block_slot: 'long',
    tx_index: 'long',
    moment: 'long',
    file_place: 'long',
  },
  key: ['tx'],
  indexes: [['tx_key'], ['block_time']],
  derived: false,
  added: ['moment', 'file_place'],
});

/**
 * Swaps in chain order. `seq` stands for the place in it (`records/chain-order.ts`); `given_*` are the feed's own figures,
 * `usd_amount_*` what the valuation rules made of them, `valued_by` the rule that gave the value (`ledger/value.ts`).
 */
export const swapsTable = defineTable({
  name: 'swaps',
  columns: {
    seq: 'long',
    tx: 'id',
    ...swapFieldColumns,
    usd_amount_in: 'double',
    usd_amount_out: 'double',
    valued_by: 'id',
  },
  key: ['seq'],
  indexes: [['wallet', 'seq']],
  derived: false,
  added: [...addedSwapColumns, 'valued_by'],
});

/**
 * One row a token that a swap touches, by token: the stuff of lists by token, prices, candles and volumes.
 * `price` is null unless the leg is a print; `standing` is what `records/standing.ts` says.
 */
export const legsTable = defineTable({
  name: 'legs',
  columns: { token: 'id', seq: 'long', price: 'double', usd_amount: 'double', symbol: 'id', standing: 'id' },
  key: ['token', 'seq'],
  indexes: [['token', 'seq']],
  derived: true,
  rederived: true,
});

/** In place of the pool of a trade that went through several: they are in `trade_pools`. */
export const SEVERAL_POOLS = -2;

/** What folds read of a wallet's trade, beside the wallet and `seq`: `pnl` follows from `cost` and `proceeds`, which small sells have, but no `holding`. */
export const foldedOfTrades = [
  'token',
  'swap_type',
  'direction',
  'token_amount',
  'usd_amount',
  'position_state',
  'cost',
  'proceeds',
  'holding',
  'open_before',
  'open_cost',
  'native_amount',
  'cost_native',
  'proceeds_native',
  'fee_native',
  'fee_usd',
] as const;

/**
 * Trades with the facts the ledger wrote on them; `open_before` and `open_cost` are the position's open cost before and after the trade. `seq` is that of the first swap touching the token, plus 1 for the greater of two tokens.
 * `pool` is the pool that the trade went through, or `SEVERAL_POOLS`. `fee_usd` is below 0 if it is worth a stale native price.
 */
export const tradesTable = defineTable({
  name: 'trades',
  columns: {
    seq: 'long',
    tx: 'id',
    trade_index: 'long',
    wallet: 'id',
    token: 'id',
    quote: 'id',
    protocol: 'id',
    swap_type: 'id',
    direction: 'id',
    token_symbol: 'id',
    quote_symbol: 'id',
    token_amount: 'double',
    quote_amount: 'double',
    native_amount: 'double',
    usd_amount: 'double',
    quote_price: 'double',
    pre_token_balance: 'double',
    post_token_balance: 'double',
    position_state: 'id',
    cost: 'double',
    proceeds: 'double',
    pnl: 'double',
    holding: 'double',
    open_before: 'double',
    open_cost: 'double',
    pool: 'id',
    cost_native: 'double',
    proceeds_native: 'double',
    fee_native: 'double',
    fee_usd: 'double',
  },
  key: ['seq', 'wallet'],
  indexes: [
    ['wallet', 'seq'],
    ['token', 'seq'],
  ],
  included: { wallet: foldedOfTrades },
  derived: true,
  rederived: true,
  added: ['pool'],
});

/**
 * What a wallet paid the chain for a transaction in which it has no trade, by the wallet's first swap there. `fee_usd` is as that of trades:
 * below 0 if it is worth a stale price, null without a native price.
 */
export const bareFeesTable = defineTable({
  name: 'bare_fees',
  columns: { seq: 'long', wallet: 'id', tx: 'id', fee_native: 'double', fee_usd: 'double' },
  key: ['seq'],
  indexes: [['wallet', 'seq']],
  derived: true,
  rederived: true,
  isAdded: true,
});

/** The pools of the trades that went through several, in the order of their first swaps. `seq` is the `seq` of the trade. */
export const tradePoolsTable = defineTable({
  name: 'trade_pools',
  columns: { seq: 'long', place: 'id', pool: 'id' },
  key: ['seq', 'place'],
  indexes: [],
  derived: true,
  rederived: true,
  isAdded: true,
});

/**
 * One row a swap with a pool, by pool. `token` and `other` are the two tokens of the swap; `token` is the one that the pool stands for if
 * the other is a quote token. `other` is `NO_ID` in swaps of a token for itself.
 */
export const poolSwapsTable = defineTable({
  name: 'pool_swaps',
  columns: { pool: 'id', seq: 'long', token: 'id', other: 'id' },
  key: ['pool', 'seq'],
  indexes: [['pool', 'seq']],
  derived: true,
  rederived: true,
  isAdded: true,
});

/** Stands in `votePair` for the pool of the first vote of a token. */
export const FIRST_POOL = -2;

/**
 * Whose votes made which pools own (`ledger/votes.ts`): one row a token and pool with a vote. `pair` is that of the token and the pool, by
 * `votePair`; that of the pool of the token's first vote is of `FIRST_POOL`. `usd` is what the votes of the pool weigh until it is own; of
 * the first pool, what the votes in all own pools do. `own_since` is the block time of the vote that made it own, null while it is not.
 */
export const votePoolsTable = defineTable({
  name: 'vote_pools',
  columns: { pair: 'long', pool: 'id', usd: 'double', own_since: 'long' },
  key: ['pair'],
  indexes: [['pair']],
  derived: true,
  rederived: true,
  isAdded: true,
});

/** The key of a token and a pool in `vote_pools`; `FIRST_POOL` is that of its first vote. */
export function votePair(token: number, pool: number): number {
  return pairOf(token, pool + 2);
}

/** Prices of quote tokens from outside: `time` is when a price became known. */
export const referencePricesTable = defineTable({
  name: 'reference_prices',
  columns: { token: 'id', time: 'long', usd_price: 'double' },
  key: ['token', 'time'],
  indexes: [['token', 'time']],
  derived: false,
  isAdded: true,
});

/**
 * What moved without a swap: one row a transfer. `transfer` numbers them as they came; (tx_hash, transfer_index) is the identity of one, and
 * `tx_key` finds its transaction, as in `transactions`. `sender` and `recipient` are `NO_ID` of what was minted and burnt, `kind` is one where
 * nothing is said, `includes_swaps` is 0 or 1. `block_time`, `block_slot` and `tx_index` say where the transaction stands, not what the row said
 * (`ingest/transfers/place.ts`): all transfers of a transaction have the same, and that of its swaps if it has any.
 */
export const transfersTable = defineTable({
  name: 'transfers',
  columns: {
    transfer: 'long',
    tx_key: 'long',
    tx_hash: 'text',
    transfer_index: 'long',
    block_time: 'long',
    block_slot: 'long',
    tx_index: 'long',
    token: 'id',
    sender: 'id',
    recipient: 'id',
    token_amount: 'double',
    cost_usd: 'double',
    kind: 'id',
    includes_swaps: 'id',
  },
  key: ['transfer'],
  indexes: [['tx_key'], ['sender', 'block_time'], ['recipient', 'block_time'], ['token', 'block_time'], ['block_time']],
  derived: false,
  isAdded: true,
});

/**
 * How many swaps have no value although they exchange the token, and how many have one that contradicts their feed: a row for each quote
 * token, and one of `NO_ID` for all swaps.
 */
export const valueCountsTable = defineTable({
  name: 'value_counts',
  columns: { token: 'id', unvalued: 'long', contradicted: 'long' },
  key: ['token'],
  indexes: [],
  derived: true,
  rederived: true,
  isAdded: true,
});

/**
 * Firm votes for the price of the native token (docs/reference/metrics.md, "Valuation"), each at its print. `lag` is how many seconds its
 * time lies before its block time. Feed votes are not stored: they are read from swaps where they count.
 */
export const nativePricesTable = defineTable({
  name: 'native_prices',
  columns: { seq: 'long', price: 'double', wallet: 'id', lag: 'long' },
  key: ['seq'],
  indexes: [],
  derived: true,
  rederived: true,
});

/**
 * Unsold lots, the oldest first: those that are away, and after them those that are here. On the first row that is here alone: `bought`, the
 * amount bought since lots were here without a pause, and `rest_cost` + `rest_cost_low`, the known cost of all lots here but the first (two
 * doubles, so that it does not drift). Rows before it are away; a pair without such a row has no lot here. An ordinal stays while its lot does.
 */
export const lotsTable = defineTable({
  name: 'lots',
  columns: {
    pair: 'long',
    wallet: 'id',
    token: 'id',
    ordinal: 'id',
    amount: 'double',
    unit_cost: 'double',
    unit_cost_native: 'double',
    time: 'long',
    bought: 'double',
    rest_cost: 'double',
    rest_cost_low: 'double',
  },
  key: ['pair', 'ordinal'],
  indexes: [['pair', 'ordinal']],
  derived: true,
  rederived: true,
});

/** Bits of `flags` of balances: the last transaction reported the balance; the pair has lots; some of them are away; `moves` has a row of it with `SINCE_LAST_TRADE`. */
export const REPORTED = 1;
export const LOTS = 2;
export const AWAY = 4;
export const SINCE = 8;

/** Running balance of a wallet-token pair and what it ever received. */
export const balancesTable = defineTable({
  name: 'balances',
  columns: { pair: 'long', wallet: 'id', token: 'id', balance: 'double', received: 'double', flags: 'id' },
  key: ['pair'],
  indexes: [['pair'], ['wallet'], ['token']],
  fixed: ['wallet', 'token'],
  derived: true,
  rederived: true,
});

/** In place of the `seq` of a trade: what moved after the last trade of a pair, which the row of the next trade will have. */
export const SINCE_LAST_TRADE = 2 ** 52;

/**
 * What moved the lots of a pair beside its trades, a row for each trade before or in whose transaction something did: since the pair's trade
 * before. `seq` is that of the trade, or `SINCE_LAST_TRADE`.
 *
 * - `gap`: tokens that came (above 0) or went unseen before the transaction of the trade.
 * - `away_cost`, `returned_cost`, `spent_cost`: known cost of lots that left, came back, were spent, USD.
 * - `contradicted`: 1 if the trade's balances cannot be, so that they count as not reported.
 * - `opened_at`, `closed_at`: whether the position is open then, if not trades alone say so: when lots came back to nothing, and when they were gone.
 * - `open_cost`: with `SINCE_LAST_TRADE`, the open cost after the pair's last trade; else null.
 */
export const movesTable = defineTable({
  name: 'moves',
  columns: {
    pair: 'long',
    seq: 'long',
    wallet: 'id',
    token: 'id',
    gap: 'double',
    away_cost: 'double',
    returned_cost: 'double',
    spent_cost: 'double',
    contradicted: 'id',
    opened_at: 'long',
    closed_at: 'long',
    open_cost: 'double',
  },
  key: ['pair', 'seq'],
  alongKey: 'wallet',
  indexes: [
    ['pair', 'seq'],
    ['wallet', 'seq'],
  ],
  derived: true,
  rederived: true,
  isAdded: true,
});

/** Entities that changed since the last refresh, each with the block time of the first swap that did. */
export const dirtyTable = defineTable({
  name: 'dirty',
  columns: { entity: 'text', id: 'id', since: 'long' },
  key: ['entity', 'id'],
  indexes: [],
  derived: true,
});

export const tokenRegistryTable = defineTable({
  name: 'token_registry',
  columns: {
    id: 'id',
    address: 'text',
    symbol: 'text',
    name: 'text',
    decimals: 'long',
    image: 'text',
    verified: 'long',
    creator_address: 'text',
    created_at: 'long',
    twitter: 'text',
    discord: 'text',
    website: 'text',
    telegram: 'text',
    total_supply: 'double',
    circulating_supply: 'double',
    liquidity: 'double',
    holders: 'double',
  },
  key: ['id'],
  indexes: [['address']],
  derived: false,
});

export const walletRegistryTable = defineTable({
  name: 'wallet_registry',
  columns: {
    id: 'id',
    address: 'text',
    name: 'text',
    twitter_username: 'text',
    telegram_username: 'text',
    labels: 'text',
  },
  key: ['id'],
  indexes: [['address']],
  derived: false,
});

/** Every table but the profiles, whose columns derive from the metrics. */
export const fixedTables = [
  metaTable,
  textsTable,
  transactionsTable,
  swapsTable,
  legsTable,
  tradesTable,
  tradePoolsTable,
  bareFeesTable,
  poolSwapsTable,
  nativePricesTable,
  referencePricesTable,
  transfersTable,
  votePoolsTable,
  valueCountsTable,
  lotsTable,
  balancesTable,
  movesTable,
  dirtyTable,
  tokenRegistryTable,
  walletRegistryTable,
] as const;
