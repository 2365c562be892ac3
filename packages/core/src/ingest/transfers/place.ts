import { columnsOf, filterRows, takeRows } from '../../records/columns.ts';
import { transfersTable } from '../../records/tables.ts';
import type { Writer } from '../../storage/adapter.ts';
import { isIn } from '../../storage/predicate.ts';
import type { IngestState, Transactions } from '../transactions.ts';
import type { TransferChange } from './check.ts';

/**
 * Puts the stored transfers of transactions that get swaps where these stand. `fresh`: rows of the new swaps. Gives what changed, which the
 * caller follows once the swaps are stored; `undefined` if the transactions have no transfers.
 */
export async function placeTransfers(
  writer: Writer,
  { lastTransfer, knownTransfers }: IngestState,
  transactions: Transactions,
  fresh: Uint32Array,
): Promise<TransferChange | undefined> {
  if (lastTransfer === null) return undefined;
  const places = new Map<string, number>();
  for (const row of fresh) {
    const place = transactions.placeOf[row]!;
    places.set(transactions.hash[place]!, place);
  }
  const keys = Array.from(places.values(), (place) => transactions.key[place]!);
  const wanted = await knownTransfers.mayBeStored(writer, keys);
  if (wanted.length === 0) return undefined;
  const table = transfersTable;
  const begun = performance.now();
  const found = await writer.read({ table, columns: columnsOf(table), where: isIn('tx_key', wanted) });
  knownTransfers.looked(performance.now() - begun);
  const rows = filterRows(found, (row) => places.has(found.columns.tx_hash[row]!));
  if (rows.length === 0) return undefined;
  const { columns: c } = rows;
  const [moved, stay]: [number[], number[]] = [[], []];
  for (let row = 0; row < rows.length; row++) {
    const place = places.get(c.tx_hash[row]!)!;
    const isThere =
      c.block_time[row] === transactions.time[place] &&
      Object.is(c.block_slot[row], transactions.slot[place]) &&
      Object.is(c.tx_index[row], transactions.index[place]);
    (isThere ? stay : moved).push(row);
  }
  const removed = takeRows(rows, moved);
  const added = takeRows(rows, moved);
  for (let row = 0; row < added.length; row++) {
    const place = places.get(added.columns.tx_hash[row]!)!;
    added.columns.block_time[row] = transactions.time[place]!;
    added.columns.block_slot[row] = transactions.slot[place]!;
    added.columns.tx_index[row] = transactions.index[place]!;
  }
  await writer.replace(table, added);
  return { added, removed, beside: takeRows(rows, stay) };
}
