import { SwapfoldError } from '../../errors.ts';
import { carriedPairs } from '../../ingest/carried.ts';
import { BUY } from '../../ledger/trade.ts';
import type { Holding } from '../../market-data/holdings.ts';
import { compareText, firstSeqAt, pairOf } from '../../records/chain-order.ts';
import { type Batch, concatenating } from '../../records/columns.ts';
import { addTo, KeySet } from '../../records/key-index.ts';
import { sortingRows } from '../../records/sorting-rows.ts';
import { suspectStandings } from '../../records/standing.ts';
import { legsTable, swapsTable, tradesTable } from '../../records/tables.ts';
import { foldAllPositions } from '../../refresh/positions.ts';
import { countedTrades } from '../../refresh/trades.ts';
import { ascending } from '../../storage/adapter.ts';
import { and, between, compare, isIn, or } from '../../storage/predicate.ts';
import { wallClock } from '../../time.ts';
import { ROWS_PER_CHECK } from '../../yielder.ts';
import { lastSeq, type QueryContext } from '../context.ts';
import { latestMarksOf } from '../prices.ts';
import { balancesOf, conditionsOf } from './balances.ts';
import type { HeldPosition } from './tally.ts';

/** Positions that the wallets of a search may have together. */
export const MAX_POSITIONS = 200_000;

const columns = [
  'id',
  'wallet',
  'token',
  'token_address',
  'metadata.state',
  'matched_cost',
  'lot_amount',
  'away_lot_amount',
  'holding.balance',
  'holding.arrived_amount',
  'holding.cost_basis',
  'holding.away_amount',
  'holding.away_cost',
  'holding.realized_pnl',
  'holding.bought_usd',
];

interface ReadOptions {
  /** Whether `isThin` is asked. */
  readonly isThinAsked: boolean;
  /** Whether balances of tokens that were never traded are asked. */
  readonly areBalancesAsked: boolean;
}

/**
 * The positions of wallets with what the record reads of them, by wallet, in the order of their token addresses. Tokens that a wallet has and
 * never traded are among them, if they are asked for.
 *
 * - Errors: `invalid-filter` if there are more than `MAX_POSITIONS`.
 */
export async function heldPositions(
  context: QueryContext,
  wallets: Int32Array,
  { isThinAsked, areBalancesAsked }: ReadOptions,
): Promise<ReadonlyMap<number, readonly HeldPosition[]>> {
  const rows = await readPositions(context, wallets);
  const c = rows.columns as Readonly<Record<string, Float64Array>>;
  const untraded = areBalancesAsked ? await untradedOf(context, rows, wallets) : [];
  const tokens = Int32Array.from(new Set([...c.token!, ...untraded.map(({ token }) => token)]));
  const marks = await latestMarksOf(context, tokens);
  const isThin = await thinTokens(context, rows, isThinAsked);
  const addresses = rows.columns.token_address as string[];
  const found = new Map<number, (HeldPosition & { readonly address: string })[]>();
  const pause = context.yielder();
  const order = await pause.run(
    sortingRows(
      Array.from({ length: rows.length }, (_, row) => row),
      (a, b) => compareText(addresses[a]!, addresses[b]!),
    ),
  );
  for (const row of order) {
    if (pause.isDue()) await pause.take();
    const of = (name: string): number => c[name]![row]!;
    const [token, mark] = [of('token'), marks.get(of('token'))];
    addTo(found, of('wallet'), {
      token,
      address: addresses[row]!,
      isTraded: true,
      isQuote: context.roles.rankOf(token) >= 0,
      isOpen: (rows.columns['metadata.state'] as unknown as string[])[row] === 'open',
      balance: of('holding.balance'),
      arrived: of('holding.arrived_amount'),
      lots: of('lot_amount'),
      cost: of('holding.cost_basis'),
      awayLots: Number.isNaN(of('away_lot_amount')) ? of('holding.away_amount') : of('away_lot_amount'),
      awayCost: of('holding.away_cost'),
      realized: of('holding.realized_pnl'),
      bought: of('holding.bought_usd'),
      sold: of('matched_cost'),
      ...pricedBy(mark, context),
      isThin: () => isThin(of('wallet'), token),
    });
  }
  await addUntraded(context, found, untraded, marks);
  return found;
}

type Marks = Awaited<ReturnType<typeof latestMarksOf>>;

function pricedBy(mark: ReturnType<Marks['get']>, { asOf }: QueryContext): Pick<HeldPosition, 'price' | 'priceAge'> {
  return mark === undefined
    ? { price: Number.NaN, priceAge: Number.NaN }
    : { price: mark.usd_price, priceAge: asOf - mark.block_time };
}

