import { invalidInput } from '../errors.ts';
import { CandleFold, candleSchema } from '../market-data/candle-fold.ts';
import { didYouMean, show } from '../nearest.ts';
import { movedPredicate, movedRows, withNative } from '../profiles/moving.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import { candleSource, sinceHorizon } from '../queries/candles.ts';
import type { QueryContext } from '../queries/context.ts';
import { lastSeq } from '../queries/context.ts';
import { portfolio as portfolioOf, portfolioTokenSchema } from '../queries/portfolio.ts';
import { openPositions } from '../queries/positions/search.ts';
import { searchedPlan, storedProfiles } from '../queries/profiles.ts';
import { swapSchema } from '../queries/swap.ts';
import { listedSwaps, servedSwaps } from '../queries/swaps.ts';
import { listedTrades, servedTrades, tradeSchema } from '../queries/trades.ts';
import { transferSchema } from '../queries/transfer.ts';
import { servedTransfers } from '../queries/transfers.ts';
import { walletCompleter } from '../queries/wallets/complete.ts';
import { firstSeqAt } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import { logIndexOf } from '../records/moment.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import { columnOf, isStored } from '../records/profile-fields.ts';
import { swapsTable, tradesTable } from '../records/tables.ts';
import { readProfilesNativePrice } from '../storage/meta.ts';
import { compare, or, type Predicate } from '../storage/predicate.ts';
import { parseInstant } from '../time.ts';
import { batchOfRows, columnsOfSchema, type ExportBatch, type ExportColumn } from './column.ts';
import { addressCondition, chainPages, profileBatch, profileColumns, profilePages, transferPages } from './pages.ts';
import type { ExportOption, ExportRequest } from './request.ts';

const candleColumns = columnsOfSchema(candleSchema);

/** Candles of a batch. */
const PAGE = 20_000;

const candles: ExportThing = {
  rows: 'One row a candle with a price, the oldest first.',
  options: ['token', 'pool', 'interval', 'from', 'to', 'asOf'],
  needs: [['token', 'pool'], ['interval']],
  columns: () => candleColumns,
  async *read(context, { token, pool, interval, from, to }) {
    const source = await candleSource(context, { token, pool });
    if (source === undefined) return;
    const length = interval!;
    const start = from === undefined ? 0 : Math.floor(parseInstant(from, 'from') / length) * length;
    const end = to === undefined ? Number.POSITIVE_INFINITY : Math.ceil(parseInstant(to, 'to') / length) * length;
    const below = Math.min(lastSeq(context) + 1, Number.isFinite(end) ? firstSeqAt(end) : Number.MAX_SAFE_INTEGER);
    const fold = new CandleFold(length, 'all');
    for await (const legs of source.range(firstSeqAt(start), below)) fold.add(legs);
    for (let at = 0; at < fold.length; at += PAGE)
      yield batchOfRows(candleColumns, sinceHorizon(context, fold.slice(at, Math.min(at + PAGE, fold.length))));
  },
};

const portfolioColumns = columnsOfSchema(portfolioTokenSchema);

const portfolio: ExportThing = {
  rows: 'One row a token that the wallet holds, the largest value first.',
  options: ['wallet', 'asOf'],
  needs: [['wallet']],
  columns: () => portfolioColumns,
  async *read(context, { wallet }) {
    const { tokens } = await portfolioOf(context, { wallet: wallet! });
    yield batchOfRows(portfolioColumns, tokens);
  },
};

const positions: ExportThing = {
  rows: 'One row a stored position, in no order that means anything.',
  options: ['filter', 'asOf'],
  columns: ({ positions: shape }) =>
    profileColumns(shape.fields.filter((field) => isStored(field) || !field.path.startsWith('metrics.'))),
  async *read(context, { filter }, wanted) {
    const shape = context.shapes.positions;
    const columns = wanted.map((path) => columnOf(shape.byPath.get(path)!));
    const { where, completer, candidates } = await openPositions(context, filter);
    const completion = completer.completionOf(columns);
    if (candidates !== undefined) {
      // The filter reads what is computed, of a bounded number of positions.
      yield profileBatch(shape, wanted, await candidates(columns));
      return;
    }
    for await (const rows of profilePages(context, { table: shape.table, columns: completion.stored, where }))
      yield profileBatch(shape, wanted, await completer.complete(rows, completion));
  },
};

const kindOf = ({ kind }: ExportRequest): 'wallets' | 'tokens' => kind ?? 'wallets';

const profiles: ExportThing = {
  rows: 'One row a stored profile, in no order that means anything.',
  options: ['kind', 'filter', 'asOf'],
  columns: (shapes, request) => profileColumns(shapes[kindOf(request)].fields),
  async *read(context, request, wanted) {
    const shape = context.shapes[kindOf(request)];
    const { where } = await searchedPlan(context, kindOf(request), request.filter);
    const columns = wanted.map((path) => columnOf(shape.byPath.get(path)!));
    if (shape.kind === 'wallets') {
      yield* walletPages(context, { columns, where }, (rows) => profileBatch(shape, wanted, rows));
      return;
    }
    const nativeUsd = await readProfilesNativePrice(context.reader);
    const scan = { table: shape.table, columns: withNative(columns), where: movedPredicate(where, nativeUsd) };
    for await (const rows of profilePages(context, scan)) yield profileBatch(shape, wanted, movedRows(rows, nativeUsd));
  },
};

