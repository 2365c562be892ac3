import { type LedgerAtOptions, ledgerAt } from '../ingest/ledgers.ts';
import type { Balances } from '../ingest/pair-book.ts';
import { findingHere } from '../ledger/here.ts';
import { settledBalance } from '../ledger/lot-rows.ts';
import { pairsOf } from '../records/chain-order.ts';
import { columnsOf } from '../records/columns.ts';
import { balancesTable, lotsTable } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { between, isIn, type Predicate } from '../storage/predicate.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';

export interface Holding {
  readonly wallet: number;
  readonly token: number;
  readonly balance: number;
}

/** Lots of known cost of a position that are here: how many tokens, for how many USD. */
export interface OpenLots {
  readonly token: number;
  readonly amount: number;
  readonly cost: number;
}

export interface HoldingsOptions extends Pick<LedgerAtOptions, 'roles' | 'config' | 'asOf' | 'horizon'> {
  readonly lastTime: number | null;
}

/** Positive balances of a wallet, or of tokens, at the as-of time: the stored ones where nothing later is stored, else folded anew. */
export async function readHoldings(
  reader: Reader,
  of: { readonly wallet: number } | { readonly tokens: Int32Array },
  options: HoldingsOptions,
): Promise<Holding[]> {
  return positiveBalances(
    options.asOf >= (options.lastTime ?? 0)
      ? await storedBalances(reader, whereOf(of))
      : await steppedBalances(reader, of, options),
  );
}

/** Positive balances of pairs as they are stored, after all that was ingested. */
export async function readStoredHoldings(reader: Reader, where: Predicate): Promise<Holding[]> {
  return positiveBalances(await storedBalances(reader, where));
}

async function positiveBalances({ columns: c, length }: Balances): Promise<Holding[]> {
  const holdings: Holding[] = [];
  const pause = yielder();
  for (let i = 0; i < length; i++) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    const balance = settledBalance(c.balance[i]!, c.received[i]!, c.flags[i]!);
    if (balance > 0) holdings.push({ wallet: c.wallet[i]!, token: c.token[i]!, balance });
  }
  return holdings;
}

type Of = { readonly wallet: number } | { readonly tokens: Int32Array };

function whereOf(of: Of): Predicate {
  return 'wallet' in of ? between('pair', ...pairsOf(of.wallet)) : isIn('token', of.tokens);
}

async function storedBalances(reader: Reader, where: Predicate): Promise<Balances> {
  return reader.read({ table: balancesTable, columns: columnsOf(balancesTable), where });
}

async function steppedBalances(reader: Reader, of: Of, options: HoldingsOptions): Promise<Balances> {
  return (await ledgerAt(reader, of, options)).balances;
}

/** Lots of known cost of a wallet's positions that are here at the as-of time, one entry a token that has any. */
export async function readOpenLots(
  reader: Reader,
  wallet: number,
  options: HoldingsOptions,
): Promise<ReadonlyMap<number, OpenLots>> {
  const lots =
    options.asOf >= (options.lastTime ?? 0)
      ? await storedLots(reader, wallet)
      : await foldedLots(reader, wallet, options);
  const open = new Map<number, OpenLots>();
  const c = lots.columns;
  const isHere = await yielder().run(findingHere(lots));
  for (let i = 0; i < lots.length; i++) {
    if (isHere[i] === 0 || Number.isNaN(c.unit_cost[i]!)) continue;
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
    columns: ['pair', 'token', 'amount', 'unit_cost', 'bought'],
    where: between('pair', ...pairsOf(wallet)),
    order: ascending('pair', 'ordinal'),
  });
}

async function foldedLots(reader: Reader, wallet: number, options: HoldingsOptions) {
  return (await ledgerAt(reader, { wallet }, options)).lots;
}
