import type { TokenNames } from '../../addresses/token-address.ts';
import type { Conflict } from '../../ingest-result.ts';
import type { Place } from '../../ledger/step-order.ts';
import { MAX_SWAPS_A_SECOND, seqOf, timeOf } from '../../records/chain-order.ts';
import {
  type Batch,
  columnsOf,
  concatBatches,
  defineTable,
  NO_ID,
  sliceRows,
  takeRows,
} from '../../records/columns.ts';
import { momentOfStored } from '../../records/moment.ts';
import { swapFieldColumns } from '../../records/swap-fields.ts';
import { swapsTable, textsTable } from '../../records/tables.ts';
import type { Reader, Writer } from '../../storage/adapter.ts';
import { type BulkLoad, type OrderedSwaps, placesTable, type StagedSwaps, stagedTable } from '../../storage/bulk.ts';
import { ROWS_PER_CHECK, yielder } from '../../yielder.ts';
import type { ValidSwaps } from '../batch-validator.ts';
import { payload, payloadConflict, same, type TransactionKeys, transactionDifference } from '../deduplicate.ts';
import { requireRoom } from '../dictionary.ts';
import { LocalTexts, REFUSED, type TextKind } from '../field-rules.ts';
import { hash53 } from '../transactions.ts';

interface LeftOut {
  readonly duplicate: number;
  /** By row. */
  readonly conflicts: readonly Conflict[];
}

/** Leaves out the swaps that are staged a second time, by the rule of `deduplicate`: the first row wins. */
export async function leaveOutRepeated(load: BulkLoad): Promise<LeftOut> {
  const conflicts: Conflict[] = [];
  const gone: number[] = [];
  let duplicate = 0;
  for await (const { swaps, from, to } of transactions(load.repeated())) {
    const c = swaps.columns;
    const keys: TransactionKeys = { time: c.block_time, slot: c.block_slot, index: c.tx_index };
    const known = new Map<number, number>();
    for (let row = from; row < to; row++) {
      const first = known.get(c.swap_index[row]!);
      let reason = transactionDifference(keys, from, keys, row);
      if (reason === undefined && first === undefined) {
        known.set(c.swap_index[row]!, row);
        continue;
      }
      gone.push(c.row[row]!);
      const field = reason === undefined ? payloadDifference(swaps, row, first!) : undefined;
      if (field !== undefined) reason = payloadConflict(field);
      if (reason === undefined) duplicate++;
      else conflicts.push({ row: c.row[row]!, tx_hash: c.tx_hash[row]!, swap_index: c.swap_index[row]!, reason });
    }
  }
  if (gone.length > 0) await load.leaveOut(Float64Array.from(gone));
  return { duplicate, conflicts: conflicts.sort((a, b) => a.row - b.row) };
}

interface TransactionRows {
  readonly swaps: StagedSwaps;
  readonly from: number;
  readonly to: number;
}

/** The rows of one hash after the other, of swaps that come by hash. */
async function* transactions(batches: AsyncIterable<StagedSwaps>): AsyncGenerator<TransactionRows> {
  let open: StagedSwaps | undefined;
  for await (const batch of batches) {
    const swaps = open === undefined ? batch : concatBatches(stagedTable, columnsOf(stagedTable), [open, batch]);
    const hash = swaps.columns.tx_hash;
    let from = 0;
    for (let row = 1; row < swaps.length; row++) {
      if (hash[row] === hash[from]) continue;
      yield { swaps, from, to: row };
      from = row;
    }
    open = takeRows(
      swaps,
      Array.from({ length: swaps.length - from }, (_, i) => from + i),
    );
  }
  if (open !== undefined && open.length > 0) yield { swaps: open, from: 0, to: open.length };
}

function payloadDifference({ columns }: StagedSwaps, a: number, b: number): string | undefined {
  return payload.find((name) => {
    const column = columns[name as keyof typeof columns] as Float64Array | Int32Array;
    return !same(column[a]!, column[b]!);
  });
}

/** Rows of texts that are written at once. */
const PIECE = 16_384;

/** The texts of a load, all of them in memory: those that the store has, and after them those that swaps bring. */
export class LoadTexts {
  readonly #texts: string[] = [];
  readonly #ids = new Map<string, number>();
  #stored = 0;

  static async open(reader: Reader): Promise<LoadTexts> {
    const loaded = new LoadTexts();
    for await (const { columns } of reader.stream({ table: textsTable, columns: ['id', 'text'] })) {
      for (const [i, text] of (columns.text as string[]).entries()) {
        loaded.#texts[columns.id[i]!] = text;
        loaded.#ids.set(text, columns.id[i]!);
      }
    }
    loaded.#stored = loaded.#texts.length;
    return loaded;
  }

  get length(): number {
    return this.#texts.length;
  }

  textOf(id: number): string {
    return this.#texts[id]!;
  }

  idOf(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#texts.push(text) - 1;
      this.#ids.set(text, id);
      requireRoom(this.#texts.length);
    }
    return id;
  }

