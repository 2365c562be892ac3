import { adoptRows, emptyTable, type Page, type PageScan } from '../../memory/column-table.ts';
import type { OrderTuple } from '../../memory/first-rows.ts';
import { type Batch, concatBatches, inOrderOf, type Table } from '../../records/columns.ts';
import { type ProfileRows, rowsInMemory } from '../../search/rows.ts';
import type { Order } from '../../storage/adapter.ts';
import { and, isIn, type Predicate, predicateColumns } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import type { WalletCompleter } from './complete.ts';
import { MAX_POSITIONS, tooMany } from './positions.ts';

/** Never above `lifetime.realized_pnl`, so that an order by it reads down the stored column. */
const FLOOR = 'holding.floor_pnl';
const CEILING = 'lifetime.realized_pnl';

/**
 * The stored wallets of a source, with the columns that are computed. A search that reads these in its filter or order completes the wallets for
 * which the rest of the filter holds. Of an order by `holding.floor_pnl` from the greatest on, it completes those that may be on the page.
 *
 * - Errors: `invalid-filter` if the positions of these wallets are too many.
 */
export function walletRows(context: QueryContext, source: ProfileRows, completer: WalletCompleter): ProfileRows {
  const { whole } = context.shapes.wallets;
  const { isStored, isDecided, storedOf, complete } = completer;
  const isAllStored = (columns: Iterable<string>): boolean => [...columns].every(isStored);
  const inMemory = (rows: Batch): ProfileRows =>
    rowsInMemory(adoptRows(emptyTable(tableOf(whole, rows)), rows), context.yielder);
  /** Rows in memory for which `where` holds wherever `rest` does. */
  async function candidates(wanted: readonly string[], where: Predicate) {
    const parts = partsOf(where);
    const rest = and(...parts.filter((part) => !isDecided(part)));
    const all = [...wanted, ...predicateColumns(rest)];
    const order = [{ column: 'id', direction: 'asc' }] as const;
    const columns = storedOf(all);
    const decided = and(...parts.filter(isDecided));
    const page = await source.page({ columns, where: decided, order, limit: MAX_POSITIONS });
    if (page.hasMore) throw tooMany();
    return { rows: inMemory(await complete(page.rows, all)), rest };
  }
  /** Reads down what is realised, until what is left lies below the floors of a whole page. */
  async function byFloor(scan: PageScan, limit: number): Promise<Page> {
    const found: Batch[] = [];
    const order: Order[] = [
      { column: CEILING, direction: 'desc' },
      { column: 'id', direction: 'asc' },
    ];
    const columns = storedOf([...scan.order.map(({ column }) => column), 'id', CEILING]);
    let after: OrderTuple | undefined;
    for (let size = Math.max(100, 4 * limit); ; size *= 2) {
      const read = await source.page({ columns, where: scan.where, order, after, limit: size });
      found.push(await complete(read.rows, [FLOOR]));
      const rows = concatBatches(whole, Object.keys(read.rows.columns).concat(FLOOR), found);
      const page = await inMemory(rows).page({
        ...scan,
        where: and(),
        columns: ['id', FLOOR],
        sufficient: ['id', FLOOR],
        limit,
      });
      const least = page.rows.length < limit ? Number.NaN : (page.rows.columns[FLOOR] as Float64Array)[limit - 1]!;
      const last = read.rows.length - 1;
      const ceiling = last < 0 ? Number.NaN : (read.rows.columns[CEILING] as Float64Array)[last]!;
      // What has the same value may come first by its address.
      if (!read.hasMore || ceiling < least)
        return { ...page, count: read.count, hasMore: page.hasMore || read.hasMore };
      after = [Number.isNaN(ceiling) ? null : ceiling, (read.rows.columns.id as Int32Array)[last]!];
    }
  }
  /** The rows of a page of ids, with the columns that are wanted. */
  async function withColumns(page: Page, scan: PageScan): Promise<Page> {
    const ids = page.rows.columns.id as Int32Array;
    const stored = await source.read(storedOf(scan.columns), isIn('id', ids));
    const rows = inOrderOf(ids, stored, stored.columns.id as Int32Array);
    return { count: page.count, rows: await complete(rows, scan.columns), hasMore: page.hasMore };
  }
  return {
    async read(columns, where) {
      if (isDecided(where) && isAllStored(columns)) return source.read(columns, where);
      if (isDecided(where)) return complete(await source.read(storedOf(columns), where), columns);
      const { rows, rest } = await candidates(columns, where);
      return rows.read(columns, rest);
    },
    async page(scan) {
      const ordered = scan.order.map(({ column }) => column);
      const isFilterStored = isDecided(scan.where);
      if (isFilterStored && isAllStored(ordered)) {
        if (isAllStored(scan.columns)) return source.page(scan);
        const { sufficient: _, ...asked } = scan;
        const page = await source.page({ ...asked, columns: storedOf([...scan.columns, ...ordered]) });
        const rows = await complete(page.rows, scan.columns);
        return { count: page.count, rows, hasMore: page.hasMore };
      }
      const [first, ...others] = scan.order;
      if (
        isFilterStored &&
        first?.column === FLOOR &&
        first.direction === 'desc' &&
        isAllStored(others.map(({ column }) => column))
      )
        return withColumns(await byFloor(scan, scan.limit), scan);
      const { rows, rest } = await candidates(['id', ...ordered], scan.where);
      return withColumns(await rows.page({ ...scan, where: rest, columns: ['id'], sufficient: ['id'] }), scan);
    },
  };
}

function partsOf(where: Predicate): readonly Predicate[] {
  return where.kind === 'and' ? where.of.flatMap(partsOf) : [where];
}

/** The table that rows are of which have some of its columns. */
function tableOf(whole: Table, { columns }: Batch): Table {
  const own = Object.entries(whole.columns).filter(([name]) => name in columns);
  return { ...whole, columns: Object.fromEntries(own), indexes: [] };
}
