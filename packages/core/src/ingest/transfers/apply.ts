import type { Reject, TransferConflict } from '../../ingest-result.ts';
import { columnsOf, concatBatches, NO_ID, takeRows } from '../../records/columns.ts';
import { transfersTable } from '../../records/tables.ts';
import type { Writer } from '../../storage/adapter.ts';
import { isIn } from '../../storage/predicate.ts';
import { ROWS_PER_CHECK, yielder } from '../../yielder.ts';
import { behindReason } from '../carried.ts';
import type { ApplyContext } from '../changes.ts';
import { payloadConflict } from '../deduplicate.ts';
import type { TransferChange, Transfers, ValidTransfers } from './check.ts';
import { EqualTransfers } from './equal.ts';
import { followTransfers } from './follow.ts';
import { contentOf, type EqualRowsOfBatch, isMade, MOST_EQUAL, madeIndex } from './indexes.ts';
import { differingField } from './payload.ts';
import { findPlaces, setPlaces } from './transactions.ts';

/** What became of the transfers of a batch. */
export interface AppliedTransfers {
  readonly added: number;
  readonly duplicate: number;
}

/** What a batch of transfers is stored with. */
export interface ApplyTransfers {
  readonly equalRows: EqualRowsOfBatch;
  /** The file of the rows; empty if they have none. */
  readonly file: string;
  readonly onConflict: (conflict: TransferConflict) => void;
  readonly reject: (reject: Reject) => void;
}

const columns = columnsOf(transfersTable);

/**
 * Stores the new transfers of a batch and brings what follows from them up to date, inside one transaction.
 *
 * - A transfer is identified by (tx_hash, transfer_index). The first row wins, stored or earlier in the batch.
 * - A row without an index gets one. Of equal rows of a transaction that have given and made indexes, the larger number counts (`equal.ts`).
 * - All transfers of a transaction stand where its swaps do (`transactions.ts`), whatever a row says.
 */
