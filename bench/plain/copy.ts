import { writeFileSync } from 'node:fs';
import { clickhouseRows } from '../clickhouse.ts';
import { databases } from '../databases.ts';
import type { Engine } from '../files.ts';
import { openPlain, type PlainSql } from './sql.ts';

const swapColumns = `seq, tx, wallet, token_in, token_out, protocol, token_symbol_in, token_symbol_out, token_amount_in, token_amount_out, usd_amount_in, usd_amount_out,
  pre_token_balance_in, pre_token_balance_out, post_token_balance_in, post_token_balance_out`;
const tradeColumns = `seq, tx, wallet, token, quote, protocol, token_symbol, quote_symbol, direction, swap_type, position_state, token_amount, quote_amount, usd_amount, cost,
  proceeds, pnl, holding`;

/** A second of block time in a `seq`, which packs time and rank (packages/core/src/records/chain-order.ts). */
const SECOND = 1_048_576;

interface Copy {
  readonly table: string;
  readonly select: string;
  /** What DuckDB sorts the copy by; DuckDB has no better index than that. */
  readonly order: string;
  /** What SQLite indexes it by. */
  readonly index: readonly string[];
  /** What ClickHouse keeps it in the order of. */
  readonly key: string;
}

/** What a copy is selected from, in the words of an engine. */
interface Words {
  /** The rows of a table of the store. */
  readonly of: (table: string) => string;
  /** The second of a `seq`. */
  readonly time: (seq: string) => string;
}

/** What of the store the plain tables hold. */
const copies = ({ of, time }: Words): readonly Copy[] => [
  { table: 'texts', select: `id, text from ${of('texts')}`, order: 'id', index: ['id', 'text'], key: 'id' },
  {
    table: 'transactions',
    select: `tx, tx_hash, block_time, block_slot, tx_index from ${of('transactions')}`,
    order: 'tx',
    index: ['tx'],
    key: 'tx',
  },
  {
    table: 'swaps',
    select: `${swapColumns}, ${time('seq')} as time from ${of('swaps')}`,
    order: 'seq',
    index: ['seq', 'wallet, seq'],
    key: 'seq',
  },
  {
    table: 'legs',
    select: `token, seq, price, usd_amount, standing, ${time('seq')} as time from ${of('legs')}`,
    order: 'token, seq',
    index: ['token, seq'],
    key: 'token, seq',
  },
  {
    table: 'trades',
    select: `${tradeColumns}, ${time('seq')} as time from ${of('trades')}`,
    order: 'wallet, seq',
    index: ['wallet, seq', 'token, seq'],
    key: 'wallet, seq',
  },
  {
    table: 'balances',
    select: `wallet, token, balance from ${of('balances')} where balance > 0`,
    order: 'wallet',
    index: ['wallet'],
    key: 'wallet',
  },
  {
    table: 'lots',
    select: `wallet, token, amount, unit_cost from ${of('lots')}`,
    order: 'wallet, pair, ordinal',
    index: ['wallet'],
    key: 'wallet',
  },
  { table: 'wallet_profiles', select: `* from ${of('wallet_profiles')}`, order: 'id', index: ['id'], key: 'id' },
  { table: 'token_profiles', select: `* from ${of('token_profiles')}`, order: 'id', index: ['id'], key: 'id' },
  {
    table: 'positions',
    select: `* from ${of('position_profiles')}`,
    order: 'wallet, token',
    index: ['wallet', 'token'],
    key: 'wallet, token',
  },
];

/** Second orders, which SQLite's indexes do without. */
const sortedAgain = [
  { table: 'wallet_swaps', from: 'swaps', order: 'wallet, seq' },
  { table: 'token_trades', from: 'trades', order: 'token, seq' },
  { table: 'token_positions', from: 'positions', order: 'token, wallet' },
] as const;

/**
 * Makes plain tables of what a store holds, in the order and with the indexes that the questions need: what somebody would build who had
 * these rows and only the engine. Swapfold's own tables may change; these do not. The store must be closed.
 */
export async function copyPlain(engine: Engine, store: string, path: string): Promise<void> {
  await databases[engine].remove(path);
  const plain = await openPlain(engine, path);
  await copiers[engine](plain, store);
  await plain.close();
  // ClickHouse has no file of its own at the path.
  if (engine === 'clickhouse') writeFileSync(path, '');
}

const copiers: Readonly<Record<Engine, (plain: PlainSql, store: string) => Promise<void>>> = {
  async sqlite(plain, store) {
    await plain.run(`attach '${store}' as store`);
    for (const { table, select, order, index } of copies(attached('/'))) {
      await plain.run(`create table ${table} as select ${select} order by ${order}`);
      for (const [i, columns] of index.entries())
        await plain.run(`create index ${table}_${i} on ${table} (${columns})`);
    }
    await plain.run('detach store', 'analyze');
  },

  async duckdb(plain, store) {
    await plain.run(`attach '${store}' as store (read_only)`);
    for (const { table, select, order } of copies(attached('//')))
      await plain.run(`create table ${table} as select ${select} order by ${order}`);
    for (const { table, from, order } of sortedAgain)
      await plain.run(`create table ${table} as select * from ${from} order by ${order}`);
    await plain.run('detach store');
  },

  async clickhouse(plain, store) {
    const of = await clickhouseRows(store);
    const time = (seq: string): string => `toInt32(intDiv(${seq}, ${SECOND}))`;
    for (const { table, select, key } of copies({ of, time }))
      await plain.run(`create table ${table} engine = MergeTree order by (${key}) as select ${select}`);
    for (const { table, from, order } of sortedAgain)
      await plain.run(`create table ${table} engine = MergeTree order by (${order}) as select * from ${from}`);
  },
};

/** The words of an engine that has the store attached; `divide` is its division of whole numbers. */
function attached(divide: string): Words {
  return {
    of: (table) => `store.${table}`,
    time: (seq) => `cast(${seq} ${divide} ${SECOND} as integer)`,
  };
}

/** Tables by the order that a question reads them in. */
export function plainTables(engine: Engine): {
  walletSwaps: string;
  tokenTrades: string;
  tokenPositions: string;
} {
  return engine === 'sqlite'
    ? { walletSwaps: 'swaps', tokenTrades: 'trades', tokenPositions: 'positions' }
    : { walletSwaps: 'wallet_swaps', tokenTrades: 'token_trades', tokenPositions: 'token_positions' };
}
