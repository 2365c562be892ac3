import type { Bag } from './bag.ts';
import type { EntityTrades } from './entity.ts';

/** What is stored of a counterparty: its numbers lie together, so that a trade touches one line of the processor's cache. */
const [PNL, COST, WINS, LOSSES, REALISED, BOUGHT, SOLD, DAY] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const WIDTH = 8;

/** What the trades of one entity, added from the newest on, say of its counterparties. Reused from entity to entity. */
export class CounterpartiesFold {
  #capacity = 0;
  /** Counterparties in the order of their newest trades, the newest first. */
  #order = new Int32Array(0);
  #count = 0;
  #numbers = new Float64Array(0);
  /** Counterparties of each day so far, added up. */
  daily = 0;
  /** Days so far, and the last of them. */
  days = 0;
  #day = -1;

  begin(counterparties: number): void {
    this.daily = 0;
    this.days = 0;
    this.#day = -1;
    if (counterparties > this.#capacity) this.#makeRoom(Math.max(64, counterparties * 2));
    else for (let i = 0; i < this.#count; i++) this.#clear(this.#order[i]! * WIDTH);
    this.#count = 0;
  }

  /** Adds rows `from` to `to`, at least one, newest first; all lie in the day of this number, or in none (-1). */
  add(trades: EntityTrades, from: number, to: number, day: number): void {
    const numbers = this.#numbers;
    if (day !== this.#day) {
      this.#day = day;
      this.days++;
    }
    for (let i = to - 1; i >= from; i--) {
      const counterparty = trades.counterparty[i]!;
      const p = counterparty * WIDTH;
      if (numbers[p + BOUGHT] === 0 && numbers[p + SOLD] === 0) this.#order[this.#count++] = counterparty;
      numbers[p + (trades.isBuy[i] === 1 ? BOUGHT : SOLD)] = 1;
      if (numbers[p + DAY] !== day) {
        numbers[p + DAY] = day;
        this.daily++;
      }
      const pnl = trades.pnl[i]!;
      if (Number.isNaN(pnl)) continue;
      numbers[p + REALISED]!++;
      numbers[p + PNL]! += pnl;
      numbers[p + COST]! += trades.cost[i]!;
      if (pnl > 0) numbers[p + WINS]!++;
      else if (pnl < 0) numbers[p + LOSSES]!++;
    }
  }

  /** What the counterparties so far give the bag of their window. */
  fill(bag: Bag): void {
    const numbers = this.#numbers;
    bag.counterparties = this.#count;
    for (let i = 0; i < this.#count; i++) {
      const p = this.#order[i]! * WIDTH;
      bag.buyers += numbers[p + BOUGHT]!;
      bag.sellers += numbers[p + SOLD]!;
      if (numbers[p + REALISED] === 0) continue;
      const pnl = numbers[p + PNL]!;
      const cost = numbers[p + COST]!;
      bag.positions++;
      bag.positionPnl += pnl;
      if (bag.positions === 1) bag.bestPositionPnl = pnl;
      else {
        bag.otherPositionsPnl += Math.min(pnl, bag.bestPositionPnl);
        bag.bestPositionPnl = Math.max(pnl, bag.bestPositionPnl);
      }
      if (pnl > 0) bag.positionWins++;
      else if (pnl < 0) bag.positionLosses++;
      const decided = numbers[p + WINS]! + numbers[p + LOSSES]!;
      if (decided > 0) {
        bag.positionWinrates++;
        bag.positionWinrateSum += (numbers[p + WINS]! / decided) * 100;
      }
      if (cost > 0) {
        const roi = (pnl / cost) * 100;
        bag.positionRois++;
        bag.positionRoiSum += roi;
        bag.roiCounts[roi > 500 ? 0 : roi > 200 ? 1 : roi >= 0 ? 2 : roi >= -50 ? 3 : 4]!++;
      }
    }
  }

  #clear(p: number): void {
    for (let i = 0; i < DAY; i++) this.#numbers[p + i] = 0;
    this.#numbers[p + DAY] = -1;
  }

  #makeRoom(capacity: number): void {
    this.#capacity = capacity;
    this.#order = new Int32Array(capacity);
    this.#numbers = new Float64Array(capacity * WIDTH);
    for (let p = 0; p < capacity; p++) this.#clear(p * WIDTH);
  }
}
