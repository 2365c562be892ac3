import { SwapfoldError } from '../../errors.ts';
import { adoptRows, emptyTable, type Page } from '../../memory/column-table.ts';
import type { ProfileShape } from '../../profiles/shape.ts';
import { type Batch, NO_ID, type Table, takeRows } from '../../records/columns.ts';
import { predicateColumns } from '../../search/columns.ts';
import { type ProfileRows, rowsInMemory, storedRows } from '../../search/rows.ts';
import { and, isIn, type Predicate } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import type { Completer } from './complete.ts';
import { addressesIn, partsOf, withIds } from './conditions.ts';

/** Most positions that are completed to be searched. */
export const MAX_CANDIDATES = 20_000;

/**
 * The stored positions of the state that the context reads, with the columns that are computed. A search that reads these in its filter or
 * order takes the positions for which the rest of the filter holds into memory.
 *
 * - Errors: `invalid-filter` if these are too many.
 */
export function positionRows(context: QueryContext, completer: Completer): ProfileRows {
  const { reader, yielder } = context;
  const shape = context.shapes.positions;
  const engine = storedRows(reader, shape.table);
  /** Rows in memory for which `where` holds wherever `rest` does. */
  async function candidates(wanted: Iterable<string>, where: Predicate) {
    const completion = completer.completionOf([...wanted, ...predicateColumns(where)]);
    const isDecided = (part: Predicate): boolean => isStored(shape, predicateColumns(part));
    const parts = partsOf(where);
    const decided = and(...parts.filter(isDecided));
    const count = await reader.count(shape.table, decided);
    if (count > MAX_CANDIDATES) throw tooMany(count);
    const stored = await engine.read(completion.stored, decided);
    const whole = await completer.complete(stored, completion);
    const table = adoptRows(emptyTable(tableOf(shape, whole)), whole);
    return { rows: rowsInMemory(table, yielder), rest: and(...parts.filter((part) => !isDecided(part))) };
  }
  return {
    async read(columns, where) {
      const { rows, rest } = await candidates(columns, await byIds(context, where));
      return rows.read(columns, rest);
    },
    async page(scan) {
      const where = await byIds(context, scan.where);
      const ordered = scan.order.map(({ column }) => column);
      const completion = completer.completionOf([...scan.columns, ...ordered]);
      const complete = async (page: Page, stored: Batch): Promise<Page> => ({
        ...page,
        rows: await completer.complete(stored, completion),
      });
      if (isStored(shape, [...predicateColumns(where), ...ordered])) {
        const page = await engine.page({ ...scan, where, columns: completion.stored });
        return complete(page, page.rows);
      }
      const { rows, rest } = await candidates(['id', ...ordered], where);
      const page = await rows.page({ ...scan, where: rest, columns: ['id'] });
      const ids = page.rows.columns.id as Float64Array;
      return complete(page, inOrderOf(ids, await engine.read(completion.stored, isIn('id', ids))));
    },
  };
}

/** Whether the table has all of the columns. */
export function isStored({ table }: ProfileShape, columns: Iterable<string>): boolean {
  return [...columns].every((column) => column in table.columns);
}

/** The condition by the ids of the addresses that it names. */
async function byIds({ dictionary, reader }: QueryContext, where: Predicate): Promise<Predicate> {
  const addresses = [...new Set(addressesIn(where))];
  if (addresses.length === 0) return where;
  const ids = await dictionary.find(reader, addresses);
  const idOf = new Map(addresses.map((address, i) => [address, ids[i] === NO_ID ? undefined : ids[i]]));
  return withIds(where, (address) => idOf.get(address));
}

/** The table that rows are of which have some of its columns. */
function tableOf({ whole }: ProfileShape, { columns }: Batch): Table {
  const own = Object.entries(whole.columns).filter(([name]) => name in columns);
  return { ...whole, columns: Object.fromEntries(own), indexes: [] };
}

function inOrderOf(ids: Float64Array, rows: Batch): Batch {
  const rowOf = new Map(Array.from(rows.columns.id as Float64Array, (id, row) => [id, row]));
  return takeRows(
    rows,
    Array.from(ids, (id) => rowOf.get(id)!),
  ) as Batch;
}

function tooMany(count: number): SwapfoldError {
  const message = `The filter or the sort reads what is computed when it is asked for, and the conditions on stored fields leave ${count} positions; at most ${MAX_CANDIDATES} may be left. Name fewer wallets or tokens, or add conditions on stored fields.`;
  return new SwapfoldError('invalid-filter', message, { details: [{ path: 'filter', message }] });
}
