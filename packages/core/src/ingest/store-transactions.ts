import { NO_ID } from '../records/columns.ts';
import { transactionsTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import type { IngestState } from './state.ts';
import type { Transactions } from './transactions.ts';

/** Gives the transactions of new swaps their ids, in the order of the swaps, and stores them. */
export async function storeTransactions(
  writer: Writer,
  state: IngestState,
  transactions: Transactions,
  fresh: Uint32Array,
): Promise<void> {
  const { tx, placeOf } = transactions;
  const places = new Int32Array(transactions.length);
  const firstTx = state.nextTx;
  for (let i = 0; i < fresh.length; i++) {
    const place = placeOf[fresh[i]!]!;
    if (tx[place] !== NO_ID) continue;
    places[state.nextTx - firstTx] = place;
    tx[place] = state.nextTx++;
  }
  const added = places.subarray(0, state.nextTx - firstTx);
  const pick = (column: ArrayLike<number>): Float64Array => {
    const values = new Float64Array(added.length);
    for (let i = 0; i < values.length; i++) values[i] = column[added[i]!]!;
    return values;
  };
  const keys = pick(transactions.key);
  await writer.append(transactionsTable, {
    length: added.length,
    columns: {
      tx: Int32Array.from(added, (place) => tx[place]!),
      tx_key: keys,
      tx_hash: Array.from(added, (place) => transactions.hash[place]!),
      block_time: pick(transactions.time),
      block_slot: pick(transactions.slot),
      tx_index: pick(transactions.index),
    },
  });
  await state.known.add(keys);
}
