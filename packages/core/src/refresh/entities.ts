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
  'open_cost',
] as const;
type Rows = Batch<typeof tradesTable, (typeof columns)[number]>;

export interface EntityScan {
  readonly kind: ProfileKind;
  readonly ids: Int32Array;
  readonly asOf: number;
  readonly supplyOf: (token: number) => number;
  /** Unix seconds of a token's creation; `NaN` where it is unknown. */
  readonly createdAtOf: (token: number) => number;
}

/**
 * Calls `visit` with all trades of each entity up to the as-of time, oldest first; entities without a trade are not visited.
 * The trades object is reused: it is the visitor's until `visit` returns.
 */
export async function forEachEntity(
  reader: Reader,
  scan: EntityScan,
  visit: (id: number, trades: EntityTrades) => void,
): Promise<void> {
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
  const builder = new EntityBuilder(scan);
  for await (const batch of rows) {
    const ids = batch.columns[key];
    for (let i = 0; i < batch.length; i++) {
      if (ids[i] !== builder.id) {
        if (builder.id >= 0) visit(builder.id, builder.trades);
        builder.start(ids[i]!);
      }
      builder.add(batch, i, isWallet ? batch.columns.token[i]! : batch.columns.wallet[i]!);
    }
  }
  if (builder.id >= 0) visit(builder.id, builder.trades);
}

/** Collects the trades of one entity after the other, and runs its open cost. */
class EntityBuilder {
  id = -1;
  trades = newEntityTrades(256);
  readonly #partners = new Map<number, number>();
  /** Open cost of each partner's position. */
  #positionCost: number[] = [];
  /** Positions whose open cost is not 0: with none of them that of the entity is exactly 0. */
  #costly = 0;
  // Open cost of the entity as a sum of two doubles (Neumaier), so that large positions that come and go leave nothing behind.
  #sum = 0;
  #low = 0;

  constructor(readonly facts: Pick<EntityScan, 'supplyOf' | 'createdAtOf'>) {}

  start(id: number): void {
    this.id = id;
    this.trades.length = 0;
    this.trades.partners = 0;
    this.#partners.clear();
    this.#positionCost = [];
    this.#costly = 0;
    this.#sum = 0;
    this.#low = 0;
  }

  add(rows: Rows, i: number, partner: number): void {
    if (this.trades.length === this.trades.time.length) this.trades = grown(this.trades);
    const t = this.trades;
    const c = rows.columns;
    const row = t.length++;
    let local = this.#partners.get(partner);
    if (local === undefined) {
      local = t.partners++;
      this.#partners.set(partner, local);
      this.#positionCost.push(0);
    }
    const time = timeOf(c.seq[i]!);
    const token = c.token[i]!;
    t.time[row] = time;
    t.isBuy[row] = c.direction[i] === BUY ? 1 : 0;
    t.partner[row] = local;
    t.tokenAmount[row] = c.token_amount[i]!;
    t.usd[row] = c.usd_amount[i]!;
    t.marketCap[row] = finite((c.usd_amount[i]! / c.token_amount[i]!) * this.facts.supplyOf(token));
    t.cost[row] = c.cost[i]!;
    t.proceeds[row] = c.proceeds[i]!;
    t.pnl[row] = c.pnl[i]!;
    t.holding[row] = c.holding[i]!;
    t.entryDelay[row] = c.position_state[i] === OPEN ? delaySince(this.facts.createdAtOf(token), time) : Number.NaN;
    t.openCost[row] = this.#runOpenCost(local, c.open_cost[i]!);
  }

  #runOpenCost(partner: number, after: number): number {
    const before = this.#positionCost[partner]!;
    this.#add(-before);
    this.#add(after);
    this.#positionCost[partner] = after;
    if (before !== 0) this.#costly--;
    if (after !== 0) this.#costly++;
    if (this.#costly === 0) this.#sum = this.#low = 0;
    return Math.max(0, this.#sum + this.#low);
  }

  #add(value: number): void {
    const sum = this.#sum + value;
    this.#low += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
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
