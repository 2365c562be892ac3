import assert from 'node:assert/strict';
import type { Page, Portfolio, Swap, Trade } from '@swapfold/core';
import { markingStandings } from '@swapfold/core/engine';
import { plainTables } from '../plain/copy.ts';
import { pick } from '../samples.ts';
import { type Asked, assertNear, type Question } from './question.ts';

const LIST = { duckdb: { kind: 'most-ratio', ratio: 1.2 }, sqlite: 1 } as const;

/** What of a row is a text of its own, by its alias in the statement; what may be missing is joined as far as it is there. */
const named = {
  swaps: {
    required: ['wallet', 'token_in', 'token_out'],
    optional: ['protocol', 'token_symbol_in', 'token_symbol_out'],
  },
  trades: { required: ['wallet', 'token', 'quote'], optional: ['protocol', 'token_symbol', 'quote_symbol'] },
} as const;

/** First columns of a page: the hash and the amount, by which it is compared. */
const amounts = { swaps: 'token_amount_in', trades: 'token_amount' } as const;

/** A page whose rows are chosen by `rows`, whole as an answer has it: with its transactions and its texts. */
function joined(kind: keyof typeof named, rows: string): string {
  const { required, optional } = named[kind];
  const texts = [...required, ...optional];
  const join = (how: string) => (column: string) => `${how} texts t_${column} on t_${column}.id = page.${column}`;
  return `with page as (${rows})
    select tx_hash, page.${amounts[kind]}, page.*, block_time, block_slot, tx_index, ${texts.map((column) => `t_${column}.text`).join(', ')}
    from page join transactions on transactions.tx = page.tx ${[...required.map(join('join')), ...optional.map(join('left join'))].join(' ')}
    order by page.seq desc`;
}

export function listQuestions({ dex, plain, samples }: Asked): readonly Question[] {
  const { walletSwaps, tokenTrades } = plainTables(plain.engine);
  const { hottest } = samples;
  const walletOf = (i: number) => pick(samples.wallets, i);
  const pageAndCount =
    (page: string, count: string, idOf: (i: number) => number): Question['baseline'] =>
    async (i) => [await plain.query(page, idOf(i)), await plain.query(count, idOf(i))];
  const byKey = (
    kind: keyof typeof named,
    table: string,
    key: string,
    idOf: (i: number) => number,
  ): Question['baseline'] =>
    pageAndCount(
      joined(kind, `select * from ${table} where ${key} = ? order by seq desc limit 20`),
      `select count(*) from ${table} where ${key} = ?`,
      idOf,
    );
  const what = 'the page joined with its transactions and texts, and a count, of rows kept by the key';
  return [
    {
      operation: 'get-swaps of a wallet, page and count',
      most: LIST,
      ours: (i) => dex.swaps.list({ wallet: walletOf(i).address }),
      baseline: byKey('swaps', walletSwaps, 'wallet', (i) => walletOf(i).id),
      what,
      check: sameSwaps,
    },
    {
      operation: 'get-swaps of the hottest token, page and count',
      most: LIST,
      ours: () => dex.swaps.list({ token: hottest.address }),
      baseline: pageAndCount(
        joined(
          'swaps',
          'select * from swaps where seq in (select seq from legs where token = ? order by seq desc limit 20)',
        ),
        'select count(*) from legs where token = ?',
        () => hottest.id,
      ),
      what,
      check: sameSwaps,
    },
    {
      operation: 'get-trades of a wallet, page and count',
      most: LIST,
      ours: (i) => dex.trades.list({ wallet: walletOf(i).address }),
      baseline: byKey('trades', 'trades', 'wallet', (i) => walletOf(i).id),
      what,
      check: sameTrades,
    },
    {
      operation: 'get-trades of the hottest token, page and count',
      most: LIST,
      ours: () => dex.trades.list({ token: hottest.address }),
      baseline: byKey('trades', tokenTrades, 'token', () => hottest.id),
      what,
      check: sameTrades,
    },
    portfolioQuestion({ dex, plain, samples }),
  ];
}

function sameSwaps(ours: Page<Swap>, [page, counted]: unknown[][][]): void {
  assert.equal(ours.count, Number(counted![0]![0]));
  assert.deepEqual(
    ours.data.map((swap) => [swap.tx_hash, swap.token_amount_in]),
    page!.map((row) => row.slice(0, 2)),
  );
}

function sameTrades(ours: Page<Trade>, [page, counted]: unknown[][][]): void {
  assert.equal(ours.count, Number(counted![0]![0]));
  assert.deepEqual(
    ours.data.map((trade) => [trade.tx_hash, trade.token_amount]),
    page!.map((row) => row.slice(0, 2)),
  );
}

function portfolioQuestion({ dex, plain, samples }: Asked): Question {
  const walletOf = (i: number) => pick(samples.collectors, i);
  const held = 'select token, balance from balances where wallet = ?';
  const argMax = plain.engine === 'clickhouse' ? 'argMax' : 'arg_max';
  const isIndexed = plain.engine === 'sqlite';
  const price = isIndexed
    ? ''
    : `left join (select token, ${argMax}(price, seq) as price from legs where standing in (${markingStandings}) and token in (select token from balances where wallet = ?) group by token) p on p.token = held.token`;
  const priceOf = isIndexed
    ? `(select price from legs where legs.token = held.token and price is not null and standing in (${markingStandings}) order by seq desc limit 1)`
    : 'price';
  const sql = `with held as (${held}), cost as (select token, sum(amount) as amount, sum(amount * unit_cost) as cost from lots
      where wallet = ? and unit_cost is not null group by token)
    select held.token, balance, ${priceOf} as price, amount, cost from held left join cost on cost.token = held.token ${price}`;
  return {
    operation: 'portfolio of a wallet with up to 1,000 tokens',
    most: { duckdb: 10, sqlite: 3 },
    ours: (i) => dex.portfolios.get({ wallet: walletOf(i).address }),
    baseline: (i) => {
      const { id } = walletOf(i);
      return plain.query(sql, ...(isIndexed ? [id, id] : [id, id, id]));
    },
    what: 'balances with last prints and sums of lots, of rows kept by wallet and by token',
    check(ours: Portfolio, rows: unknown[][]) {
      assert.equal(ours.tokens.length, rows.length);
      const value = rows.reduce((sum, row) => sum + Number(row[1]) * Number(row[2] ?? 0), 0);
      const cost = rows.reduce((sum, row) => sum + Number(row[4] ?? 0), 0);
      assertNear(ours.value, value, 'value');
      assertNear(
        ours.tokens.reduce((sum, token) => sum + (token.cost_basis ?? 0), 0),
        cost,
        'cost',
      );
    },
  };
}
