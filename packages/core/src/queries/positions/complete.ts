import { noCache } from '../../cache/query-cache.ts';
import { fillSearchColumns, foldedColumn } from '../../filter/words.ts';
import { CarriedEntities, requireWindow } from '../../ingest/carried.ts';
import { nativePriceAt, voteScope } from '../../ingest/native-price.ts';
import { labelRulesOf } from '../../labels/rules.ts';
import { MOST_SWAPS, nativePriceOf } from '../../ledger/value.ts';
import { percent } from '../../metrics/numbers.ts';
import type { ProfileShape } from '../../profiles/shape.ts';
import { firstSeqAt } from '../../records/chain-order.ts';
import { type Batch, type ColumnData, unknownColumn } from '../../records/columns.ts';
import { legsTable, swapsTable } from '../../records/tables.ts';
import { type CompiledRule, compileRules, writeLabels } from '../../refresh/labels.ts';
import { finite } from '../../refresh/position-rows.ts';
import { predicateColumns } from '../../search/plan.ts';
import { and, compare, isIn } from '../../storage/predicate.ts';
import { lastSeq, type QueryContext, untilAsOf } from '../context.ts';
import { perToken, swapSymbols, type TokenQuestion } from '../per-token.ts';
import { latestMarksOf } from '../prices.ts';
import { positionId } from '../trades.ts';
import { fillMetrics, ofMetrics } from './metrics.ts';

export interface Completer {
  readonly rules: readonly CompiledRule[];
  completionOf(wanted: Iterable<string>): Completion;
  /** Rows that have what is stored of a completion, with what is computed. */
  complete(rows: Batch, completion: Completion): Promise<Batch>;
}

/**
 * What is computed is of the state that the context reads, and as if nothing later than `asOf` had been ingested: prices, labels and
 * symbols as of that time, metrics as of the last instant up to it that the row holds for.
 */
export function positionCompleter(given: QueryContext, asOf: number): Completer {
  requireWindow({ asOf, horizon: given.horizon }, 0, 'A stored position');
  // What is cached is of the newest state.
  const context = asOf === given.asOf ? given : { ...given, asOf, cache: noCache };
  const shape = context.shapes.positions;
  const rules = compileRules('positions', labelRulesOf(context.config).positions, context);
  return {
    rules,
    completionOf: (wanted) => completionOf(shape, rules, wanted),
    async complete(rows, { computed }) {
      if (computed.size === 0) return rows;
      const columns: Record<string, ColumnData> = { ...rows.columns };
      for (const name of computed) {
        columns[name] = unknownColumn(shape.whole.columns[name]!, rows.length);
      }
      const whole: Batch = { length: rows.length, columns };
      if (computed.has('position_address')) await fillIds(context, whole);
      if (computed.has('metadata.symbol')) await fillSymbols(context, whole);
      if (computed.has('holding.price')) await fillPrices(context, whole);
      if (computed.has('holding.realized_roi_native')) fillNativeReturns(whole);
      await fillMetrics(context, whole, computed);
      fillSearchColumns(
        shape.fields.filter(({ path }) => computed.has(foldedColumn(path))),
        whole,
      );
      if (computed.has('labels')) writeLabels(whole, rules, () => []);
      return whole;
    },
  };
}

async function fillIds(context: QueryContext, { columns, length }: Batch): Promise<void> {
  const ids = columns.position_address as (string | null)[];
  const pause = context.yielder();
  for (let row = 0; row < length; row++) {
    ids[row] = positionId(columns.wallet_address![row] as string, columns.token_address![row] as string);
    await pause.yieldIfDue();
  }
}

async function fillSymbols(context: QueryContext, { columns }: Batch): Promise<void> {
  const tokens = columns.token as Int32Array;
  const symbolOf = await swapSymbols(context, Int32Array.from(new Set(tokens)));
  const symbols = columns['metadata.symbol'] as (string | null)[];
  for (const [row, token] of tokens.entries()) symbols[row] = symbolOf(token);
}

