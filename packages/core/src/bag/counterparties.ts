import type { WashRule } from '../config.ts';
import type { Bag } from './bag.ts';
import type { EntityTrades } from './entity.ts';
import { RoundTrips, washOf } from './round-trips.ts';

/** What is stored of a counterparty, together: a line of the processor's cache. First two doubles, then four whole numbers. */
const [PNL, COST] = [0, 1] as const;
const [WINS, LOSSES, REALISED, SEEN] = [4, 5, 6, 7] as const;
const DOUBLES = 4;
const INTEGERS = 8;

/** `SEEN`: how it traded, and, above these bits, the number after that of the last day on which it did. */
const [BOUGHT, SOLD, SOLD_SMALL, SIDES] = [1, 2, 4, 7] as const;
const DAY_SHIFT = 3;

/** What the trades of one entity, added from the newest on, say of its counterparties. Reused from entity to entity. */
export class CounterpartiesFold {
  readonly #trips: RoundTrips;
  #capacity = 0;
  /** Counterparties in the order of their newest trades, the newest first. */
  #order = new Int32Array(0);
  #count = 0;
  #doubles = new Float64Array(0);
  /** The same memory. */
  #integers = new Int32Array(0);
  /** Counterparties whose numbers may be others than 0. */
  #used = 0;
  /** Counterparties of each day so far, added up. */
  daily = 0;
  /** Days so far, and the last of them. */
  days = 0;
  #day = -1;

  constructor(wash: WashRule) {
    this.#trips = new RoundTrips(wash);
  }

  begin(counterparties: number): void {
    this.#trips.begin(counterparties);
    this.daily = 0;
    this.days = 0;
    this.#day = -1;
    if (counterparties > this.#capacity) this.#makeRoom(Math.max(64, counterparties * 2));
    else this.#doubles.fill(0, 0, this.#used * DOUBLES);
    this.#used = counterparties;
    this.#count = 0;
  }

  /** Adds rows `from` to `to`, at least one, newest first; all lie in the day of this number, or in none (-1). */
  add(trades: EntityTrades, from: number, to: number, day: number): void {
    const doubles = this.#doubles;
    const integers = this.#integers;
    if (day !== this.#day) {
      this.#day = day;
      this.days++;
    }
    for (let i = to - 1; i >= from; i--) {
      const counterparty = trades.counterparty[i]!;
      const n = counterparty * INTEGERS;
      const seen = integers[n + SEEN]!;
      if (seen === 0) this.#order[this.#count++] = counterparty;
      if (seen >> DAY_SHIFT !== day + 1) this.daily++;
      const isBuy = trades.isBuy[i] === 1;
      integers[n + SEEN] = (seen & SIDES) | (isBuy ? BOUGHT : SOLD) | ((day + 1) << DAY_SHIFT);
      if (isBuy) {
        this.#trips.addBuy(trades, i);
        continue;
      }
      this.#trips.addSell(trades, i);
      const pnl = trades.pnl[i]!;
      if (Number.isNaN(pnl)) continue;
      const d = counterparty * DOUBLES;
      doubles[d + PNL]! += pnl;
      doubles[d + COST]! += trades.cost[i]!;
      if (Number.isNaN(trades.holding[i]!)) {
        integers[n + SEEN]! |= SOLD_SMALL;
        continue;
      }
      integers[n + REALISED]!++;
      if (pnl > 0) integers[n + WINS]!++;
      else if (pnl < 0) integers[n + LOSSES]!++;
    }
  }

  /** Writes what it knows; the bag has the sums over its trades. */
  fill(bag: Bag): void {
    const doubles = this.#doubles;
    const integers = this.#integers;
    bag.counterparties = this.#count;
    for (let i = 0; i < this.#count; i++) {
      const counterparty = this.#order[i]!;
      const n = counterparty * INTEGERS;
      const seen = integers[n + SEEN]!;
      if ((seen & BOUGHT) !== 0) bag.buyers++;
      if ((seen & SOLD) !== 0) bag.sellers++;
      if (this.#trips.isWash(counterparty)) {
        bag.washVolume += this.#trips.volume(counterparty);
        bag.washVolumeNative += this.#trips.volumeNative(counterparty);
      }
      const isRealised = integers[n + REALISED]! > 0;
      if (!isRealised && (seen & SOLD_SMALL) === 0) continue;
      const d = counterparty * DOUBLES;
      const pnl = doubles[d + PNL]!;
      if (Number.isNaN(bag.bestPositionPnl)) bag.bestPositionPnl = pnl;
      else {
        bag.otherPositionsPnl += Math.min(pnl, bag.bestPositionPnl);
        bag.bestPositionPnl = Math.max(pnl, bag.bestPositionPnl);
      }
      if (!isRealised) continue;
      const cost = doubles[d + COST]!;
      bag.positions++;
      bag.positionPnl += pnl;
      if (pnl > 0) bag.positionWins++;
      else if (pnl < 0) bag.positionLosses++;
      const decided = integers[n + WINS]! + integers[n + LOSSES]!;
      if (decided > 0) {
        bag.positionWinrates++;
        bag.positionWinrateSum += (integers[n + WINS]! / decided) * 100;
      }
      const roi = (pnl / cost) * 100;
      if (cost > 0 && Number.isFinite(roi)) {
        bag.positionRois++;
        bag.positionRoiSum += roi;
        bag.roiCounts[roi > 500 ? 0 : roi > 200 ? 1 : roi >= 0 ? 2 : roi >= -50 ? 3 : 4]!++;
      }
    }
    bag.quickProceeds = this.#trips.quickProceeds;
    bag.washVolume = washOf(bag.washVolume, bag.buyVolume + bag.sellVolume);
    bag.washVolumeNative = washOf(bag.washVolumeNative, bag.nativeVolume);
  }

  #makeRoom(capacity: number): void {
    this.#capacity = capacity;
    this.#order = new Int32Array(capacity);
    this.#doubles = new Float64Array(capacity * DOUBLES);
    this.#integers = new Int32Array(this.#doubles.buffer);
  }
}
