import { invalidInput, SwapfoldError } from '../../errors.ts';
import { isKept, readHorizon } from '../../ingest/carried.ts';
import { inRanges, mergeSeconds, newChainKeys } from '../../ingest/chain-keys.ts';
import { type ApplyContext, everything } from '../../ingest/changes.ts';
import { reprocess } from '../../ingest/reprocess.ts';
import { followTransfers } from '../../ingest/transfers/follow.ts';
import type { RollbackResult } from '../../ingest-result.ts';
import type { Swaps } from '../../ledger/value.ts';
import { show } from '../../nearest.ts';
import { columnsOf, filterRows, newBatch, type Table } from '../../records/columns.ts';
import { swapsTable, transactionsTable, transfersTable } from '../../records/tables.ts';
import type { Reader, Writer } from '../../storage/adapter.ts';
import { compare, isIn, type Predicate } from '../../storage/predicate.ts';
import { readBySeq } from '../../storage/reads.ts';
import type { RollbackOptions } from '../../swapfold-options.ts';
import { formatTime, windowSeconds } from '../../time.ts';
import type { StoreSession } from '../open/session.ts';

/** As `Swapfold.rollback`; `beside` writes in the same transaction. */
export async function rollbackStore(
  session: StoreSession,
  call: RollbackOptions,
  beside?: (writer: Writer) => Promise<void>,
): Promise<RollbackResult> {
  const changes = everything(() => session.live.isWatched);
  const { result } = await session.write(
    { signal: call.signal, changes },
    async (writer) => {
      await beside?.(writer);
      const context = { ...session.applyContext(), changes };
      return { state: context.state, result: await rollbackSwaps(writer, context, call.from_block_slot) };
    },
    ({ state }) => ({ ingest: state }),
  );
  return result;
}

/** Transactions that are removed at once: bounds the memory of a rollback. */
const CHUNK = 50_000;

interface Transactions {
  readonly tx: Int32Array;
  readonly time: Float64Array;
}

/**
 * Removes the swaps and transfers of a block slot and of all later ones, inside one transaction, and derives anew what followed from them.
 *
 * - The newest seconds go first, some at a time: after each part the store is one that never had it.
 * - Texts keep their ids, registries stay.
 * - Errors: `invalid-input` for a slot that is none, and where swaps without a slot are as new as what is to be removed.
 */
export async function rollbackSwaps(
  writer: Writer,
  context: ApplyContext,
  fromSlot: number,
  chunk = CHUNK,
): Promise<RollbackResult> {
  if (!Number.isInteger(fromSlot) || fromSlot < 0)
    throw invalidInput(`"from_block_slot" must be a whole number from 0, not ${show(fromSlot)}.`);
  const where = compare('block_slot', 'gte', fromSlot);
  const { time: horizon, slot } = await readHorizon(writer);
  if (slot !== null && fromSlot <= slot) throw behindRollback(fromSlot, horizon);
  const gone = await newestFirst(writer, where);
  const oldest = await oldestGone(writer, where, gone);
  await refuseUnknownSlots(writer, fromSlot, oldest ?? Number.POSITIVE_INFINITY);
  let swaps = 0;
  for (let from = 0; from < gone.tx.length; ) {
    let to = Math.min(from + chunk, gone.tx.length);
    while (to < gone.tx.length && gone.time[to] === gone.time[to - 1]) to++;
    const removed = await swapsOf(writer, gone.tx.subarray(from, to), gone.time.subarray(from, to));
    await reprocess(writer, context, { added: newBatch(swapsTable, 0), keys: newChainKeys(0), removed });
    swaps += removed.length;
    from = to;
  }
  // What profiles read of their longest window has to be there afterwards, too.
  if (!isKept({ asOf: context.state.lastTime ?? 0, horizon }, windowSeconds['30d']))
    throw behindRollback(fromSlot, horizon);
  if (gone.tx.length > 0) await writer.remove(transactionsTable, where);
  const transfers = await removeTransfers(writer, context, where, chunk);
  if (context.changes !== undefined) context.changes.rolledBack = { fromSlot, fromTime: oldest };
  // As every other handle of the store has it: ids go on from the greatest there is.
  context.state.nextTx = ((await writer.max(transactionsTable, 'tx')) ?? -1) + 1;
  return { swaps, transactions: gone.tx.length, ...(transfers > 0 && { transfers }) };
}