/** How rows of stored positions get columns that are computed when they are asked for. */
interface Completion {
  readonly stored: readonly string[];
  readonly computed: ReadonlySet<string>;
}

/** What the computed fields are made of. */
const sources: Readonly<Record<string, readonly string[]>> = {
  position_address: ['wallet_address', 'token_address'],
  'metadata.symbol': ['token'],
  'holding.price': ['token'],
  'holding.price_age': ['holding.price'],
  'holding.value': ['holding.price', 'holding.balance'],
  'holding.unrealized_pnl': ['holding.price', 'lot_amount', 'holding.cost_basis'],
  'holding.unrealized_roi': ['holding.unrealized_pnl'],
  'holding.realized_roi_native': ['holding.realized_pnl_native', 'matched_cost_native'],
  'holding.unrealized_pnl_native': ['holding.price', 'lot_amount', 'lot_amount_native', 'holding.cost_basis_native'],
};

/** What rows with the columns `wanted` take: these columns, and what they are made of. `rules` are the rules of labels. */
function completionOf(shape: ProfileShape, rules: readonly CompiledRule[], wanted: Iterable<string>): Completion {
  const textOf = new Map(shape.fields.map(({ path }) => [foldedColumn(path), path]));
  const sourcesOf = (column: string): Iterable<string> => {
    if (column === 'labels' || column === 'matched_labels')
      return ['labels', 'matched_labels', ...rules.flatMap(({ where }) => [...predicateColumns(where)])];
    if (column.startsWith('metrics.')) return ofMetrics;
    return sources[column] ?? [textOf.get(column)!];
  };
  const stored = new Set(['id']);
  const computed = new Set<string>();
  const left = [...wanted];
  for (let column = left.pop(); column !== undefined; column = left.pop()) {
    if (column in shape.table.columns) stored.add(column);
    else if (!computed.has(column)) {
      computed.add(column);
      left.push(...sourcesOf(column));
    }
  }
  return { stored: [...stored], computed };
}

type Of = (column: string) => number;

/** What a price moves, from the number at `row` of another column and the price of the token. */
const atPrice: Readonly<Record<string, (price: number, of: Of) => number>> = {
  'holding.value': (price, of) => of('holding.balance') * price,
  'holding.unrealized_pnl': unrealizedPnl,
  'holding.unrealized_roi': (price, of) => (unrealizedPnl(price, of) / of('holding.cost_basis')) * 100,
};

function unrealizedPnl(price: number, of: Of): number {
  return of('lot_amount') * price - of('holding.cost_basis');
}

/** Writes the prices of the tokens that value what is held, and those of the columns that they move which the rows have. */
async function fillPrices(context: QueryContext, { columns, length }: Batch): Promise<void> {
  const tokens = columns.token as Int32Array;
  const distinct = Int32Array.from(new Set(tokens));
  const latest = await latestMarksOf(context, distinct);
  const prices = columns['holding.price'] as Float64Array;
  const ages = columns['holding.price_age'] as Float64Array | undefined;
  const asked = Object.entries(atPrice).flatMap(([name, value]) => {
    const column = columns[name] as Float64Array | undefined;
    return column === undefined ? [] : [{ column, value }];
  });
  for (let row = 0; row < length; row++) {
    const print = latest.get(tokens[row]!);
    if (print === undefined) continue;
    prices[row] = print.usd_price;
    if (ages !== undefined) ages[row] = context.asOf - print.block_time;
    const of = (name: string): number => columns[name]![row] as number;
    for (const { column, value } of asked) column[row] = finite(value(print.usd_price, of));
  }
  const unrealizedNative = columns['holding.unrealized_pnl_native'] as Float64Array | undefined;
  if (unrealizedNative === undefined) return;
  const inNative = await nativePricesOf(context, distinct, (token) => latest.get(token)?.usd_price ?? Number.NaN);
  const [amounts, own, costs] = ['lot_amount', 'lot_amount_native', 'holding.cost_basis_native'].map(
    (name) => columns[name] as Float64Array,
  ) as [Float64Array, Float64Array, Float64Array];
  for (let row = 0; row < length; row++) {
    const amount = Number.isNaN(own[row]!) ? amounts[row]! : own[row]!;
    unrealizedNative[row] = finite(amount * (inNative.get(tokens[row]!) ?? Number.NaN) - costs[row]!);
  }
}