/** Stored wallets for which `where` holds, with what is computed. If a condition reads that, their positions are bounded in number. */
async function* walletPages(
  context: QueryContext,
  { columns, where }: { readonly columns: readonly string[]; readonly where: Predicate },
  batchOf: (rows: Batch) => ExportBatch,
): AsyncGenerator<ExportBatch> {
  const { rows, asOf } = await storedProfiles(context, 'wallets');
  const { isDecided, storedOf, complete } = walletCompleter(context, asOf);
  if (!isDecided(where)) {
    yield batchOf(await rows.read(columns, where));
    return;
  }
  const { table } = context.shapes.wallets;
  for await (const page of profilePages(context, { table, columns: storedOf(columns), where }))
    yield batchOf(await complete(page, columns));
}

/** Those of the interface, and what settles ties within a block: an import of the file puts the swaps in the same order. */
const swapColumns: readonly ExportColumn[] = [
  ...columnsOfSchema(swapSchema),
  { name: 'tx_index', type: 'integer' },
  { name: 'log_index', type: 'integer' },
];

const swaps: ExportThing = {
  rows: 'One row a swap, in chain order.',
  options: ['wallet', 'token', 'pool', 'from', 'to', 'asOf'],
  columns: () => swapColumns,
  async *read(context, request) {
    const where = await addressCondition(context, request, (name, id) =>
      name === 'token' ? or(compare('token_in', 'eq', id), compare('token_out', 'eq', id)) : compare(name, 'eq', id),
    );
    if (where === undefined) return;
    const scan = { table: swapsTable, columns: listedSwaps, where };
    for await (const rows of chainPages(context, scan, request)) {
      const { data, transactions } = await servedSwaps(context, rows, rows.length);
      const whole = data.map((swap, i) => {
        const { tx_index, moment } = transactions.get(rows.columns.tx[i]!)!;
        return { ...swap, tx_index, log_index: logIndexOf(moment) };
      });
      yield batchOfRows(swapColumns, whole);
    }
  },
};

const tradeColumns = columnsOfSchema(tradeSchema);

const trades: ExportThing = {
  rows: 'One row a trade, in chain order.',
  options: ['wallet', 'token', 'from', 'to', 'asOf'],
  columns: () => tradeColumns,
  async *read(context, request) {
    const where = await addressCondition(context, request, (name, id) => compare(name, 'eq', id));
    if (where === undefined) return;
    const scan = { table: tradesTable, columns: listedTrades, where };
    for await (const rows of chainPages(context, scan, request)) {
      const { data } = await servedTrades(context, rows, rows.length);
      yield batchOfRows(tradeColumns, data);
    }
  },
};

const transferColumns: readonly ExportColumn[] = [
  ...columnsOfSchema(transferSchema),
  { name: 'tx_index', type: 'integer' },
];

const transfers: ExportThing = {
  rows: 'One row a transfer, in chain order.',
  options: ['wallet', 'token', 'from', 'to', 'asOf'],
  columns: () => transferColumns,
  async *read(context, request) {
    for await (const rows of transferPages(context, request)) {
      const data = await servedTransfers(context, rows);
      const whole = data.map((transfer, row) => ({ ...transfer, tx_index: rows.columns.tx_index[row]! }));
      yield batchOfRows(transferColumns, whole);
    }
  },
};

/** A new thing is a declaration above, and a row here. */
const things = { swaps, trades, transfers, positions, profiles, candles, portfolio } as const satisfies Readonly<
  Record<string, ExportThing>
>;

/** One of `exportNames`. */
export type ExportName = keyof typeof things;

/** What can be exported. */
export const exportNames = Object.keys(things) as readonly ExportName[];

/** The declaration of that name. Errors: `invalid-input`, with the nearest name. */
export function exportThing(name: string): ExportThing {
  const found: ExportThing | undefined = Object.hasOwn(things, name) ? things[name as ExportName] : undefined;
  if (found !== undefined) return found;
  const hint = didYouMean(String(name), [...exportNames]) || ` Known are: ${exportNames.join(', ')}.`;
  throw invalidInput(`There is nothing to export by the name of ${show(name)}.${hint}`);
}

/**
 * One thing that is exported: everything about it derives from this declaration.
 *
 * - `rows`: what a row is, and the order of rows.
 * - `options`: which options of a request it takes. `needs`: which of them it cannot do without, one of each list.
 * - `columns`: its columns, in the order of the interface.
 * - `read`: its rows in pages of bounded size, from one state of the store. A page may have more columns than are wanted.
 */
export interface ExportThing {
  readonly rows: string;
  readonly options: readonly ExportOption[];
  readonly needs?: readonly (readonly ExportOption[])[];
  readonly columns: (
    shapes: Readonly<Record<ProfileKind, ProfileShape>>,
    request: ExportRequest,
  ) => readonly ExportColumn[];
  readonly read: (
    context: QueryContext,
    request: ExportRequest,
    wanted: readonly string[],
  ) => AsyncIterable<ExportBatch>;
}
