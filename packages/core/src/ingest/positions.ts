import { LotRows, Position } from '../ledger/position.ts';
import type { Trades } from '../ledger/trade.ts';
import { pairOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, copyRows, enlarged, newBatch, takeRows } from '../records/columns.ts';
import { groupRows, KeyIndex, type RowGroups, sortingKeys } from '../records/key-index.ts';
import { lotsTable, tradesTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { finish, type Work } from '../work.ts';
import { yielder } from '../yielder.ts';
import type { PairStates } from './checkpoints.ts';

/** Pairs after which work asks whether others should have their turn. */
const PAIRS_PER_CHECK = 64;

/** Pairs whose lots are copied at once: a millisecond or two. */
const PAIRS_A_PIECE = 8192;

export type Lots = Batch<typeof lotsTable>;

/** Rows that must be of no use any more before the book is copied without them. */
const LEAST_DEAD = 100_000;

/** The lots of pairs, each together and by ordinal: the lots of the pair at place `p` are rows `starts[p]` to `starts[p + 1]`. */
export interface PairLots {
  readonly lots: Lots;
  readonly starts: Int32Array;
}

/**
 * Writes the facts of positions onto trades, pair by pair, and gives the lots that stay open, by pair and ordinal.
 *
 * - `trades`: any pairs, in chain order; `lots`: where their positions stood before (none for those folded from the beginning).
 */
export function foldPositions(trades: Trades, lots: Lots, dustUsd: number): Lots {
  const pairs = groupRows(pairsOf(trades));
  return finish(foldingPositions(trades, pairs, lotsOf(pairs.index, lots), dustUsd));
}

/** `foldPositions` of the pairs of trades and their lots, which stops where others may have their turn. */
export function* foldingPositions(
  trades: Trades,
  { index, starts, rows }: RowGroups,
  before: PairLots,
  dustUsd: number,
): Work<Lots> {
  const position = new Position();
  const open = new LotRows();
  for (const pair of index.keys().sort()) {
    const place = index.find(pair);
    position.load(before.lots, before.starts[place]!, before.starts[place + 1]!);
    for (let i = starts[place]!; i < starts[place + 1]!; i++) position.apply(trades, rows[i]!, dustUsd);
    position.save(pair, open);
    if (place % PAIRS_PER_CHECK === 0) yield;
  }
  yield;
  return open.collected();
}

/**
 * Writes trades that all come after those that the store had, with their facts, and the lots that stay open then. Gives the lots of their
 * pairs before.
 */
export async function continuePositions(
  writer: Writer,
  trades: Trades,
  dust: number,
): Promise<PairStates<typeof lotsTable>> {
  if (trades.length === 0) return { pairs: new Float64Array(0), rows: newBatch(lotsTable, 0) };
  const pause = yielder();
  const pairs = groupRows(pairsOf(trades));
  const before = await writer.read({
    table: lotsTable,
    columns: columnsOf(lotsTable),
    where: isIn('pair', pairs.index.keys()),
  });
  const lots = await pause.run(foldingPositions(trades, pairs, lotsOf(pairs.index, before), dust));
  await pause.yieldIfDue();
  if (before.length > 0) await writer.remove(lotsTable, isIn('pair', groupRows(before.columns.pair).index.keys()));
  await writer.append(tradesTable, trades);
  await writer.append(lotsTable, lots);
  return { pairs: pairs.index.keys(), rows: before };
}

export function pairsOf(trades: Trades): Float64Array {
  const { wallet, token } = trades.columns;
  const pairs = new Float64Array(trades.length);
  for (let i = 0; i < pairs.length; i++) pairs[i] = pairOf(wallet[i]!, token[i]!);
  return pairs;
}

/** The open lots of many pairs in memory, while trades are folded batch by batch. */
export class LotBook {
  /** Lots of each pair together; longer than `#length`. */
  #lots = newBatch(lotsTable, 1024);
  #length = 0;
  /** Rows that a later `replace` made of no use. */
  #dead = 0;
  #pairs = new KeyIndex();
  /** By place of the pair: its first row, and how many. */
  #first = new Int32Array(1024);
  #count = new Int32Array(1024);

  of(pairs: Float64Array): PairLots {
    return this.#take(Int32Array.from(pairs, (pair) => this.#pairs.find(pair)));
  }

  /** All lots, by pair and ordinal. */
  *all(): Work<Lots> {
    const pairs = yield* sortingKeys(this.#pairs.keys());
    const lots = newBatch(lotsTable, this.#length - this.#dead);
    let length = 0;
    for (let from = 0; from < pairs.length; from += PAIRS_A_PIECE) {
      const piece = this.of(pairs.subarray(from, from + PAIRS_A_PIECE)).lots;
      copyRows(piece, lots, length);
      length += piece.length;
      yield;
    }
    return lots;
  }

  /** Puts `lots`, by pair and ordinal, in the place of all lots that the pairs had. */
  *replacing(pairs: Float64Array, lots: Lots): Work<void> {
    for (const pair of pairs) {
      const place = this.#placeOf(pair);
      this.#dead += this.#count[place]!;
      this.#count[place] = 0;
    }
    this.#add(lots);
    yield;
    if (this.#dead > LEAST_DEAD && this.#dead * 2 > this.#length) yield* this.#compacting();
  }

  /** Copies what is of use. */
  *#compacting(): Work<void> {
    const lots = newBatch(lotsTable, (this.#length - this.#dead) * 2);
    let length = 0;
    for (let from = 0; from < this.#pairs.length; from += PAIRS_A_PIECE) {
      const to = Math.min(from + PAIRS_A_PIECE, this.#pairs.length);
      const piece = this.#take(Int32Array.from({ length: to - from }, (_, i) => from + i));
      copyRows(piece.lots, lots, length);
      for (let place = from; place < to; place++) this.#first[place] = length + piece.starts[place - from]!;
      length += piece.lots.length;
      yield;
    }
    this.#lots = lots;
    this.#length = length;
    this.#dead = 0;
  }

  /** The lots of the pairs at these places, -1 for one that has none. */
  #take(places: Int32Array): PairLots {
    const starts = new Int32Array(places.length + 1);
    for (let i = 0; i < places.length; i++)
      starts[i + 1] = starts[i]! + (places[i]! < 0 ? 0 : this.#count[places[i]!]!);
    const rows = new Int32Array(starts[places.length]!);
    for (let i = 0; i < places.length; i++)
      for (let at = starts[i]!; at < starts[i + 1]!; at++) rows[at] = this.#first[places[i]!]! + at - starts[i]!;
    return { lots: takeRows(this.#lots, rows), starts };
  }

  #add(lots: Lots): void {
    const start = this.#append(lots);
    for (let row = 0; row < lots.length; row++) {
      const place = this.#placeOf(lots.columns.pair[row]!);
      if (this.#count[place]!++ === 0) this.#first[place] = start + row;
    }
  }

  #placeOf(pair: number): number {
    const place = this.#pairs.placeOf(pair);
    if (place === this.#first.length) {
      const grown = [new Int32Array(place * 2), new Int32Array(place * 2)] as const;
      grown[0].set(this.#first);
      grown[1].set(this.#count);
      [this.#first, this.#count] = grown;
    }
    return place;
  }

  /** Appends rows and gives the place of the first. */
  #append(lots: Lots): number {
    const start = this.#length;
    this.#length += lots.length;
    if (this.#length > this.#lots.length)
      this.#lots = enlarged(lotsTable, this.#lots, Math.max(this.#length, this.#lots.length * 2));
    copyRows(lots, this.#lots, start);
    return start;
  }
}

/** Stored lots in any order, the lots of each pair of `index` together. */
function lotsOf(index: KeyIndex, stored: Lots): PairLots {
  const { pair, ordinal } = stored.columns;
  const starts = new Int32Array(index.length + 1);
  for (let row = 0; row < stored.length; row++) starts[index.find(pair[row]!) + 1]!++;
  for (let place = 0; place < index.length; place++) starts[place + 1]! += starts[place]!;
  const order = new Int32Array(stored.length);
  // The ordinals of a pair are 0, 1, 2 ... of its lots.
  for (let row = 0; row < stored.length; row++) order[starts[index.find(pair[row]!)]! + ordinal[row]!] = row;
  return { lots: takeRows(stored, order), starts };
}