  /** The ids of texts that a file holds as one kind of field, `NO_ID` for an empty one; `undefined` if the check of the kind refuses one. */
  async idsOfGiven(kind: TextKind, texts: readonly string[], names: TokenNames): Promise<Int32Array | undefined> {
    const local = new LocalTexts(names);
    const ids = new Int32Array(texts.length);
    const pause = yielder();
    for (let from = 0; from < texts.length; from += ROWS_PER_CHECK) {
      const places = local.uses[kind].idsOfAll(texts.slice(from, from + ROWS_PER_CHECK));
      if (places.includes(REFUSED)) return undefined;
      ids.set(places, from);
      await pause.yieldIfDue();
    }
    // Only now that none is refused: a text of a file that is read in another way may be one of no swap.
    for (const [i, place] of ids.entries()) {
      ids[i] = place < 0 ? NO_ID : this.idOf(local.texts[place]!);
      if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    }
    return ids;
  }

  async write(writer: Writer): Promise<void> {
    for (let from = this.#stored; from < this.#texts.length; from += PIECE) {
      const text = this.#texts.slice(from, from + PIECE);
      const id = Int32Array.from(text, (_, i) => from + i);
      await writer.append(textsTable, { length: text.length, columns: { id, text } });
    }
  }
}

/** Valid swaps as they are staged: with the ids that their texts have in the load. */
export function stagedSwaps({ swaps, keys, rows, texts }: ValidSwaps, loaded: LoadTexts): StagedSwaps {
  const idOf = new Int32Array(texts.length).fill(NO_ID);
  const columns: Record<string, Float64Array | Int32Array | readonly string[]> = {
    row: rows,
    tx_hash: keys.txHash,
    block_time: keys.time,
    block_slot: keys.slot,
    tx_index: keys.index,
    moment: keys.moment,
  };
  for (const name of Object.keys(swapFieldColumns) as (keyof typeof swapFieldColumns)[]) {
    const column = swaps.columns[name];
    columns[name] = stagedTable.columns[name] === 'id' ? loadedIds(column as Int32Array) : column;
  }
  return { length: swaps.length, columns } as unknown as StagedSwaps;

  function loadedIds(locals: Int32Array): Int32Array {
    return locals.map((local) => {
      if (local === NO_ID) return NO_ID;
      if (idOf[local] === NO_ID) idOf[local] = loaded.idOf(texts[local]!);
      return idOf[local]!;
    });
  }
}

/** Swaps with what `placesTable` has of them; their values are not written yet. */
const placedTable = defineTable({
  ...swapsTable,
  columns: {
    ...swapsTable.columns,
    ...placesTable.columns,
    tx_hash: 'text',
    block_slot: 'long',
    tx_index: 'long',
    moment: 'long',
    file_place: 'long',
  },
});

export type PlacedSwaps = Batch<typeof placedTable>;

/** Where transactions of placed swaps stand. */
export function placesOf({ columns: c }: PlacedSwaps, ids: ReadonlySet<number>): ReadonlyMap<number, Place> {
  const places = new Map<number, Place>();
  if (ids.size === 0) return places;
  for (const [row, tx] of c.tx.entries()) {
    if (!ids.has(tx) || places.has(tx)) continue;
    places.set(tx, {
      tx_hash: c.tx_hash[row]!,
      block_slot: c.block_slot[row]!,
      tx_index: c.tx_index[row]!,
      moment: momentOfStored(c.moment[row]!),
      file_place: c.file_place[row]! || 0,
    });
  }
  return places;
}

/** Gives swaps that come in chain order their places. */
export class Placer {
  #transactions = 0;
  #second = -1;
  #rank = 0;

  /** The swaps of all pieces, as batches of whole seconds with at least so many swaps; the last may have fewer. */
  async *inSeconds(pieces: AsyncIterable<OrderedSwaps>, least: number): AsyncGenerator<PlacedSwaps> {
    let open: PlacedSwaps[] = [];
    let length = 0;
    for await (const piece of pieces) {
      open.push(this.#placed(piece));
      length += piece.length;
      if (length < least) continue;
      const swaps = concatBatches(placedTable, columnsOf(placedTable), open);
      const { seq } = swaps.columns;
      let cut = length - 1;
      while (cut > 0 && timeOf(seq[cut - 1]!) === timeOf(seq[length - 1]!)) cut--;
      open = [sliceRows(swaps, cut, length)];
      length -= cut;
      if (cut > 0) yield sliceRows(swaps, 0, cut);
    }
    if (length > 0) yield concatBatches(placedTable, columnsOf(placedTable), open);
  }

  #placed({ length, columns: c }: OrderedSwaps): PlacedSwaps {
    const { tx_hash: hashes, block_time: times } = c;
    const seq = new Float64Array(length);
    const tx = new Int32Array(length);
    const tx_key = new Float64Array(length);
    for (let row = 0; row < length; row++) {
      const time = times[row]!;
      this.#rank = time === this.#second ? this.#rank + 1 : 0;
      if (this.#rank >= MAX_SWAPS_A_SECOND) throw new Error(`Second ${time} has more swaps than it has places for.`);
      this.#second = time;
      seq[row] = seqOf(time, this.#rank);
      const hash = hashes[row];
      if (hash != null) this.#transactions++;
      tx_key[row] = hash == null ? Number.NaN : hash53(hash);
      tx[row] = this.#transactions - 1;
    }
    const values = {
      usd_amount_in: new Float64Array(length),
      usd_amount_out: new Float64Array(length),
      valued_by: new Int32Array(length),
    };
    return { length, columns: { ...c, seq, tx, tx_key, ...values } };
  }
}
