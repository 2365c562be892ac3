import type { Conflict, IngestResult, Reject } from '../ingest-result.ts';
import type { Swaps } from '../ledger/value.ts';
import { firstSeqAt, lastSeqAt, MAX_SWAPS_A_SECOND, rankOf } from '../records/chain-order.ts';
import { NO_ID, newBatch, takeRows } from '../records/columns.ts';
import { type SwapFieldColumns, swapFieldColumns } from '../records/swap-fields.ts';
import { swapsTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { between } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import { appendSwaps, endIfNewest } from './append.ts';
import type { ValidSwaps } from './batch-validator.ts';
import { type ChainKeys, fullSecond, takeKeys } from './chain-keys.ts';
import type { ApplyContext } from './changes.ts';
import { deduplicate } from './deduplicate.ts';
import type { Dictionary } from './dictionary.ts';
import { reprocess } from './reprocess.ts';
import { findTransactions, moveTransactions, storeTransactions, type Transactions } from './transactions.ts';
import { followTransfers } from './transfers/follow.ts';
import { placeTransfers } from './transfers/place.ts';

type TextColumnName = {
  [N in keyof SwapFieldColumns]: SwapFieldColumns[N] extends 'id' ? N : never;
}[keyof SwapFieldColumns];

const textColumns = (Object.keys(swapFieldColumns) as (keyof SwapFieldColumns)[]).filter(
  (name): name is TextColumnName => swapFieldColumns[name] === 'id',
);

/** What became of the swaps of a batch; see `IngestResult`. */
export type Applied = Required<Pick<IngestResult, 'added' | 'duplicate' | 'aggregates'>>;

/**
 * Stores the new swaps of a batch and brings everything that follows from them up to date, inside one transaction.
 *
 * Swaps newer than all stored ones are appended. A late swap causes its second to be derived again; if it moves the native price, so
 * are all seconds up to where the votes for that price say the same as before. The result does not depend on the order of arrival.
 */
export async function applyBatch(
  writer: Writer,
  context: ApplyContext,
  validSwaps: ValidSwaps,
  onConflict: (conflict: Conflict) => void,
): Promise<Applied> {
  const { dictionary, state } = context;
  const pause = yielder();
  const found = await dictionary.findToWrite(writer, validSwaps.texts);
  const transactions = await findTransactions(writer, validSwaps, state.known);
  const deduplicated = await deduplicate(writer, validSwaps, transactions, {
    idOf: found,
    onConflict,
    same: context.same,
  });
  const { duplicate, aggregates, moved } = deduplicated;
  const { rejectFull } = context;
  const fresh =
    rejectFull === undefined
      ? deduplicated.fresh
      : await swapsWithRoom(writer, validSwaps, deduplicated.fresh, rejectFull);
  if (fresh.length === 0 && moved.size === 0) return { added: 0, duplicate, aggregates: 0 };
  await pause.yieldIfDue();
  const idOf = await internUsed(writer, dictionary, validSwaps, fresh, found);
  const firstTx = state.nextTx;
  await storeTransactions(writer, state, transactions, fresh);
  await pause.yieldIfDue();
  const added = freshSwaps(validSwaps, fresh, transactions, idOf);
  await pause.yieldIfDue();
  const keys = keysOfFresh(validSwaps, fresh, transactions);
  if (moved.size > 0) await moveTransactions(writer, transactions, moved);
  const placed = await placeTransfers(writer, state, transactions, fresh);
  const before = { lastTime: state.lastTime ?? -1, lastTransfer: state.lastTransfer ?? -1, firstTx };
  const end = moved.size > 0 ? undefined : await endIfNewest(writer, added, keys, before);
  if (end === undefined) {
    const seconds = Array.from(moved, (place) => transactions.time[place]!);
    await reprocess(writer, context, { added, keys, removed: newBatch(swapsTable, 0), moved: seconds });
  } else await appendSwaps(writer, context, { added, keys, end });
  if (placed !== undefined) await followTransfers(writer, context, placed);
  return { added: fresh.length, duplicate, aggregates };
}

/** Those of the new swaps that find room in their second, the first of the input first; the others are rejected. */
async function swapsWithRoom(
  reader: Reader,
  { keys, rows }: ValidSwaps,
  fresh: Uint32Array,
  reject: (reject: Reject) => void,
): Promise<Uint32Array> {
  const room = new Map<number, number>();
  for (const i of fresh) room.set(keys.time[i]!, MAX_SWAPS_A_SECOND);
  for (const time of room.keys()) {
    const last = await reader.max(swapsTable, 'seq', between('seq', firstSeqAt(time), lastSeqAt(time)));
    if (last !== null) room.set(time, MAX_SWAPS_A_SECOND - 1 - rankOf(last));
  }
  return fresh.filter((i) => {
    const time = keys.time[i]!;
    const left = room.get(time)!;
    room.set(time, left - 1);
    if (left <= 0) reject({ row: rows[i]!, field: 'block_time', reason: fullSecond(time) });
    return left > 0;
  });
}

/** Store ids of the local texts: of those that the store has, as found, and of those that new swaps use. */
async function internUsed(
  writer: Writer,
  dictionary: Dictionary,
  validSwaps: ValidSwaps,
  fresh: Uint32Array,
  found: Int32Array,
): Promise<Int32Array> {
  const isNew = new Uint8Array(found.length);
  for (const name of textColumns) {
    const column = validSwaps.swaps.columns[name];
    for (let i = 0; i < fresh.length; i++) {
      const local = column[fresh[i]!]!;
      if (local !== NO_ID && found[local] === NO_ID) isNew[local] = 1;
    }
  }
  const locals: number[] = [];
  for (let local = 0; local < isNew.length; local++) if (isNew[local] === 1) locals.push(local);
  const ids = await dictionary.intern(
    writer,
    locals.map((local) => validSwaps.texts[local]!),
  );
  const idOf = found.slice();
  for (const [i, local] of locals.entries()) idOf[local] = ids[i]!;
  return idOf;
}

/** Where the new swaps belong, each where its transaction does. */
function keysOfFresh({ keys, rows }: ValidSwaps, fresh: Uint32Array, transactions: Transactions): ChainKeys {
  const own = fresh.length === rows.length ? keys : takeKeys(keys, fresh);
  const moment = new Float64Array(fresh.length);
  const filePlace = new Float64Array(fresh.length);
  for (let i = 0; i < fresh.length; i++) {
    const place = transactions.placeOf[fresh[i]!]!;
    moment[i] = transactions.moment[place]!;
    filePlace[i] = transactions.filePlace[place]!;
  }
  return { ...own, moment, filePlace };
}

/** The new swaps with ids of the store. The derivation fills columns made here, so that the valid swaps stay as they are. */
function freshSwaps(validSwaps: ValidSwaps, fresh: Uint32Array, transactions: Transactions, idOf: Int32Array): Swaps {
  const { length } = fresh;
  const { columns } = length === validSwaps.swaps.length ? validSwaps.swaps : takeRows(validSwaps.swaps, fresh);
  const tx = new Int32Array(length);
  for (let i = 0; i < length; i++) tx[i] = transactions.tx[transactions.placeOf[fresh[i]!]!]!;
  const texts = Object.fromEntries(textColumns.map((name) => [name, storeIds(columns[name], idOf)]));
  const set = {
    seq: new Float64Array(length),
    usd_amount_in: new Float64Array(length),
    valued_by: new Int32Array(length),
    tx,
  };
  return { length, columns: { ...columns, ...texts, ...set, usd_amount_out: new Float64Array(length) } };
}

function storeIds(locals: Int32Array, idOf: Int32Array): Int32Array {
  const ids = new Int32Array(locals.length);
  for (let i = 0; i < ids.length; i++) ids[i] = locals[i] === NO_ID ? NO_ID : idOf[locals[i]!]!;
  return ids;
}