/** Writes the returns in the native token, of rows that have what they are made of. */
function fillNativeReturns({ columns, length }: Batch): void {
  const rois = columns['holding.realized_roi_native'] as Float64Array;
  const pnls = columns['holding.realized_pnl_native'] as Float64Array;
  const costs = columns.matched_cost_native as Float64Array;
  for (let row = 0; row < length; row++) rois[row] = finite(percent(pnls[row]!, costs[row]!) ?? Number.NaN);
}

/** USD per native token at the as-of time; `NaN` if it is unknown. */
const nativeUsdPrice: TokenQuestion<{ readonly usd: number }> = {
  region: 'native',
  async ask(context) {
    const { reader, roles, asOf } = context;
    const usd = await nativePriceAt(reader, voteScope(context), asOf);
    return new Map([[roles.native, { value: { usd }, until: asOf }]]);
  },
};

/**
 * Native tokens per token at the as-of time: the USD price of the token over that of the native token, if both are known; else the price of
 * its newest swap against the native token, among its newest thousand swaps. Tokens without either are absent.
 */
async function nativePricesOf(
  context: QueryContext,
  tokens: Int32Array,
  usdPriceOf: (token: number) => number,
): Promise<ReadonlyMap<number, number>> {
  const { native } = context.roles;
  const found = new Map<number, number>();
  const known = native < 0 ? undefined : await perToken(context, nativeUsdPrice, Int32Array.of(native));
  const usd = known?.get(native)?.usd ?? Number.NaN;
  const unknown: number[] = [];
  for (const token of tokens) {
    const price = token === native ? 1 : usdPriceOf(token) / usd;
    if (Number.isFinite(price)) found.set(token, price);
    else unknown.push(token);
  }
  if (native >= 0 && unknown.length > 0) await addSwapPrices(context, Int32Array.from(unknown), found);
  return found;
}

/** Adds the prices of swaps: of the newest one of each token first, which are read together. */
async function addSwapPrices(context: QueryContext, tokens: Int32Array, found: Map<number, number>): Promise<void> {
  const { reader } = context;
  const newest = await reader.latest({
    table: legsTable,
    columns: ['token', 'seq'],
    key: 'token',
    keys: tokens,
    by: 'seq',
    until: lastSeq(context),
  });
  await addPricesAt(context, newest.columns.seq, found);
  const open = tokens.filter((token) => !found.has(token));
  const carried = await CarriedEntities.read(reader, context.horizon, 'tokens', open);
  for (const token of open) {
    const { columns } = await reader.read({
      table: legsTable,
      columns: ['seq'],
      where: and(compare('token', 'eq', token), untilAsOf(context)),
      order: [{ column: 'seq', direction: 'desc' }],
      limit: MOST_SWAPS,
    });
    await addPricesAt(context, columns.seq, found);
    // What is behind the horizon is carried, as if it came last.
    const later = columns.seq.filter((seq) => seq >= firstSeqAt(context.horizon)).length;
    if (!found.has(token) && later + carried.numberOf(token, 'native_rank') < MOST_SWAPS)
      found.set(token, carried.numberOf(token, 'native_price'));
  }
}

/** Adds what the swaps at these places say of tokens against the native one, the newest of each token. */
async function addPricesAt({ reader, roles }: QueryContext, seqs: Float64Array, found: Map<number, number>) {
  const swaps = await reader.read({
    table: swapsTable,
    columns: ['seq', 'token_in', 'token_out', 'token_amount_in', 'token_amount_out'],
    where: isIn('seq', seqs),
    order: [{ column: 'seq', direction: 'desc' }],
  });
  for (let row = 0; row < swaps.length; row++) {
    const { token, price } = nativePriceOf(swaps, row, roles) ?? {};
    if (token !== undefined && !found.has(token)) found.set(token, price!);
  }
}
