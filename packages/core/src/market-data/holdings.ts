import { BalanceBook, type Balances } from '../ingest/balances.ts';
import { balancesOf, carriedLots, carriedPairs } from '../ingest/carried.ts';
import { foldFrom } from '../ingest/refold.ts';
import { settledBalance } from '../ledger/position.ts';
import { lastSeqAt, pairsOf, pairToken } from '../records/chain-order.ts';
import { balancesTable, lotsTable, swapsTable, tradesTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, between, compare, isIn, type Predicate } from '../storage/predicate.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';

export interface Holding {
  readonly wallet: number;
  readonly token: number;
  readonly balance: number;
}

/** Open lots of known cost of a position: how many tokens, for how many USD. */
export interface OpenLots {
  readonly token: number;
  readonly amount: number;
  readonly cost: number;
}

export interface HoldingsOptions {
  readonly asOf: number;
  readonly lastTime: number | null;
  /** Where the store begins. */
  readonly horizon: number;
}

/** Positive balances of a wallet, or of tokens, at the as-of time: the stored ones where nothing later is stored, else stepped anew. */
export async function readHoldings(
  reader: Reader,
  of: { readonly wallet: number } | { readonly tokens: Int32Array },
  options: HoldingsOptions,
): Promise<Holding[]> {
  const { columns: c, length } =
    options.asOf >= (options.lastTime ?? 0)
      ? await storedBalances(reader, of)
      : await steppedBalances(reader, of, options);
  const holdings: Holding[] = [];
  const pause = yielder();
  for (let i = 0; i < length; i++) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    const balance = settledBalance(c.balance[i]!, c.received[i]!, c.is_reported[i] === 1);
    if (balance > 0) holdings.push({ wallet: c.wallet[i]!, token: c.token[i]!, balance });
  }
  return holdings;
}

type Of = { readonly wallet: number } | { readonly tokens: Int32Array };

async function storedBalances(reader: Reader, of: Of): Promise<Balances> {
  const where = 'wallet' in of ? between('pair', ...pairsOf(of.wallet)) : isIn('token', of.tokens);
  const columns = Object.keys(balancesTable.columns) as (keyof typeof balancesTable.columns)[];
  return reader.read({ table: balancesTable, columns, where });
}

async function steppedBalances(reader: Reader, of: Of, { asOf, horizon }: HoldingsOptions): Promise<Balances> {
  const book = new BalanceBook();
  const own = 'wallet' in of ? compare('wallet', 'eq', of.wallet) : isIn('token', of.tokens);
  book.load(balancesOf(await carriedPairs(reader, horizon, own)));
  const wanted = 'tokens' in of ? new Set(of.tokens) : undefined;
  const until = compare('seq', 'lte', lastSeqAt(asOf));
  const where: Predicate =
    'wallet' in of
      ? compare('wallet', 'eq', of.wallet)
      : { kind: 'or', of: [isIn('token_in', of.tokens), isIn('token_out', of.tokens)] };
  const columns = Object.keys(swapsTable.columns) as (keyof typeof swapsTable.columns)[];
  for await (const swaps of reader.stream({
    table: swapsTable,
    columns,
    where: and(where, until),
    order: [{ column: 'seq', direction: 'asc' }],
  }))
    book.step(swaps, wanted && ((pair) => wanted.has(pairToken(pair))));
  return book.rows();
}

/** Open lots of known cost of a wallet's positions at the as-of time, one entry a token that has any. */
export async function readOpenLots(
  reader: Reader,
  wallet: number,
  dustUsd: number,
  options: HoldingsOptions,
): Promise<ReadonlyMap<number, OpenLots>> {
  const lots =
    options.asOf >= (options.lastTime ?? 0)
      ? await storedLots(reader, wallet)
      : await foldedLots(reader, wallet, dustUsd, options);
  const open = new Map<number, OpenLots>();
  const c = lots.columns;
  for (let i = 0; i < lots.length; i++) {
    if (Number.isNaN(c.unit_cost[i]!)) continue;
    const token = c.token[i]!;
    const before = open.get(token) ?? { token, amount: 0, cost: 0 };
    open.set(token, {
      token,
      amount: before.amount + c.amount[i]!,
      cost: before.cost + c.amount[i]! * c.unit_cost[i]!,
    });
  }
  return open;
}

async function storedLots(reader: Reader, wallet: number) {
  return reader.read({
    table: lotsTable,
    columns: ['token', 'amount', 'unit_cost'],
    where: between('pair', ...pairsOf(wallet)),
    order: [
      { column: 'pair', direction: 'asc' },
      { column: 'ordinal', direction: 'asc' },
    ],
  });
}

async function foldedLots(reader: Reader, wallet: number, dustUsd: number, { asOf, horizon }: HoldingsOptions) {
  const columns = Object.keys(tradesTable.columns) as (keyof typeof tradesTable.columns)[];
  const trades = await reader.read({
    table: tradesTable,
    columns,
    where: and(compare('wallet', 'eq', wallet), compare('seq', 'lte', lastSeqAt(asOf))),
    order: [{ column: 'seq', direction: 'asc' }],
  });
  return foldFrom(await carriedLots(reader, horizon, between('pair', ...pairsOf(wallet))), trades, dustUsd);
}
