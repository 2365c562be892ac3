import { type LotRows, newLotRows, Position } from '../ledger/position.ts';
import type { Trades } from '../ledger/trade.ts';
import { pairOf } from '../records/chain-order.ts';
import { type Batch, takeRows } from '../records/columns.ts';
import { lotsTable } from '../records/tables.ts';

export type Lots = Batch<typeof lotsTable>;

/**
 * Writes the facts of positions onto trades, pair by pair, and gives the lots that stay open.
 *
 * - `trades`: any pairs, in chain order; `lots`: where their positions stood before (none for those folded from the beginning).
 */
export function foldPositions(trades: Trades, lots: Lots, dustUsd: number): Lots {
  const pairs = pairsOf(trades);
  const order = Uint32Array.from({ length: trades.length }, (_, i) => i).sort((a, b) => pairs[a]! - pairs[b]! || a - b);
  const starts = lotStarts(lots);
  const position = new Position();
  const rows = newLotRows();
  for (let i = 0; i < order.length; ) {
    const pair = pairs[order[i]!]!;
    const at = starts.get(pair);
    if (at === undefined) position.clear();
    else position.load(lots, at[0], at[1]);
    for (; i < order.length && pairs[order[i]!] === pair; i++) position.apply(trades, order[i]!, dustUsd);
    position.save(pair, rows);
  }
  return lotBatch(rows);
}

export function pairsOf(trades: Trades): Float64Array {
  const { wallet, token } = trades.columns;
  const pairs = new Float64Array(trades.length);
  for (let i = 0; i < pairs.length; i++) pairs[i] = pairOf(wallet[i]!, token[i]!);
  return pairs;
}

/** The lots ordered by pair and ordinal. */
export function sortLots(lots: Lots): Lots {
  const { pair, ordinal } = lots.columns;
  const order = Uint32Array.from({ length: lots.length }, (_, i) => i).sort(
    (a, b) => pair[a]! - pair[b]! || ordinal[a]! - ordinal[b]!,
  );
  return takeRows(lots, order);
}

/** Where the rows of each pair begin and end, in sorted lots. */
export function lotStarts(lots: Lots): Map<number, readonly [from: number, to: number]> {
  const starts = new Map<number, readonly [number, number]>();
  const { pair } = lots.columns;
  for (let i = 0; i < lots.length; ) {
    const from = i;
    while (i < lots.length && pair[i] === pair[from]) i++;
    starts.set(pair[from]!, [from, i]);
  }
  return starts;
}

function lotBatch(rows: LotRows): Lots {
  const columns = Object.fromEntries(
    Object.entries(rows).map(([name, values]) => [
      name,
      lotsTable.columns[name as keyof LotRows] === 'id' ? Int32Array.from(values) : Float64Array.from(values),
    ]),
  );
  return { length: rows.pair.length, columns } as unknown as Lots;
}
