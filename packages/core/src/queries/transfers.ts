import type { Transfers } from '../ingest/transfers/check.ts';
import { compareText } from '../records/chain-order.ts';
import { columnsOf, concatBatches, NO_ID, takeRows } from '../records/columns.ts';
import { distinctIds } from '../records/key-index.ts';
import { transfersTable } from '../records/tables.ts';
import { type CursorValue, readCursor, requestKey, writeCursor } from '../search/cursor.ts';
import { and, compare, compareMostly, everything, or, type Predicate } from '../storage/predicate.ts';
import { MAX_TIME } from '../time.ts';
import { orNull, type QueryContext } from './context.ts';
import { countList, requireScanOfList } from './list-place.ts';
import { readSymbols } from './per-token.ts';
import { findIds, type ListRequest, type Page } from './swaps.ts';
import type { Transfer } from './transfer.ts';

/** What orders transfers: a slot or index that is not known comes last. */
const placeColumns = ['block_time', 'block_slot', 'tx_index', 'tx_hash', 'transfer_index'] as const;
const order = placeColumns.map((column) => ({ column, direction: 'desc' }) as const);

type Place = readonly (number | string | null)[];

const whole = (isNullable: boolean, greatest = Number.MAX_SAFE_INTEGER): CursorValue => ({
  type: 'number',
  isNullable,
  greatest,
});
const placeValues: readonly CursorValue[] = [
  whole(false, MAX_TIME),
  whole(true),
  whole(true),
  { type: 'text', isNullable: false },
  whole(false),
];

/** Transfers from or to a wallet, and of a token: newest first. */
export async function listTransfers(
  context: QueryContext,
  request: Omit<ListRequest, 'pool'>,
): Promise<Page<Transfer>> {
  const { reader } = context;
  const ids = await findIds(context, request);
  if (ids === undefined) return { count: 0, data: [] };
  requireScanOfList(context, 'transfers', ids);
  const until = transfersUntil(context);
  const ofToken = ids.token === undefined ? everything : compare('token', 'eq', ids.token);
  const sides =
    ids.wallet === undefined
      ? [everything]
      : (['sender', 'recipient'] as const).map((side) => compare(side, 'eq', ids.wallet!));
  const before =
    request.cursor === undefined
      ? everything
      : isAfter(readCursor(request.cursor, requestKey('transfers', request), placeValues));
  const limit = request.limit + 1;
  // The rows of each side lie together by time.
  const found: Transfers[] = [];
  for (const side of sides) {
    const where = and(side, ofToken, before, until);
    found.push(await reader.read({ table: transfersTable, columns: columnsOf(transfersTable), where, order, limit }));
  }
  const rows = newestOf(found, limit);
  const count = await countList(context, 'transfers', ids, {
    ...request,
    read: rows.length,
    ask: () => reader.count(transfersTable, and(or(...sides), ofToken, until)),
  });
  const shown = Math.min(rows.length, request.limit);
  const data = await servedTransfers(
    context,
    takeRows(
      rows,
      Array.from({ length: shown }, (_, row) => row),
    ),
  );
  if (rows.length <= request.limit) return { count, data };
  return { count, cursor: writeCursor(requestKey('transfers', request), placeAt(rows, shown - 1)), data };
}

/** The rows in chain order. */
export const oldestFirst = (rows: Transfers): Transfers => {
  const places = Array.from({ length: rows.length }, (_, row) => placeAt(rows, row));
  const order = Array.from(places.keys()).sort((a, b) => compareDescending(places[b]!, places[a]!));
  return takeRows(rows, order);
};

/** The rows as they are served, in their order. */
export async function servedTransfers(context: QueryContext, { length, columns: c }: Transfers): Promise<Transfer[]> {
  const { dictionary, reader } = context;
  await dictionary.load(reader, distinctIds(c.token, c.sender, c.recipient, c.kind));
  const symbolOf = await readSymbols(context, [{ tokens: c.token, symbols: new Int32Array(length).fill(NO_ID) }]);
  return Array.from({ length }, (_, row) => ({
    tx_hash: c.tx_hash[row]!,
    transfer_index: c.transfer_index[row]!,
    block_time: c.block_time[row]!,
    block_slot: orNull(c.block_slot[row]!),
    token: dictionary.textOf(c.token[row]!),
    token_amount: c.token_amount[row]!,
    from: dictionary.textOrNull(c.sender[row]!),
    to: dictionary.textOrNull(c.recipient[row]!),
    cost_usd: orNull(c.cost_usd[row]!),
    kind: dictionary.textOrNull(c.kind[row]!),
    includes_swaps: c.includes_swaps[row] === 1,
    token_symbol: symbolOf(c.token[row]!),
  }));
}

/** Transfers up to the as-of time; an instant from the newest swap on hides none: swaps alone move the clock. */
export function transfersUntil({ isAsOfAsked, asOf, lastTime, config }: QueryContext): Predicate {
  if (isAsOfAsked) return lastTime !== null && asOf >= lastTime ? everything : compare('block_time', 'lte', asOf);
  return config.clock === 'wall' ? compareMostly('block_time', 'lte', asOf) : everything;
}

const placeAt = ({ columns: c }: Transfers, row: number): Place =>
  placeColumns.map((name) => {
    const value = c[name][row]!;
    return Number.isNaN(value) ? null : value;
  });

/** The first rows of several batches in the order of the list, each row once: a transfer to oneself is in both. */
function newestOf(batches: readonly Transfers[], limit: number): Transfers {
  if (batches.length === 1) return batches[0]!;
  const all = concatBatches(transfersTable, columnsOf(transfersTable), batches);
  const { transfer } = all.columns;
  const rows = [...new Map(Array.from(transfer, (id, row) => [id, row])).values()];
  rows.sort((a, b) => compareDescending(placeAt(all, a), placeAt(all, b)));
  return takeRows(all, rows.slice(0, limit));
}

function compareDescending(a: Place, b: Place): number {
  for (const [i, x] of a.entries()) {
    const y = b[i]!;
    if (x === y) continue;
    if (x === null || y === null) return x === null ? 1 : -1;
    return typeof x === 'string' ? compareText(y as string, x) : (y as number) - x;
  }
  return 0;
}

/** Rows that follow a place in the list. */
function isAfter(place: Place): Predicate {
  const missing = (column: string): Predicate => ({ kind: 'missing', column });
  const isAt = (column: string, value: Place[number]): Predicate =>
    value === null ? missing(column) : compare(column, 'eq', value);
  return or(
    ...placeColumns.flatMap((column, i) => {
      const value = place[i] ?? null;
      if (value === null) return [];
      const beyond = compare(column, 'lt', value);
      const same = placeColumns.slice(0, i).map((name, at) => isAt(name, place[at]!));
      return [and(...same, placeValues[i]!.isNullable ? or(beyond, missing(column)) : beyond)];
    }),
  );
}
