import { loadBalances, stepBalances } from '../ingest/fold-balances.ts';
import { foldPositions } from '../ingest/fold-positions.ts';
import { type Balance, settledBalance } from '../ledger/balance.ts';
import { lastSeqAt, pairToken, pairWallet } from '../records/chain-order.ts';
import { newBatch } from '../records/columns.ts';
import { balancesTable, lotsTable, swapsTable, tradesTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, isIn, type Predicate } from '../storage/predicate.ts';

/** A positive balance of a wallet in a token. */
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
}

/** Positive balances of a wallet, or of tokens, at the as-of time: the stored ones where nothing later is stored, else stepped anew. */
export async function readHoldings(
  reader: Reader,
  of: { readonly wallet: number } | { readonly tokens: Int32Array },
  options: HoldingsOptions,
): Promise<Holding[]> {
  const states =
    options.asOf >= (options.lastTime ?? 0)
      ? await storedBalances(reader, of)
      : await steppedBalances(reader, of, options.asOf);
  const holdings: Holding[] = [];
  for (const [pair, state] of states) {
    const balance = settledBalance(state.balance, state.received, state.isReported);
    if (balance > 0) holdings.push({ wallet: pairWallet(pair), token: pairToken(pair), balance });
  }
  return holdings;
}

type Of = { readonly wallet: number } | { readonly tokens: Int32Array };

async function storedBalances(reader: Reader, of: Of): Promise<Map<number, Balance>> {
  const where: Predicate = 'wallet' in of ? compare('wallet', 'eq', of.wallet) : isIn('token', of.tokens);
  const columns = Object.keys(balancesTable.columns) as (keyof typeof balancesTable.columns)[];
  return loadBalances(await reader.read({ table: balancesTable, columns, where }));
}

async function steppedBalances(reader: Reader, of: Of, asOf: number): Promise<Map<number, Balance>> {
  const states = new Map<number, Balance>();
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
    stepBalances(states, swaps);
  if ('tokens' in of) {
    const wanted = new Set(of.tokens);
    for (const pair of states.keys()) if (!wanted.has(pairToken(pair))) states.delete(pair);
  }
  return states;
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
      : await foldedLots(reader, wallet, dustUsd, options.asOf);
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
    where: compare('wallet', 'eq', wallet),
    order: [
      { column: 'pair', direction: 'asc' },
      { column: 'ordinal', direction: 'asc' },
    ],
  });
}

async function foldedLots(reader: Reader, wallet: number, dustUsd: number, asOf: number) {
  const columns = Object.keys(tradesTable.columns) as (keyof typeof tradesTable.columns)[];
  const trades = await reader.read({
    table: tradesTable,
    columns,
    where: and(compare('wallet', 'eq', wallet), compare('seq', 'lte', lastSeqAt(asOf))),
    order: [{ column: 'seq', direction: 'asc' }],
  });
  return foldPositions(trades, newBatch(lotsTable, 0), dustUsd);
}
