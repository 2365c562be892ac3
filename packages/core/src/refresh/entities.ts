import { type EntityTrades, newEntityTrades } from '../bag/entity.ts';
import { windowSpecs } from '../bag/windows.ts';
import { BUY, OPEN, QUOTE_QUOTE } from '../ledger/trade.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import { tradesTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, isIn, not } from '../storage/predicate.ts';
import type { Checkpoint, OpenCost } from './stored.ts';
import type { TokenFacts } from './token-facts.ts';

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
  /** Ascending. */
  readonly ids: Int32Array;
  readonly asOf: number;
  /** Where the trades of an entity are taken up; `undefined` for all of them. */
  readonly checkpointOf: (id: number) => Checkpoint | undefined;
}

/** Trades of entities by entity, and oldest first within it. */
export type TradeRuns = ReadonlyMap<number, readonly Rows[]>;

/** Trades of the entities up to the as-of time, from their checkpoints on: those whose checkpoints are about as old are read together. */
export async function readTrades(reader: Reader, scan: EntityScan): Promise<TradeRuns> {
  const { kind, asOf } = scan;
  const groups = new Map<number, { ids: number[]; after: number }>();
  for (const id of scan.ids) {
    const checkpoint = scan.checkpointOf(id);
    const age = ageOf(checkpoint, scan);
    const group = groups.get(age) ?? { ids: [], after: Number.POSITIVE_INFINITY };
    group.ids.push(id);
    group.after = Math.min(group.after, checkpoint?.time ?? -1);
    groups.set(age, group);
  }
  const runs = new Map<number, Rows[]>();
  for (const [age, { ids, after }] of groups) {
    const pieces: Rows[] = [];
    for await (const piece of streamTrades(reader, kind, Int32Array.from(ids), after, asOf)) pieces.push(piece);
    runs.set(age, pieces);
  }
  return runs;
}

/** Checkpoints of one group lie within a day, or within twice the time from the as-of time to the younger of them. */
function ageOf(checkpoint: Checkpoint | undefined, { kind, asOf }: Pick<EntityScan, 'kind' | 'asOf'>): number {
  if (checkpoint === undefined) return -1;
  const days = (asOf - windowSpecs[kind][0]!.seconds - checkpoint.time) / 86_400;
  return days <= 1 ? 0 : Math.ceil(Math.log2(days));
}

function streamTrades(
  reader: Reader,
  kind: ProfileKind,
  ids: Int32Array,
  after: number,
  asOf: number,
): AsyncIterable<Rows> {
  const key = kind === 'wallets' ? 'wallet' : 'token';
  const until = compare('seq', 'lte', lastSeqAt(asOf));
  const from = after < 0 ? [] : [compare('seq', 'gt', lastSeqAt(after))];
  // A wallet's swaps between quote tokens change money, they do not trade: they count for the token's profile only.
  const counted = kind === 'wallets' ? [not(compare('swap_type', 'eq', QUOTE_QUOTE))] : [];
  return reader.stream({
    table: tradesTable,
    columns,
    where: and(isIn(key, ids), ...from, until, ...counted),
    order: [
      { column: key, direction: 'asc' },
      { column: 'seq', direction: 'asc' },
    ],
  });
}

/** Gives the trades of one entity after the other, and runs their open cost. */
export class EntityCursor {
  readonly #scan: Pick<EntityScan, 'kind' | 'asOf' | 'checkpointOf'>;
  readonly #facts: TokenFacts;
  readonly #runs: ReadonlyMap<number, RunPlace>;
  readonly #isWallet: boolean;
  /** Where the longest window begins. */
  readonly #start: number;
  #trades = newEntityTrades(256);
  readonly #numbers = new PartnerNumbers();
  readonly #openCost = new RunningCost();
  #checkpoint: Checkpoint = { time: -1, openCost: nothingOpen, lastTradeAt: Number.NaN };
  #isPastStart = false;

  constructor(scan: Pick<EntityScan, 'kind' | 'asOf' | 'checkpointOf'>, runs: TradeRuns, facts: TokenFacts) {
    this.#scan = scan;
    this.#facts = facts;
    this.#runs = new Map(Array.from(runs, ([age, pieces]) => [age, { pieces, piece: 0, row: 0 }]));
    this.#isWallet = scan.kind === 'wallets';
    this.#start = scan.asOf - windowSpecs[scan.kind][0]!.seconds;
  }