export async function applyTransfers(
  writer: Writer,
  context: ApplyContext,
  valid: ValidTransfers,
  { equalRows, file, onConflict, reject }: ApplyTransfers,
): Promise<AppliedTransfers> {
  if (valid.rows.length === 0) return { added: 0, duplicate: 0 };
  const { state, dictionary } = context;
  const pause = yielder();
  const idOf = await dictionary.findToWrite(writer, valid.texts);
  const { of, stored } = await findPlaces(writer, state, valid.transfers);
  // First the stored transfers of these transactions, then the rows of the batch.
  const all = concatBatches(transfersTable, columns, [stored, inStoreIds(valid.transfers, idOf)]);
  const { tx_hash: hashes, transfer_index: indexes } = all.columns;
  const textOf = await textsOf(writer, context, valid, all);
  const content = (row: number): number => contentOf(all, row, textOf);
  const stands = new Uint8Array(all.length).fill(1, 0, stored.length);
  const isOther = new Uint8Array(all.length);
  const equal = new EqualTransfers(all, { content, stands, isOther, from: stored.length });
  const conflict = (row: number, reason: string): void =>
    onConflict({
      row: valid.rows[row - stored.length]!,
      tx_hash: hashes[row]!,
      transfer_index: indexes[row]!,
      reason,
    });
  let [added, duplicate] = [0, 0];
  for (let row = stored.length; row < all.length; row++) {
    if (row % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    const input = valid.rows[row - stored.length]!;
    const transaction = of.get(hashes[row]!)!;
    const time = all.columns.block_time[row]!;
    const isBehind = time < state.horizon;
    // Where a transaction is known to stand, another time of a row says nothing.
    if (isBehind && !transaction.isStored) {
      reject({ row: input, field: 'block_time', reason: behindReason(time, state.horizon) });
      continue;
    }
    if (Number.isNaN(indexes[row])) {
      const ordinal = equalRows.next(file, hashes[row]!, content(row));
      if (ordinal === undefined) {
        reject({ row: input, field: 'transfer_index', reason: `is missing in more than ${MOST_EQUAL} equal rows` });
        continue;
      }
      indexes[row] = madeIndex(content(row), ordinal);
    }
    const known = transaction.byIndex.get(indexes[row]!);
    const field = known === undefined ? undefined : differingField(all, known, row, isMade(indexes[row]!));
    if (field !== undefined) {
      conflict(row, payloadConflict(field));
      continue;
    }
    if (!isBehind) transaction.note(all, row);
    if (known !== undefined) {
      duplicate++;
      continue;
    }
    transaction.byIndex.set(indexes[row]!, row);
    stands[row] = 1;
    added++;
  }
  for (const transaction of of.values()) {
    for (const { row, field } of equal.settle(transaction.byIndex.values())) {
      if (row < stored.length) continue;
      added--;
      if (field === undefined) duplicate++;
      else conflict(row, payloadConflict(field));
    }
    setPlaces(all, transaction, isOther);
  }
  await pause.yieldIfDue();
  const gone: number[] = [];
  const left: number[] = [];
  for (let row = 0; row < all.length; row++) {
    const isOld = row < stored.length;
    if (isOld && (stands[row] === 0 || isOther[row] === 1)) gone.push(row);
    if (stands[row] === 1 && (!isOld || isOther[row] === 1)) left.push(row);
  }
  if (gone.length + left.length === 0) return { added, duplicate };
  const rows = takeRows(all, left);
  await internNew(writer, context, valid, rows);
  for (let i = 0; i < rows.length; i++) if (left[i]! >= stored.length) rows.columns.transfer[i] = state.nextTransfer++;
  await storeTransfers(writer, context, { added: rows, removed: takeRows(stored, gone) });
  return { added, duplicate };
}

/** Writes a change, and what follows from it. */
async function storeTransfers(writer: Writer, context: ApplyContext, change: TransferChange): Promise<void> {
  const { added, removed } = change;
  if (removed.length > 0) await writer.remove(transfersTable, isIn('transfer', removed.columns.transfer));
  if (added.length > 0) await writer.append(transfersTable, added);
  await context.state.knownTransfers.add(added.columns.tx_key);
  await followTransfers(writer, context, change);
}

const idColumns = ['token', 'sender', 'recipient', 'kind'] as const;

/** The id of a text that the store has not: the local one, below `NO_ID`. */
const unstored = (local: number): number => NO_ID - 1 - local;

/** The rows with ids of the store, and such of `unstored`. */
function inStoreIds(transfers: Transfers, idOf: Int32Array): Transfers {
  const ids = (locals: Int32Array): Int32Array =>
    locals.map((local) => (local === NO_ID ? NO_ID : idOf[local] === NO_ID ? unstored(local) : idOf[local]!));
  const texts = Object.fromEntries(idColumns.map((name) => [name, ids(transfers.columns[name])]));
  return { length: transfers.length, columns: { ...transfers.columns, ...texts } };
}

/** Gives the texts that the store has not an id in it. */
async function internNew(
  writer: Writer,
  { dictionary }: ApplyContext,
  { texts }: ValidTransfers,
  { columns: c }: Transfers,
): Promise<void> {
  const locals = new Set<number>();
  for (const name of idColumns) for (const id of c[name]) if (id < NO_ID) locals.add(unstored(id));
  if (locals.size === 0) return;
  const wanted = [...locals];
  const ids = await dictionary.intern(
    writer,
    wanted.map((local) => texts[local]!),
  );
  const idOf = new Map(wanted.map((local, i) => [unstored(local), ids[i]!]));
  for (const name of idColumns) for (const [row, id] of c[name].entries()) if (id < NO_ID) c[name][row] = idOf.get(id)!;
}

/** The text of each id in the rows, of the store or not; `null` of `NO_ID`. Loaded only if a row has a made index, or needs one. */
async function textsOf(
  writer: Writer,
  { dictionary }: ApplyContext,
  { texts }: ValidTransfers,
  { columns: c }: Transfers,
): Promise<(id: number) => string | null> {
  if (c.transfer_index.some((index) => Number.isNaN(index) || isMade(index))) {
    const stored = [c.token, c.sender, c.recipient].flatMap((ids) => Array.from(ids).filter((id) => id >= 0));
    await dictionary.load(writer, stored);
  }
  return (id) => (id < NO_ID ? texts[unstored(id)]! : dictionary.textOrNull(id));
}
