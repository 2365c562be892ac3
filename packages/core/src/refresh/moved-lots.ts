import type { MovedLots } from '../bag/moved-lots.ts';
import { pairOf, timeOf } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import { movesTable } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { and, between, compare, isIn, not, or, type Predicate } from '../storage/predicate.ts';
import type { FoldContext } from './context.ts';

/** Rows in which lots of known cost left, or came back. */
const hasMoved: Predicate = or(compare('away_cost', 'gt', 0), compare('returned_cost', 'gt', 0));

const columns = ['wallet', 'token', 'seq', 'away_cost', 'returned_cost'] as const;

type MovedRows = Batch<typeof movesTable, (typeof columns)[number]>;

/** Lots of wallets that moved between the trades which count for their profiles, of trades from one `seq` to another. */
export function readMovedOfWallets(
  { reader, roles }: Pick<FoldContext, 'reader' | 'roles'>,
  wallets: Int32Array,
  [from, to]: readonly [from: number, to: number],
): Promise<ReadonlyMap<number, MovedLots>> {
  // The trades of a quote token are between quote tokens.
  const counted = not(isIn('token', Int32Array.from(roles.known)));
  return readMoved(
    reader,
    and(isIn('wallet', wallets), between('seq', from, to), counted),
    ({ wallet }, row) => wallet[row]!,
  );
}

/** The same of positions, by pair. */
export function readMovedOfPairs(
  reader: Reader,
  { wallets, tokens }: { readonly wallets: Int32Array; readonly tokens: Int32Array },
  [from, to]: readonly [from: number, to: number],
): Promise<ReadonlyMap<number, MovedLots>> {
  const where = and(isIn('wallet', wallets), isIn('token', tokens), between('seq', from, to));
  return readMoved(reader, where, ({ wallet, token }, row) => pairOf(wallet[row]!, token[row]!));
}

async function readMoved(
  reader: Reader,
  where: Predicate,
  keyOf: (columns: MovedRows['columns'], row: number) => number,
): Promise<ReadonlyMap<number, MovedLots>> {
  const found = new Map<number, { [Name in keyof MovedLots]: number[] }>();
  const rows: AsyncIterable<MovedRows> = reader.stream({
    table: movesTable,
    columns,
    where: and(where, hasMoved),
    order: ascending('wallet', 'seq'),
  });
  for await (const { columns: c, length } of rows) {
    for (let row = 0; row < length; row++) {
      const key = keyOf(c, row);
      const moved = found.get(key) ?? { time: [], away: [], returned: [] };
      found.set(key, moved);
      moved.time.push(timeOf(c.seq[row]!));
      moved.away.push(c.away_cost[row]!);
      moved.returned.push(c.returned_cost[row]!);
    }
  }
  return found;
}
