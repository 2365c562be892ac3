import { type LotRows, newLotRows, Position } from '../ledger/position.ts';
import type { Trades } from '../ledger/trade.ts';
import { pairOf } from '../records/chain-order.ts';
import { lotsTable } from '../records/tables.ts';
import { groupRows } from './key-index.ts';
import { type Lots, LotsByPair } from './lots-by-pair.ts';

/**
 * Writes the facts of positions onto trades, pair by pair, and gives the lots that stay open, by pair and ordinal.
 *
 * - `trades`: any pairs, in chain order; `lots`: where their positions stood before (none for those folded from the beginning).
 */
export function foldPositions(trades: Trades, lots: Lots, dustUsd: number): Lots {
  const { index, starts, rows } = groupRows(pairsOf(trades));
  const before = new LotsByPair(lots);
  const position = new Position();
  const open = newLotRows();
  for (const pair of index.keys().sort()) {
    const [from, to] = before.rangeOf(pair);
    position.load(before.lots, from, to);
    const place = index.find(pair);
    for (let i = starts[place]!; i < starts[place + 1]!; i++) position.apply(trades, rows[i]!, dustUsd);
    position.save(pair, open);
  }
  return lotBatch(open);
}

export function pairsOf(trades: Trades): Float64Array {
  const { wallet, token } = trades.columns;
  const pairs = new Float64Array(trades.length);
  for (let i = 0; i < pairs.length; i++) pairs[i] = pairOf(wallet[i]!, token[i]!);
  return pairs;
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
