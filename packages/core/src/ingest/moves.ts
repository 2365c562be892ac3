import { type Moved, nothingMoved, type SinceMoved } from '../ledger/pair-ledger.ts';
import { pairToken, pairWallet } from '../records/chain-order.ts';
import { type Batch, enlarged, newBatch, sliceRows } from '../records/columns.ts';
import { movesTable, SINCE_LAST_TRADE } from '../records/tables.ts';

export type Moves = Batch<typeof movesTable>;

const names = Object.keys(nothingMoved()) as readonly (keyof Moved)[];

/** Rows of what moved, as they are collected. */
export class MoveRows {
  #moves = newBatch(movesTable, 64);
  #length = 0;

  /** `seq`: that of the trade, `undefined` of what moved since the last one. */
  add(pair: number, seq: number | undefined, moved: Moved, openCost: number): void {
    if (this.#length === this.#moves.length) this.#moves = enlarged(movesTable, this.#moves, this.#length * 2);
    const row = this.#length++;
    const c = this.#moves.columns;
    c.pair[row] = pair;
    c.seq[row] = seq ?? SINCE_LAST_TRADE;
    c.wallet[row] = pairWallet(pair);
    c.token[row] = pairToken(pair);
    for (const name of names) c[name][row] = moved[name];
    c.open_cost[row] = openCost;
  }

  /** Says in the row of a trade of the pair that was added last when the position opened and closed; nothing if neither happened. */
  setState(pair: number, seq: number, [opened, closed]: readonly [number, number]): void {
    if (Number.isNaN(opened) && Number.isNaN(closed)) return;
    let row = this.#length - 1;
    while (row >= 0 && this.#moves.columns.pair[row] === pair && this.#moves.columns.seq[row] !== seq) row--;
    if (row < 0 || this.#moves.columns.pair[row] !== pair) {
      this.add(pair, seq, nothingMoved(), Number.NaN);
      row = this.#length - 1;
    }
    this.#moves.columns.opened_at[row] = opened;
    this.#moves.columns.closed_at[row] = closed;
  }

  collected(): Moves {
    return sliceRows(this.#moves, 0, this.#length);
  }
}

/** What had moved since the last trades of pairs, by pair. */
export function sinceOf({ columns: c, length }: Moves): Map<number, SinceMoved> {
  const since = new Map<number, SinceMoved>();
  for (let row = 0; row < length; row++) {
    const moved = nothingMoved();
    for (const name of names) moved[name] = c[name][row]!;
    since.set(c.pair[row]!, { moved, openCost: c.open_cost[row]! });
  }
  return since;
}
