import type { Engine } from '../files.ts';
import { removeDatabase } from '../files.ts';
import { openPlain } from './sql.ts';

const swapColumns = `seq, wallet, token_in, token_out, protocol, token_amount_in, token_amount_out, usd_amount_in, usd_amount_out,
  pre_token_balance_in, pre_token_balance_out, post_token_balance_in, post_token_balance_out`;
const tradeColumns = `seq, wallet, token, quote, direction, swap_type, position_state, token_amount, quote_amount, usd_amount, cost,
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
}

/** What of the store the plain tables hold. `/` is each engine's division of whole numbers. */
const copies = (divide: string): readonly Copy[] => {
  const time = `cast(seq ${divide} ${SECOND} as integer) as time`;
  return [
    { table: 'texts', select: 'id, text from store.texts', order: 'id', index: ['text'] },
    {
      table: 'hashes',
      select:
        'hash(t.tx_hash, s.swap_index) as hash, cast(t.block_time as integer) as time from store.swaps s join store.transactions t on t.tx = s.tx',
      order: 's.seq',
      index: ['hash'],
    },
    { table: 'swaps', select: `${swapColumns}, ${time} from store.swaps`, order: 'seq', index: ['seq', 'wallet, seq'] },
    {
      table: 'legs',
      select: `token, seq, price, usd_amount, is_self, ${time} from store.legs`,
      order: 'token, seq',
      index: ['token, seq'],
    },
    {
      table: 'trades',
      select: `${tradeColumns}, ${time} from store.trades`,
      order: 'wallet, seq',
      index: ['wallet, seq', 'token, seq'],
    },
    {
      table: 'balances',
      select: 'wallet, token, balance from store.balances where balance > 0',
      order: 'wallet',
      index: ['wallet'],
    },
    {
      table: 'lots',
      select: 'wallet, token, amount, unit_cost from store.lots',
      order: 'wallet, pair, ordinal',
      index: ['wallet'],
    },
    { table: 'wallet_profiles', select: '* from store.wallet_profiles', order: 'id', index: ['id'] },
    { table: 'token_profiles', select: '* from store.token_profiles', order: 'id', index: ['id'] },
  ];
};

/** Second orders, which SQLite's indexes do without. */
const sortedAgain = [
  'create table wallet_swaps as select * from swaps order by wallet, seq',
  'create table token_trades as select * from trades order by token, seq',
];

/**
 * Makes plain tables of what a store holds, in the order and with the indexes that the questions need: what somebody would build who had
 * these rows and only the engine. Swapfold's own tables may change; these do not. The store must be closed.
 */
export async function copyPlain(engine: Engine, store: string, path: string): Promise<void> {
  removeDatabase(path);
  const plain = await openPlain(engine, path);
  const isDuckdb = engine === 'duckdb';
  await plain.run(`attach '${store}' as store${isDuckdb ? ' (read_only)' : ''}`);
  for (const { table, select, order, index } of copies(isDuckdb ? '//' : '/')) {
    await plain.run(`create table ${table} as select ${select} order by ${order}`);
    if (isDuckdb) continue;
    for (const [i, columns] of index.entries()) await plain.run(`create index ${table}_${i} on ${table} (${columns})`);
  }
  if (isDuckdb) await plain.run(...sortedAgain);
  await plain.run('detach store');
  if (!isDuckdb) await plain.run('analyze');
  await plain.close();
}

/** Tables by the order that a question reads them in. */
export function plainTables(engine: Engine): { walletSwaps: string; tokenTrades: string } {
  return engine === 'duckdb'
    ? { walletSwaps: 'wallet_swaps', tokenTrades: 'token_trades' }
    : { walletSwaps: 'swaps', tokenTrades: 'trades' };
}