/** Balances of wallets in tokens that are none of their positions. */
async function untradedOf(context: QueryContext, rows: Batch, wallets: Int32Array): Promise<readonly Holding[]> {
  const { wallet, token } = rows.columns as Readonly<Record<string, Int32Array>>;
  const pause = context.yielder();
  const traded = new KeySet(rows.length);
  for (const [row, of] of wallet!.entries()) {
    if (row % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    traded.add(pairOf(of, token![row]!));
  }
  const untraded: Holding[] = [];
  for (const [row, held] of (await balancesOf(context, wallets)).entries()) {
    if (row % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    if (!traded.has(pairOf(held.wallet, held.token))) untraded.push(held);
  }
  return untraded;
}

/** Adds them, at their places by address. */
async function addUntraded(
  context: QueryContext,
  to: Map<number, (HeldPosition & { readonly address: string })[]>,
  untraded: readonly Holding[],
  marks: Marks,
): Promise<void> {
  const { dictionary, reader, roles } = context;
  await dictionary.load(
    reader,
    Int32Array.from(untraded, ({ token }) => token),
  );
  const pause = context.yielder();
  for (const { wallet, token, balance } of untraded) {
    if (pause.isDue()) await pause.take();
    addTo(to, wallet, {
      ...neverTraded,
      ...pricedBy(marks.get(token), context),
      token,
      address: dictionary.textOf(token),
      isQuote: roles.rankOf(token) >= 0,
      balance,
      arrived: balance,
    });
  }
  for (const wallet of new Set(untraded.map(({ wallet }) => wallet)))
    to.set(wallet, [...(await pause.run(sortingRows(to.get(wallet)!, (a, b) => compareText(a.address, b.address))))]);
}

const neverTraded = {
  isTraded: false,
  isOpen: false,
  lots: 0,
  cost: 0,
  awayLots: 0,
  awayCost: 0,
  realized: 0,
  bought: 0,
  sold: 0,
  isThin: () => false,
} as const;

async function readPositions(context: QueryContext, wallets: Int32Array): Promise<Batch> {
  const { reader, shapes, isAsOfAsked } = context;
  const { table } = shapes.positions;
  const blocks: Batch[] = [];
  let count = 0;
  const take = (block: Batch): void => {
    count += block.length;
    if (count > MAX_POSITIONS) throw tooMany();
    blocks.push(block);
  };
  if (isAsOfAsked) {
    for await (const { rows } of foldAllPositions(context, wallets.slice().sort(), wallClock())) take(rows);
  } else {
    for (const where of conditionsOf(wallets, 'id'))
      for await (const block of reader.stream({ table, columns, where })) take(block as Batch);
  }
  return context.yielder().run(concatenating(table, columns, blocks));
}

export function tooMany(): SwapfoldError {
  const message = `The filter or the sort reads what is computed of positions, and the conditions on stored fields leave wallets with more than ${MAX_POSITIONS} positions. Add conditions on stored fields, such as "lifetime.realized_pnl" or "lifetime.trade_count".`;
  return new SwapfoldError('invalid-filter', message, { details: [{ path: 'filter', message }] });
}

/** Wallets of which a search reads the trades and swaps to decide a condition, or an order. */
export const MAX_COSTLY = 1000;

export function tooManyCostly(count: number): SwapfoldError {
  const message = `"lifetime.suspect_share", or a label whose rule reads it, takes all trades of a wallet, and the other conditions leave ${count} wallets; at most ${MAX_COSTLY} may be left. Add conditions, such as on "lifetime.realized_pnl" or "lifetime.trade_count".`;
  return new SwapfoldError('invalid-filter', message, { details: [{ path: 'filter', message }] });
}

/** Other wallets that bought a token for `LEAST_USD`, below which a token is thin. */
const OTHERS = 20;
const LEAST_USD = 10;

/** Whether a token is thin for a wallet, of the tokens in which the wallets have gains. */
async function thinTokens(context: QueryContext, rows: Batch, isAsked: boolean) {
  if (!isAsked) return () => false;
  const c = rows.columns as Readonly<Record<string, Float64Array>>;
  const gained = new Set<number>();
  for (let row = 0; row < rows.length; row++) if (c['holding.realized_pnl']![row]! > 0) gained.add(c.token![row]!);
  const tokens = Int32Array.from(gained);
  const buyers = context.isAsOfAsked ? await pastBuyers(context, tokens) : await storedBuyers(context, tokens);
  return (wallet: number, token: number): boolean =>
    (buyers.get(token) ?? []).filter((other) => other !== wallet).length < OTHERS;
}

/** By token, wallets that bought it for `LEAST_USD`: one more than decides, because a wallet itself may be among them. */
type Buyers = ReadonlyMap<number, readonly number[]>;

async function storedBuyers({ reader, shapes }: QueryContext, tokens: Int32Array): Promise<Buyers> {
  const { table } = shapes.positions;
  const where = compare('holding.bought_usd', 'gte', LEAST_USD);
  const columns = ['token', 'wallet'];
  const bought = await reader.latest({ table, columns, key: 'token', keys: tokens, by: 'id', most: OTHERS + 1, where });
  const buyers = new Map<number, number[]>();
  const { token, wallet } = bought.columns as Readonly<Record<string, Int32Array>>;
  for (const [row, of] of token!.entries()) addTo(buyers, of, wallet![row]!);
  return buyers;
}

/** As of an instant that was asked for: of each token in chain order, until there are enough. */
async function pastBuyers(context: QueryContext, tokens: Int32Array): Promise<Buyers> {
  const { reader, horizon } = context;
  const buyers = new Map<number, number[]>();
  for (const token of tokens) {
    const bought = new Map<number, number>();
    const found: number[] = [];
    const add = (wallet: number, usd: number): void => {
      const before = bought.get(wallet) ?? 0;
      if (Number.isNaN(usd)) return;
      bought.set(wallet, before + usd);
      if (before < LEAST_USD && before + usd >= LEAST_USD) found.push(wallet);
    };
    const isToken = compare('token', 'eq', token);
    const { columns: carried } = await carriedPairs(reader, horizon, isToken);
    for (const [row, wallet] of carried.wallet.entries()) add(wallet, carried['holding.bought_usd'][row]!);
    const trades = reader.stream({
      table: tradesTable,
      columns: ['wallet', 'usd_amount'],
      where: and(isToken, compare('direction', 'eq', BUY), compare('seq', 'lte', lastSeq(context))),
      order: ascending('seq'),
    });
    for await (const { columns: c } of trades) {
      for (const [row, wallet] of c.wallet.entries()) add(wallet, c.usd_amount[row]!);
      if (found.length > OTHERS) break;
    }
    buyers.set(token, found);
  }
  return buyers;
}

/** Trades of a wallet of which it is said how many were at suspect prints. */
export const MAX_SUSPECT_TRADES = 5000;

/** Tokens whose legs are looked for together. */
const TOKENS = 50;

/** Percent of the volume of a wallet's stored trades that was traded at suspect prints; `NaN` without a volume. */
export async function suspectShare(context: QueryContext, wallet: number): Promise<number> {
  const { reader } = context;
  const own = and(compare('wallet', 'eq', wallet), between('seq', firstSeqAt(0), lastSeq(context)));
  const trades = await reader.read({
    table: tradesTable,
    columns: ['tx', 'token', 'usd_amount'],
    where: and(own, countedTrades('wallets')),
    // In chain order they add up to the same bits on every engine.
    order: ascending('seq'),
  });
  const swaps = await reader.read({
    table: swapsTable,
    columns: ['seq', 'tx', 'token_in', 'token_out'],
    where: own,
  });
  const traded = new Set(trades.columns.token);
  const seqs = new Map<number, number[]>();
  const txOf = new Map<number, number>();
  for (const [i, seq] of swaps.columns.seq.entries()) {
    txOf.set(seq, swaps.columns.tx[i]!);
    for (const token of [swaps.columns.token_in[i]!, swaps.columns.token_out[i]!])
      if (traded.has(token)) addTo(seqs, token, seq);
  }
  const suspects = new Set<string>();
  const tokens = [...seqs];
  for (let from = 0; from < tokens.length; from += TOKENS) {
    const those = tokens.slice(from, from + TOKENS);
    const where = and(
      or(...those.map(([token, at]) => and(compare('token', 'eq', token), isIn('seq', Float64Array.from(at))))),
      isIn('standing', suspectStandings),
    );
    const { columns: c } = await reader.read({ table: legsTable, columns: ['token', 'seq'], where });
    for (const [i, token] of c.token.entries()) suspects.add(`${txOf.get(c.seq[i]!)} ${token}`);
  }
  let [volume, suspect] = [0, 0];
  for (const [i, usd] of trades.columns.usd_amount.entries()) {
    if (Number.isNaN(usd)) continue;
    volume += usd;
    if (suspects.has(`${trades.columns.tx[i]} ${trades.columns.token[i]}`)) suspect += usd;
  }
  return volume > 0 ? (suspect / volume) * 100 : Number.NaN;
}
