import { defineTable } from './columns.ts';
import { legsTable, lotsTable, movesTable, poolSwapsTable, votePoolsTable } from './tables.ts';

/**
 * What a store keeps of the swaps that it has forgotten: where everything stood at its horizon (`ingest/carried.ts`). The first prune
 * creates these tables. They are given, not derived: what they were made of is gone.
 */

/**
 * One row a wallet-token pair with a swap behind the horizon: its balance, and what its trades add up to in the columns of stored
 * positions (`NaN` as the first trade of a pair without trades). `first_seq` is the place of its first trade.
 */
export const carriedPairsTable = defineTable({
  name: 'carried_pairs',
  columns: {
    id: 'long',
    wallet: 'id',
    token: 'id',
    balance: 'double',
    received: 'double',
    flags: 'id',
    updated_at: 'long',
    first_seq: 'long',
    'metadata.first_trade_at': 'long',
    'metadata.last_trade_at': 'long',
    'metadata.opened_at': 'long',
    'metadata.closed_at': 'long',
    'holding.bought_usd': 'double',
    'holding.sold_usd': 'double',
    'holding.buy_count': 'long',
    'holding.sell_count': 'long',
    'holding.realized_pnl': 'double',
    matched_cost: 'double',
    'holding.realized_pnl_native': 'double',
    matched_cost_native: 'double',
    'holding.spent_cost': 'double',
  },
  key: ['id'],
  indexes: [['id'], ['wallet'], ['token']],
  derived: false,
  added: ['holding.spent_cost'],
});

/** Lots at the horizon, as `lotsTable`. */
export const carriedLotsTable = defineTable({ ...lotsTable, name: 'carried_lots', derived: false, rederived: false });

/** What had moved since the last trades before the horizon: rows with `SINCE_LAST_TRADE` of `movesTable`. */
export const carriedMovesTable = defineTable({
  ...movesTable,
  name: 'carried_moves',
  indexes: [['pair', 'seq']],
  derived: false,
  rederived: false,
});

/** Of wallets in `carried_entities`. */
export const WALLETS = 0;
/** Of tokens in `carried_entities`. */
export const TOKENS = 1;

/**
 * One row a wallet or token with a swap behind the horizon: its open cost, its newest trade and swap, and what a wallet has realised, USD, and what all its trades add up to (`bag/lifetime.ts`). Of a
 * token, the prices in native tokens that its newest swaps say, JSON: price, wallet, and how many swaps of it came after, from the newest on.
 */
export const carriedEntitiesTable = defineTable({
  name: 'carried_entities',
  columns: {
    kind: 'id',
    id: 'id',
    cost_sum: 'double',
    cost_low: 'double',
    cost_positions: 'long',
    realized_pnl: 'double',
    last_trade_at: 'long',
    updated_at: 'long',
    native_votes: 'text',
    lifetime: 'text',
  },
  key: ['kind', 'id'],
  indexes: [['kind', 'id']],
  derived: false,
  added: ['lifetime'],
});

/**
 * The legs behind the horizon that later answers read, with the block slot of their swaps; `legs` has them, too. Of each token: its newest
 * print and the newest that may be a mark, with what names their swaps, the suspect ones after that, and its newest leg with a symbol.
 * `native_price` is the price in native tokens of a print that a swap made whose native leg valued it.
 */
export const carriedLegsTable = defineTable({
  ...legsTable,
  name: 'carried_legs',
  columns: { ...legsTable.columns, block_slot: 'long', tx_hash: 'text', swap_index: 'long', native_price: 'double' },
  indexes: [['token', 'seq'], ['seq']],
  derived: false,
  rederived: false,
});

/** The newest swap behind the horizon of each pool and pair of tokens; `pool_swaps` has them, too. */
export const carriedPoolSwapsTable = defineTable({
  name: 'carried_pool_swaps',
  columns: poolSwapsTable.columns,
  key: ['pool', 'seq'],
  indexes: [['pool', 'seq']],
  derived: false,
});

/**
 * The votes behind the horizon that later prints are compared with (`ledger/votes.ts`): `age` counts the prints of the token from there to
 * the horizon. `time` is known of the newest vote alone, and of the newest in an own pool.
 */
export const carriedVotesTable = defineTable({
  name: 'carried_votes',
  columns: { token: 'id', age: 'long', price: 'double', usd: 'double', wallet: 'id', time: 'long', is_own: 'id' },
  key: ['token', 'age'],
  indexes: [['token', 'age']],
  derived: false,
});

/** `vote_pools` as it stood at the horizon. */
export const carriedVotePoolsTable = defineTable({
  name: 'carried_vote_pools',
  columns: votePoolsTable.columns,
  key: ['pair'],
  indexes: [['pair']],
  derived: false,
});

/** All tables of what a store carries. */
export const carriedTables = [
  carriedPairsTable,
  carriedLotsTable,
  carriedMovesTable,
  carriedEntitiesTable,
  carriedLegsTable,
  carriedPoolSwapsTable,
  carriedVotesTable,
  carriedVotePoolsTable,
] as const;
