import type { Place } from '../ledger/step-order.ts';
import type { Swaps } from '../ledger/value.ts';
import { firstSeqAt } from '../records/chain-order.ts';
import { momentOfStored } from '../records/moment.ts';
import { swapsTable, transactionsTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { and, compare } from '../storage/predicate.ts';
import { type TransactionRow, transactionColumns } from '../storage/reads.ts';
import { yielder } from '../yielder.ts';
import { type ChainKeys, compareKeys, inChainOrder } from './chain-keys.ts';
import { noteTransaction } from './changed-rows.ts';
import { type ApplyContext, markSwapsDirty } from './changes.ts';
import { deriveAndWrite, ValueCounts } from './derive.ts';
import type { FindPlaces } from './ledgers.ts';
import { appendLedgers } from './refold.ts';
import { countAppended } from './unordered.ts';

/** What the store had before a batch. */
interface StoredBefore {
  /** Time of the newest transfer; -1 without one. */
  readonly lastTransfer: number;
  /** Block time of the newest swap; -1 without one. */
  readonly lastTime: number;
  /** The id of the first transaction of the batch: its transactions are stored by then. */
  readonly firstTx: number;
}

/**
 * The seq behind which all swaps with these keys belong, so that they can be appended.
 *
 * - -1 if all are of later seconds than the newest stored swap, as from almost every feed.
 * - The seq of the newest stored swap if all belong behind it although some share its second: a block may come in several batches.
 * - `undefined` if a swap is late, or continues the transaction of the newest stored swap, whose trades then change. So it is where balances
 *   may say an order that places do not: of a wallet that has swaps on both sides of the cut, or beside a transfer.
 */
export async function endIfNewest(
  reader: Reader,
  added: Swaps,
  keys: ChainKeys,
  { lastTime, lastTransfer, firstTx }: StoredBefore,
): Promise<number | undefined> {
  const first = keys.time.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  if (first > lastTime) return -1;
  if (first < lastTime || lastTransfer >= lastTime) return undefined;
  const { columns: last, length } = await reader.read({
    table: swapsTable,
    columns: ['seq', 'tx', 'swap_index', 'wallet'],
    where: compare('seq', 'gte', firstSeqAt(lastTime)),
    order: [{ column: 'seq', direction: 'desc' }],
  });
  if (length === 0) return undefined;
  const { columns: c } = await reader.read({
    table: transactionsTable,
    columns: transactionColumns,
    where: and(compare('block_time', 'eq', lastTime), compare('tx', 'lt', firstTx)),
  });
  const newest = c.tx.indexOf(last.tx[0]!);
  const stored: ChainKeys = {
    length: c.tx.length,
    time: c.block_time,
    slot: c.block_slot,
    index: c.tx_index,
    moment: c.moment.map(momentOfStored),
    filePlace: c.file_place.map((place) => place || 0),
    txHash: c.tx_hash as string[],
    swapIndex: new Float64Array(c.tx.length).fill(last.swap_index[0]!),
  };
  const wallets = new Set(last.wallet);
  const isBehind = placesBehind(stored);
  for (let row = 0; row < keys.length; row++) {
    if (keys.time[row] !== lastTime) continue;
    if (keys.txHash[row] === stored.txHash[newest] || compareKeys(keys, row, stored, newest) < 0) return undefined;
    if (wallets.has(added.columns.wallet[row]!) && !isBehind(keys, row)) return undefined;
  }
  return last.seq[0]!;
}

/**
 * Whether the places of a second's transactions alone say that another one comes behind all of them: by its slot, or by its index or its place
 * in the file if each of them has one and so they are in one order, whatever balances say.
 */
function placesBehind(stored: ChainKeys): (keys: ChainKeys, row: number) => boolean {
  const slot = stored.slot.reduce((a, b) => Math.max(a, b));
  const index = stored.index.filter((_, i) => Object.is(stored.slot[i], slot)).reduce((a, b) => Math.max(a, b));
  const hasOnlyPlaces = stored.filePlace.every(
    (place, i) => place > 0 && stored.moment[i] === 0 && Number.isNaN(stored.index[i]!),
  );
  const filePlace = stored.filePlace.reduce((a, b) => Math.max(a, b));
  // Without a slot or an index, the largest is `NaN`, and nothing is more.
  return (keys, row) =>
    keys.slot[row]! > slot ||
    (Object.is(keys.slot[row], slot) &&
      (keys.index[row]! > index ||
        (hasOnlyPlaces &&
          Number.isNaN(keys.index[row]!) &&
          keys.moment[row] === 0 &&
          keys.filePlace[row]! > filePlace)));
}

export interface Append {
  readonly added: Swaps;
  readonly keys: ChainKeys;
  /** The seq behind which they belong: see `endIfNewest`. */
  readonly end: number;
}

/** Stores new swaps behind all others, and continues from there what the store derived of the earlier ones. */
export async function appendSwaps(writer: Writer, context: ApplyContext, { added, keys, end }: Append): Promise<void> {
  const pause = yielder();
  const { swaps, order } = inChainOrder(added, keys, end);
  context.onUnordered?.(await countAppended(writer, context.roles, { swaps, keys, order }, end));
  await pause.yieldIfDue();
  const { votes, horizon } = context.state;
  await votes.prepare(writer, swaps, horizon);
  await pause.yieldIfDue();
  const { legs, trades, tradePools } = await deriveAndWrite(writer, context, swaps, {
    judge: votes.judge,
  });
  await votes.write(writer);
  await pause.yieldIfDue();
  const findPlaces: FindPlaces = async (ids) => placesOfKeys(swaps, keys, order, ids);
  const checkpoints = await appendLedgers(writer, context, { swaps, trades, findPlaces });
  await pause.yieldIfDue();
  const counts = new ValueCounts(context.roles);
  counts.add(swaps);
  await counts.addTo(writer);
  await markSwapsDirty(writer, [swaps]);
  await pause.yieldIfDue();
  const slots = Float64Array.from(order, (row) => keys.slot[row]!);
  context.changes?.appended.push({ swaps, slots, legs, roles: context.roles, trades, tradePools, keys, order });
  const { state } = context;
  state.checkpoints = checkpoints;
  state.lastTime = keys.time.reduce((a, b) => Math.max(a, b));
}

function placesOfKeys(
  { columns: { tx } }: Swaps,
  keys: ChainKeys,
  order: Uint32Array,
  ids: ReadonlySet<number>,
): ReadonlyMap<number, Place> {
  const places = new Map<number, TransactionRow>();
  if (ids.size === 0) return places;
  for (let row = 0; row < order.length; row++)
    if (ids.has(tx[row]!)) noteTransaction(places, tx[row]!, keys, order[row]!);
  return places;
}
