import { pairToken, pairWallet } from '../records/chain-order.ts';
import { type Batch, newBatch } from '../records/columns.ts';
import { KeyIndex, sortingKeys } from '../records/key-index.ts';
import { balancesTable, REPORTED } from '../records/tables.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';

export type Balances = Batch<typeof balancesTable>;

/** Running balances of wallet-token pairs, by the places of the pairs. */
export class PairBook {
  readonly #pairs: KeyIndex;
  #balance: Float64Array;
  #received: Float64Array;
  #flags: Uint8Array;
  #keys: Float64Array;

  /** `expected`: how many pairs may come; more are taken too. */
  constructor(expected = 0) {
    this.#pairs = new KeyIndex(expected);
    this.#balance = new Float64Array(expected);
    this.#received = new Float64Array(expected);
    this.#flags = new Uint8Array(expected);
    this.#keys = new Float64Array(expected);
  }

  get length(): number {
    return this.#pairs.length;
  }

  load({ columns: c, length }: Balances): void {
    for (let i = 0; i < length; i++) this.set(this.placeOf(c.pair[i]!), c.balance[i]!, c.received[i]!, c.flags[i]!);
  }

  /** -1 of a pair that it does not have. */
  find(pair: number): number {
    return this.#pairs.find(pair);
  }

  placeOf(pair: number): number {
    const place = this.#pairs.placeOf(pair);
    if (place === this.#balance.length) this.#grow();
    this.#keys[place] = pair;
    return place;
  }

  pairAt(place: number): number {
    return this.#keys[place]!;
  }

  balanceAt(place: number): number {
    return this.#balance[place]!;
  }

  receivedAt(place: number): number {
    return this.#received[place]!;
  }

  /** As `balances` has them. */
  flagsAt(place: number): number {
    return this.#flags[place]!;
  }

  set(place: number, balance: number, received: number, flags: number): void {
    this.#balance[place] = balance;
    this.#received[place] = received;
    this.#flags[place] = flags;
  }

  setFlag(place: number, flag: number, isSet: boolean): void {
    if (isSet) this.#flags[place]! |= flag;
    else this.#flags[place]! &= ~flag;
  }

  /** A leg that reports no balance: `amount` received (above 0) or given. */
  step(place: number, amount: number): void {
    if (amount > 0) this.#received[place]! += amount;
    this.#balance[place] = Math.max(0, this.#balance[place]! + amount);
    this.#flags[place]! &= ~REPORTED;
  }

  keys(): Float64Array {
    return this.#pairs.keys();
  }

  /** The balances, ascending by pair. Yields to other work. */
  async rows(): Promise<Balances> {
    const pause = yielder();
    const pairs = await pause.run(sortingKeys(this.#pairs.keys()));
    const rows = newBatch(balancesTable, pairs.length);
    const c = rows.columns;
    for (let i = 0; i < pairs.length; i++) {
      if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
      const pair = pairs[i]!;
      const place = this.#pairs.find(pair);
      c.pair[i] = pair;
      c.wallet[i] = pairWallet(pair);
      c.token[i] = pairToken(pair);
      c.balance[i] = this.#balance[place]!;
      c.received[i] = this.#received[place]!;
      c.flags[i] = this.#flags[place]!;
    }
    return rows;
  }

  #grow(): void {
    const room = Math.max(64, this.#balance.length * 2);
    this.#balance = enlarged(new Float64Array(room), this.#balance);
    this.#received = enlarged(new Float64Array(room), this.#received);
    this.#flags = enlarged(new Uint8Array(room), this.#flags);
    this.#keys = enlarged(new Float64Array(room), this.#keys);
  }
}

function enlarged<A extends Float64Array | Uint8Array>(larger: A, values: A): A {
  larger.set(values);
  return larger;
}
