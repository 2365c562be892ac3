import { isColumns, rowsToColumns } from '../../ingest/batches.ts';
import type { ApplyContext } from '../../ingest/changes.ts';
import type { NumberColumn, TextColumn, TransferColumns } from '../../ingest/columns.ts';
import { applyTransfers } from '../../ingest/transfers/apply.ts';
import { checkTransfers, rejectAhead, takeTransfers, type ValidTransfers } from '../../ingest/transfers/check.ts';
import { EqualRows } from '../../ingest/transfers/indexes.ts';
import type { Reject, TransferConflict, TransfersResult } from '../../ingest-result.ts';
import type { SourceRows } from '../../live/source.ts';
import { NO_ID } from '../../records/columns.ts';
import { legsTable, swapsTable } from '../../records/tables.ts';
import { fieldsOfTransfers } from '../../records/transfer-fields.ts';
import type { Reader, Writer } from '../../storage/adapter.ts';
import { wallClock } from '../../time.ts';
import type { StoreSession } from '../open/session.ts';
import { noteConflict, noteLookedThrough, noteReject } from '../write/intake.ts';
import type { FollowOptions } from './follow-options.ts';

/** The transfers of an item of a source, while it is stored. */
export interface ItemTransfers {
  /** Checks them, and looks for the wallets and tokens that the store knows before the item's swaps are in it. */
  check(writer: Writer): Promise<void>;
  store(writer: Writer, context: ApplyContext): Promise<void>;
  /** Adds what became of them, once they are stored. */
  note(result: TransfersResult): void;
}

/** `undefined` of an item without transfers. */
export function itemTransfers(
  session: StoreSession,
  { transfers, onlyKnown, rows }: SourceRows,
  { maxAhead, onReject }: FollowOptions,
): ItemTransfers | undefined {
  if (transfers === undefined || transfers.length === 0) return undefined;
  const rejects: Reject[] = [];
  const conflicts: TransferConflict[] = [];
  const reject = (rejected: Reject): unknown => rejects.push(rejected);
  let valid: ValidTransfers;
  let applied = { added: 0, duplicate: 0 };
  return {
    async check(writer) {
      rejects.length = 0;
      const columns = isColumns(transfers)
        ? transfers
        : ((await rowsToColumns(fieldsOfTransfers, transfers)) as TransferColumns);
      const sound = await checkTransfers(columns as TransferColumns, session.config, 0, reject);
      const timely = maxAhead === undefined ? sound : rejectAhead(sound, wallClock() + maxAhead, reject);
      valid = onlyKnown === true ? await known(writer, session, timely, rows) : timely;
    },
    async store(writer, context) {
      conflicts.length = 0;
      const onConflict = (conflict: TransferConflict): unknown => conflicts.push(conflict);
      const of = { equalRows: new EqualRows().attempt(), file: '', onConflict, reject };
      applied = await applyTransfers(writer, context, valid, of);
    },
    note(result) {
      result.added += applied.added;
      result.duplicate += applied.duplicate;
      noteLookedThrough(result, valid);
      for (const rejected of rejects) {
        noteReject(result, rejected);
        onReject?.(rejected);
      }
      for (const conflict of conflicts) noteConflict(result, conflict);
    },
  };
}

/**
 * The transfers whose token and one of whose wallets have a swap in the store, or in the item up to their transaction: so it does not matter
 * how a source cuts what it gives into items.
 */
async function known(
  reader: Reader,
  { dictionary }: StoreSession,
  valid: ValidTransfers,
  rows: SourceRows['rows'],
): Promise<ValidTransfers> {
  const { columns: c, length } = valid.transfers;
  const ids = await dictionary.find(reader, valid.texts);
  const wallets = await swapped(reader, 'wallets', ids);
  const tokens = await swapped(reader, 'tokens', ids);
  const firsts = firstsOf(rows);
  const isKnown = (local: number, before: ReadonlySet<number>, first: ReadonlyMap<string, Place>, row: number) => {
    if (local === NO_ID) return false;
    if (before.has(ids[local]!)) return true;
    const place = first.get(valid.texts[local]!);
    return place !== undefined && !isBefore({ slot: c.block_slot[row]!, index: c.tx_index[row]! }, place);
  };
  const taken: number[] = [];
  for (let row = 0; row < length; row++) {
    if (!isKnown(c.token[row]!, tokens, firsts.tokens, row)) continue;
    const isOfWallet = [c.sender[row]!, c.recipient[row]!].some((one) => isKnown(one, wallets, firsts.wallets, row));
    if (isOfWallet) taken.push(row);
  }
  return takeTransfers(valid, taken);
}

/** Those of some ids that have a stored swap. */
async function swapped(reader: Reader, of: 'wallets' | 'tokens', ids: Int32Array): Promise<ReadonlySet<number>> {
  const keys = Int32Array.from(new Set(ids.filter((id) => id !== NO_ID)));
  if (of === 'wallets') {
    const found = await reader.latest({ table: swapsTable, columns: ['wallet'], key: 'wallet', keys, by: 'seq' });
    return new Set(found.columns.wallet);
  }
  const found = await reader.latest({ table: legsTable, columns: ['token'], key: 'token', keys, by: 'seq' });
  return new Set(found.columns.token);
}

/** Where a transaction stands; `NaN` of what is not said, which is before nothing. */
interface Place {
  readonly slot: number;
  readonly index: number;
}

const isBefore = (a: Place, b: Place): boolean => a.slot < b.slot || (a.slot === b.slot && a.index < b.index);

/** Where the wallets and tokens of some swaps come first. */
function firstsOf(rows: SourceRows['rows']): Record<'wallets' | 'tokens', ReadonlyMap<string, Place>> {
  const [wallets, tokens] = [new Map<string, Place>(), new Map<string, Place>()];
  const note = (to: Map<string, Place>, name: string | null, place: Place): void => {
    if (name === null) return;
    const first = to.get(name);
    if (first === undefined || isBefore(place, first)) to.set(name, place);
  };
  for (let row = 0; row < rows.length; row++) {
    const place = { slot: numberAt(rows, 'block_slot', row), index: numberAt(rows, 'tx_index', row) };
    note(wallets, textAt(rows, 'wallet', row), place);
    for (const side of ['token_in', 'token_out'] as const) note(tokens, textAt(rows, side, row), place);
  }
  return { wallets, tokens };
}

function numberAt(rows: SourceRows['rows'], name: 'block_slot' | 'tx_index', row: number): number {
  if (!isColumns(rows)) return rows[row]![name] ?? Number.NaN;
  return (rows.columns[name] as NumberColumn | undefined)?.[row] ?? Number.NaN;
}

function textAt(rows: SourceRows['rows'], name: 'wallet' | 'token_in' | 'token_out', row: number): string | null {
  if (!isColumns(rows)) return rows[row]![name];
  const column = rows.columns[name] as TextColumn;
  return 'dictionary' in column ? (column.dictionary[column.ids[row]!] ?? null) : column[row]!;
}