/** The time of the oldest row that holds, `null` without one. */
async function oldestGone(reader: Reader, where: Predicate, { time }: Transactions): Promise<number | null> {
  const order = [{ column: 'block_time', direction: 'asc' }] as const;
  const { columns } = await reader.read({ table: transfersTable, columns: ['block_time'], where, order, limit: 1 });
  const times = [...time.subarray(-1), ...columns.block_time];
  return times.length === 0 ? null : Math.min(...times);
}

/** Removes the transfers that hold, the newest first, and what followed from them. Gives their number. */
async function removeTransfers(
  writer: Writer,
  context: ApplyContext,
  where: Predicate,
  chunk: number,
): Promise<number> {
  const table = transfersTable;
  const order = [{ column: 'block_time', direction: 'desc' }] as const;
  let count = 0;
  for (;;) {
    const removed = await writer.read({ table, columns: columnsOf(table), where, order, limit: chunk });
    if (removed.length === 0) break;
    await writer.remove(table, isIn('transfer', removed.columns.transfer));
    await followTransfers(writer, context, { added: newBatch(table, 0), removed });
    count += removed.length;
  }
  // As every other handle of the store has it.
  context.state.nextTransfer = ((await writer.max(table, 'transfer')) ?? -1) + 1;
  if (context.state.nextTransfer === 0) context.state.lastTransfer = null;
  return count;
}

function behindRollback(fromSlot: number, horizon: number): SwapfoldError {
  return new SwapfoldError(
    'behind-horizon',
    `A rollback to slot ${fromSlot} leaves less than 30 days of the swaps since ${formatTime(horizon)}, before which the store has forgotten them; nothing was removed.`,
  );
}

/** The transactions that hold, the newest first. */
async function newestFirst(reader: Reader, where: Predicate): Promise<Transactions> {
  const { columns } = await reader.read({
    table: transactionsTable,
    columns: ['tx', 'block_time'],
    where,
    order: [
      { column: 'block_time', direction: 'desc' },
      { column: 'tx', direction: 'desc' },
    ],
  });
  return { tx: columns.tx, time: columns.block_time };
}

/** A transaction without a slot is known to stay only if it is older than a transaction that stays, and than all that go. */
async function refuseUnknownSlots(reader: Reader, fromSlot: number, oldest: number): Promise<void> {
  const tables = [transactionsTable, transfersTable] as readonly Table[];
  let newestKept = Number.NEGATIVE_INFINITY;
  for (const table of tables) {
    const newest = await reader.max(table, 'block_time', compare('block_slot', 'lt', fromSlot));
    newestKept = Math.max(newestKept, newest ?? newestKept);
  }
  const since = Math.min(newestKept, oldest);
  const unknown: Predicate = { kind: 'missing', column: 'block_slot' };
  const doubtful = Number.isFinite(since)
    ? { kind: 'and' as const, of: [unknown, compare('block_time', 'gte', since)] }
    : unknown;
  for (const table of tables) {
    const count = await reader.count(table, doubtful);
    if (count === 0) continue;
    const [one, rows] = table === transfersTable ? ['transfer', 'transfers'] : ['transaction', 'swaps'];
    const what = count === 1 ? `1 ${one} has` : `${count} ${one}s have`;
    throw invalidInput(
      `${what} no "block_slot" and could belong to slot ${fromSlot} or later. A rollback needs ${rows} that tell their slot; nothing was removed.`,
    );
  }
}

async function swapsOf(reader: Reader, transactions: Int32Array, times: Float64Array): Promise<Swaps> {
  const wanted = new Set(transactions);
  const swaps = await readBySeq(reader, swapsTable, inRanges(mergeSeconds(times)));
  return filterRows(swaps, (row) => wanted.has(swaps.columns.tx[row]!));
}