  /** Trades of an entity; ids have to ascend. The object is reused: it is the caller's until the next call. */
  take(id: number): EntityTrades {
    const before = this.#scan.checkpointOf(id);
    this.#begin(before);
    const place = this.#runs.get(ageOf(before, this.#scan));
    const after = lastSeqAt(this.#checkpoint.time);
    for (;;) {
      const rows = place?.pieces[place.piece];
      if (place === undefined || rows === undefined) break;
      const ids = this.#isWallet ? rows.columns.wallet : rows.columns.token;
      while (
        place.row < rows.length &&
        (ids[place.row]! < id || (ids[place.row] === id && rows.columns.seq[place.row]! <= after))
      )
        place.row++;
      const from = place.row;
      while (place.row < rows.length && ids[place.row] === id) place.row++;
      this.#add(rows, from, place.row);
      if (place.row < rows.length) break;
      place.piece++;
      place.row = 0;
    }
    if (!this.#isPastStart) this.#passStart(this.#trades.length);
    return this.#trades;
  }

  /** Where the trades of the entity that was taken can be taken up again: at the start of its longest window. */
  get checkpoint(): Checkpoint {
    return this.#checkpoint;
  }

  #begin(before: Checkpoint | undefined): void {
    this.#checkpoint = before ?? { time: -1, openCost: nothingOpen, lastTradeAt: Number.NaN };
    this.#openCost.set(this.#checkpoint.openCost);
    this.#isPastStart = false;
    this.#numbers.clear();
    this.#trades.length = 0;
    this.#trades.partners = 0;
    this.#trades.openBefore = this.#openCost.value;
  }

  /** The next trade, at `row`, is in the longest window: where the open cost stands before it is kept. */
  #passStart(row: number): void {
    this.#isPastStart = true;
    const lastTradeAt = row === 0 ? this.#checkpoint.lastTradeAt : this.#trades.time[row - 1]!;
    this.#checkpoint = { time: this.#start, openCost: this.#openCost.state, lastTradeAt };
  }

  #add(rows: Rows, from: number, to: number): void {
    while (this.#trades.time.length < this.#trades.length + to - from) this.#trades = grown(this.#trades);
    const t = this.#trades;
    const c = rows.columns;
    const partners = this.#isWallet ? c.token : c.wallet;
    for (let i = from, row = t.length; i < to; i++, row++) {
      const time = timeOf(c.seq[i]!);
      const token = c.token[i]!;
      if (!this.#isPastStart && time > this.#start) this.#passStart(row);
      t.time[row] = time;
      t.isBuy[row] = c.direction[i] === BUY ? 1 : 0;
      t.partner[row] = this.#numbers.of(partners[i]!);
      t.tokenAmount[row] = c.token_amount[i]!;
      t.usd[row] = c.usd_amount[i]!;
      t.marketCap[row] = finite((c.usd_amount[i]! / c.token_amount[i]!) * this.#facts.supplyOf(token));
      t.cost[row] = c.cost[i]!;
      t.proceeds[row] = c.proceeds[i]!;
      t.pnl[row] = c.pnl[i]!;
      t.holding[row] = c.holding[i]!;
      t.entryDelay[row] = c.position_state[i] === OPEN ? delaySince(this.#facts.createdAtOf(token), time) : Number.NaN;
      t.openCost[row] = this.#openCost.move(c.open_before[i]!, c.open_cost[i]!);
    }
    t.length += to - from;
    t.partners = this.#numbers.count;
  }
}

/** How far the rows of one run have been taken. */
interface RunPlace {
  readonly pieces: readonly Rows[];
  piece: number;
  row: number;
}

const nothingOpen: OpenCost = { sum: 0, low: 0, positions: 0 };

/** The open cost of an entity while trades run: a sum of two doubles, so that large positions that come and go leave nothing behind. */
class RunningCost {
  #sum = 0;
  #low = 0;
  /** Positions whose open cost is not 0: with none of them that of the entity is exactly 0. */
  #positions = 0;

  get value(): number {
    return Math.max(0, this.#sum + this.#low);
  }

  get state(): OpenCost {
    return { sum: this.#sum, low: this.#low, positions: this.#positions };
  }

  set({ sum, low, positions }: OpenCost): void {
    this.#sum = sum;
    this.#low = low;
    this.#positions = positions;
  }

  /** A trade takes the open cost of a position from `before` to `after`: that of the entity after it. */
  move(before: number, after: number): number {
    this.#add(-before);
    this.#add(after);
    if (before !== 0) this.#positions--;
    if (after !== 0) this.#positions++;
    if (this.#positions === 0) this.#sum = this.#low = 0;
    return this.value;
  }

  /** Neumaier's compensated addition. */
  #add(value: number): void {
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
