import { type LotRows, newLotRows, Position } from '../ledger/position.ts';
import type { Trades } from '../ledger/trade.ts';
import { pairOf } from '../records/chain-order.ts';
import { type Batch, type ColumnData, columnsOf, newBatch, takeRows } from '../records/columns.ts';
import { lotsTable, tradesTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { finish, type Work } from '../work.ts';
import { yielder } from '../yielder.ts';
import { groupRows, KeyIndex, type RowGroups } from './key-index.ts';

/** Pairs after which work asks whether others should have their turn. */
const PAIRS_PER_CHECK = 64;

export type Lots = Batch<typeof lotsTable>;

/** Rows that must be of no use any more before the book is copied without them. */
const LEAST_DEAD = 100_000;

/**
 * Writes the facts of positions onto trades, pair by pair, and gives the lots that stay open, by pair and ordinal.
 *
 * - `trades`: any pairs, in chain order; `lots`: where their positions stood before (none for those folded from the beginning).
 */
export function foldPositions(trades: Trades, lots: Lots, dustUsd: number): Lots {
  return finish(foldingPositions(trades, lots, dustUsd));
}

/** `foldPositions`, which stops where others may have their turn. */
export function* foldingPositions(trades: Trades, lots: Lots, dustUsd: number): Work<Lots> {
  const { index, starts, rows } = groupRows(pairsOf(trades));
  const before = lotsByPair(lots);
  const position = new Position();
  const open = newLotRows();
  for (const pair of index.keys().sort()) {
    const known = before.index.find(pair);
    if (known < 0) position.load(before.lots, 0, 0);
    else position.load(before.lots, before.starts[known]!, before.starts[known + 1]!);
    const place = index.find(pair);
    for (let i = starts[place]!; i < starts[place + 1]!; i++) position.apply(trades, rows[i]!, dustUsd);
    position.save(pair, open);
    if (place % PAIRS_PER_CHECK === 0) yield;
  }
  yield;
  return lotBatch(open);
}

/** Writes trades that all come after those that the store had, with their facts, and the lots that stay open then. */
export async function continuePositions(writer: Writer, trades: Trades, dust: number): Promise<void> {
  if (trades.length === 0) return;
  const pause = yielder();
  const pairs = groupRows(pairsOf(trades)).index.keys();
  const before = await writer.read({ table: lotsTable, columns: columnsOf(lotsTable), where: isIn('pair', pairs) });
  const lots = await pause.run(foldingPositions(trades, before, dust));
  await pause.yieldIfDue();
  if (before.length > 0) await writer.remove(lotsTable, isIn('pair', groupRows(before.columns.pair).index.keys()));
  await writer.append(tradesTable, trades);
  await writer.append(lotsTable, lots);
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

  /** The lots of these pairs. */
  of(pairs: Float64Array): Lots {
    const rows: number[] = [];
    for (const pair of pairs) {
      const place = this.#pairs.find(pair);
      if (place < 0) continue;
      for (let i = 0; i < this.#count[place]!; i++) rows.push(this.#first[place]! + i);
    }
    return takeRows(this.#lots, rows);
  }

  all(): Lots {
    return this.of(this.#pairs.keys().sort());
  }

  /** Puts `lots`, by pair and ordinal, in the place of all lots that the pairs had. */
  replace(pairs: Float64Array, lots: Lots): void {
    for (const pair of pairs) {
      const place = this.#placeOf(pair);
      this.#dead += this.#count[place]!;
      this.#count[place] = 0;
    }
    this.#add(lots);
    if (this.#dead > LEAST_DEAD && this.#dead * 2 > this.#length) this.#compact();
  }

  #compact(): void {
    const lots = this.all();
    this.#lots = newBatch(lotsTable, lots.length * 2);
    this.#length = this.#dead = 0;
    this.#pairs = new KeyIndex(this.#pairs.length);
    this.#count.fill(0);
    this.#add(lots);
  }

  /** Adds lots of pairs that have none. */
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
    if (this.#length > this.#lots.length) {
      const grown = newBatch(lotsTable, Math.max(this.#length, this.#lots.length * 2));
      copyRows(this.#lots, grown, 0);
      this.#lots = grown;
    }
    copyRows(lots, this.#lots, start);
    return start;
  }
}

/** The lots of each pair together, by ordinal: `starts[place]` is the first of the pair at `place` of `index`. */
function lotsByPair(lots: Lots): { readonly lots: Lots } & Pick<RowGroups, 'index' | 'starts'> {
  const { pair, ordinal } = lots.columns;
  const { index, starts, rows } = groupRows(pair);
  const order = new Int32Array(lots.length);
  // The ordinals of a pair are 0, 1, 2 ... of its lots.
  for (const row of rows) order[starts[index.find(pair[row]!)]! + ordinal[row]!] = row;
  return { lots: takeRows(lots, order), index, starts };
}

function lotBatch(rows: LotRows): Lots {
  const columns = Object.fromEntries(
    Object.entries(rows).map(([name, values]) => [
      name,
      lotsTable.columns[name as keyof LotRows] === 'id' ? new Int32Array(values) : new Float64Array(values),
    ]),
  );
  return { length: rows.pair.length, columns } as unknown as Lots;
}

function copyRows(from: Lots, to: Lots, at: number): void {
  const targets = to.columns as Readonly<Record<string, ColumnData>>;
  for (const [name, column] of Object.entries(from.columns))
    (targets[name] as Float64Array).set(column as Float64Array, at);
}
