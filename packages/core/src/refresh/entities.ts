import { type EntityTrades, newEntityTrades } from '../bag/entity.ts';
import { BUY, OPEN, QUOTE_QUOTE } from '../ledger/trade.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import { tradesTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, isIn, not } from '../storage/predicate.ts';

const columns = [
  'seq',
  'wallet',
  'token',
  'direction',
  'token_amount',
  'usd_amount',
  'position_state',
  'cost',
  'proceeds',
  'pnl',
  'holding',
  'open_before',
  'open_cost',
] as const;
type Rows = Batch<typeof tradesTable, (typeof columns)[number]>;

export interface EntityScan {
  readonly kind: ProfileKind;
  readonly ids: Int32Array;
  readonly asOf: number;
}

/** What trades take from the token registry. */
export interface TokenFacts {
  /** The supply that market caps go by; `NaN` where it is unknown. */
  readonly supplyOf: (token: number) => number;
  /** Unix seconds of a token's creation; `NaN` where it is unknown. */
  readonly createdAtOf: (token: number) => number;
}

/** All trades of the entities up to the as-of time, by entity and oldest first within it. */
export async function readTrades(reader: Reader, scan: EntityScan): Promise<readonly Rows[]> {
  const isWallet = scan.kind === 'wallets';
  const key = isWallet ? 'wallet' : 'token';
  const until = compare('seq', 'lte', lastSeqAt(scan.asOf));
  // A wallet's swaps between quote tokens change money, they do not trade: they count for the token's profile only.
  const counted = isWallet ? [not(compare('swap_type', 'eq', QUOTE_QUOTE))] : [];
  const rows = reader.stream({
    table: tradesTable,
    columns,
    where: and(isIn(key, scan.ids), until, ...counted),
    order: [
      { column: key, direction: 'asc' },
      { column: 'seq', direction: 'asc' },
    ],
  });
  const pieces: Rows[] = [];
  for await (const piece of rows) pieces.push(piece);
  return pieces;
}

/** Gives the trades of one entity after the other, and runs their open cost. */
export class EntityCursor {
  readonly #facts: TokenFacts;
  readonly #pieces: readonly Rows[];
  readonly #isWallet: boolean;
  #piece = 0;
  #row = 0;
  #trades = newEntityTrades(256);
  readonly #numbers = new PartnerNumbers();
  /** Positions whose open cost is not 0: with none of them that of the entity is exactly 0. */
  #costly = 0;
  // Open cost of the entity as a sum of two doubles (Neumaier), so that large positions that come and go leave nothing behind.
  #sum = 0;
  #low = 0;

  constructor(kind: ProfileKind, pieces: readonly Rows[], facts: TokenFacts) {
    this.#isWallet = kind === 'wallets';
    this.#pieces = pieces;
    this.#facts = facts;
  }

  /** Trades of an entity; ids have to ascend. The object is reused: it is the caller's until the next call. */
  take(id: number): EntityTrades {
    this.#start();
    for (;;) {
      const rows = this.#pieces[this.#piece];
      if (rows === undefined) return this.#trades;
      const ids = this.#isWallet ? rows.columns.wallet : rows.columns.token;
      while (this.#row < rows.length && ids[this.#row]! < id) this.#row++;
      const from = this.#row;
      while (this.#row < rows.length && ids[this.#row] === id) this.#row++;
      this.#add(rows, from, this.#row);
      if (this.#row < rows.length) return this.#trades;
      this.#piece++;
      this.#row = 0;
    }
  }

  #start(): void {
    this.#trades.length = 0;
    this.#trades.partners = 0;
    this.#numbers.clear();
    this.#costly = 0;
    this.#sum = 0;
    this.#low = 0;
  }

  #add(rows: Rows, from: number, to: number): void {
    while (this.#trades.time.length < this.#trades.length + to - from) this.#trades = grown(this.#trades);
    const t = this.#trades;
    const c = rows.columns;
    const partners = this.#isWallet ? c.token : c.wallet;
    for (let i = from, row = t.length; i < to; i++, row++) {
      const partner = this.#numbers.of(partners[i]!);
      const time = timeOf(c.seq[i]!);
      const token = c.token[i]!;
      t.time[row] = time;
      t.isBuy[row] = c.direction[i] === BUY ? 1 : 0;
      t.partner[row] = partner;
      t.tokenAmount[row] = c.token_amount[i]!;
      t.usd[row] = c.usd_amount[i]!;
      t.marketCap[row] = finite((c.usd_amount[i]! / c.token_amount[i]!) * this.#facts.supplyOf(token));
      t.cost[row] = c.cost[i]!;
      t.proceeds[row] = c.proceeds[i]!;
      t.pnl[row] = c.pnl[i]!;
      t.holding[row] = c.holding[i]!;
      t.entryDelay[row] = c.position_state[i] === OPEN ? delaySince(this.#facts.createdAtOf(token), time) : Number.NaN;
      t.openCost[row] = this.#runOpenCost(c.open_before[i]!, c.open_cost[i]!);
    }
    t.length += to - from;
    t.partners = this.#numbers.count;
  }

  /** The entity's open cost after a trade that takes that of a position from `before` to `after`. */
  #runOpenCost(before: number, after: number): number {
    this.#plus(-before);
    this.#plus(after);
    if (before !== 0) this.#costly--;
    if (after !== 0) this.#costly++;
    if (this.#costly === 0) this.#sum = this.#low = 0;
    return Math.max(0, this.#sum + this.#low);
  }

  #plus(value: number): void {
    const sum = this.#sum + value;
    this.#low += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }
}

/** Numbers partners by their first appearance, from 0. */
class PartnerNumbers {
  count = 0;
  /** The number of an id, where the id's round is this one. */
  #numbers = new Int32Array(1024);
  #rounds = new Int32Array(1024);
  #round = 1;

  of(id: number): number {
    if (id >= this.#numbers.length) this.#grow(id);
    if (this.#rounds[id] !== this.#round) {
      this.#rounds[id] = this.#round;
      this.#numbers[id] = this.count++;
    }
    return this.#numbers[id]!;
  }

  clear(): void {
    this.count = 0;
    this.#round++;
  }

  #grow(id: number): void {
    const length = 2 ** Math.ceil(Math.log2(id + 1));
    const numbers = new Int32Array(length);
    const rounds = new Int32Array(length);
    numbers.set(this.#numbers);
    rounds.set(this.#rounds);
    this.#numbers = numbers;
    this.#rounds = rounds;
  }
}

/** Seconds from `start` to `time`; `NaN` where the start is unknown, or is said to come after. */
function delaySince(start: number, time: number): number {
  return start <= time ? time - start : Number.NaN;
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

function grown(trades: EntityTrades): EntityTrades {
  const larger = newEntityTrades(trades.time.length * 2);
  for (const [name, column] of Object.entries(trades) as [keyof EntityTrades, EntityTrades[keyof EntityTrades]][]) {
    if (typeof column === 'number') (larger[name] as number) = column;
    else (larger[name] as Float64Array).set(column as Float64Array);
  }
  return larger;
}
