import type { Page, PageScan } from '../../memory/column-table.ts';
import type { OrderTuple } from '../../memory/first-rows.ts';
import { type Batch, concatenating, inOrderOf } from '../../records/columns.ts';
import { batchRows, type ProfileRows } from '../../search/rows.ts';
import type { Order } from '../../storage/adapter.ts';
import { and, conjunctsOf, isIn, leavesOf, or, type Predicate, predicateColumns } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import type { WalletCompleter } from './complete.ts';
import { MAX_COSTLY, MAX_POSITIONS, tooMany, tooManyCostly } from './positions.ts';

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
  const { rules, isStored, isDecided, isCostly, storedOf, complete } = completer;
  const isAllStored = (columns: Iterable<string>): boolean => [...columns].every(isStored);
  const inMemory = (rows: Batch): ProfileRows => batchRows(whole, rows, context.yielder);
  /** What must hold of a row for which a condition holds, as far as `isKnown` says of its parts. */
  function impliedBy(part: Predicate, isKnown: (where: Predicate) => boolean): readonly Predicate[] {
    if (isKnown(part)) return [part];
    if (part.kind !== 'has') return [];
    const own = rules.filter(({ label }) => label === part.label);
    return [or(part, ...own.map(({ where }) => and(...conjunctsOf(where).filter(isKnown))))];
  }
  /** Rows in memory for which `where` holds wherever `rest` does. */
  async function candidates(wanted: readonly string[], where: Predicate) {
    const parts = conjunctsOf(where);
    const rest = and(...parts.filter((part) => !isDecided(part)));
    const all = [...wanted, ...predicateColumns(rest)];
    const order = [{ column: 'id', direction: 'asc' }] as const;
    const decided = and(...parts.flatMap((part) => impliedBy(part, isDecided)));
    const page = await source.page({ columns: storedOf(all), where: decided, order, limit: MAX_POSITIONS });
    if (page.hasMore) throw tooMany();
    const rows = isCostly(all) ? await cheaply(page.rows, rest) : page.rows;
    return { rows: inMemory(await complete(rows, all)), rest };
  }
  /** The rows for which all that is cheap of a condition holds: the rest is asked of few. */
  async function cheaply(rows: Batch, where: Predicate): Promise<Batch> {
    const isCheap = (part: Predicate): boolean =>
      leavesOf(part).every((leaf) => !isCostly([leaf.column]) || (leaf.kind === 'has' && isDecided(leaf)));
    const implied = and(...conjunctsOf(where).flatMap((part) => impliedBy(part, isCheap)));
    const completed = await complete(
      rows,
      [...predicateColumns(implied)].filter((column) => !isCostly([column])),
    );
    const left = await inMemory(completed).read(Object.keys(rows.columns), implied);
    if (left.length > MAX_COSTLY) throw tooManyCostly(left.length);
    return left;
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
      const names = Object.keys(read.rows.columns).concat(FLOOR);
      const rows = await context.yielder().run(concatenating(whole, names, found));
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
