import { columnsOf, concatBatches, NO_ID } from '../../records/columns.ts';
import { transfersTable } from '../../records/tables.ts';
import type { Writer } from '../../storage/adapter.ts';
import { type ApplyContext, markDirty } from '../changes.ts';
import { refoldForTransfers } from '../refold.ts';
import type { TransferChange } from './check.ts';

/** Brings up to date what follows from transfers that were stored and removed, and notes the change for caches and subscriptions. */
export async function followTransfers(writer: Writer, context: ApplyContext, change: TransferChange): Promise<void> {
  const { added, removed, beside } = change;
  const moving = [added, removed, ...(beside === undefined ? [] : [beside])];
  await refoldForTransfers(writer, context, concatBatches(transfersTable, columnsOf(transfersTable), moving));
  const { state } = context;
  // From here on: what the refold looked at was newer than all that stood before.
  for (const time of added.columns.block_time) state.lastTransfer = Math.max(state.lastTransfer ?? time, time);
  const { changes } = context;
  const wallets = new Map<number, number>();
  const tokens = new Map<number, number>();
  for (const rows of [change.added, change.removed]) {
    const { columns: c, length } = rows;
    for (let row = 0; row < length; row++) {
      // Of rows that are gone nothing tells which positions they moved: a refresh folds all of the wallet anew.
      const time = rows === change.removed ? 0 : c.block_time[row]!;
      for (const wallet of [c.sender[row]!, c.recipient[row]!]) if (wallet !== NO_ID) noteTime(wallets, wallet, time);
      noteTime(tokens, c.token[row]!, time);
    }
  }
  await markDirty(writer, 'wallets', wallets);
  await markDirty(writer, 'tokens', tokens);
  for (const wallet of wallets.keys()) changes?.touched.wallets.add(wallet);
  for (const token of tokens.keys()) changes?.touched.tokens.add(token);
  if (changes?.isWatched()) changes.transfers.push(change);
  else if (changes !== undefined) changes.isIncomplete = true;
}

function noteTime(times: Map<number, number>, id: number, time: number): void {
  const known = times.get(id);
  if (known === undefined || time < known) times.set(id, time);
}
