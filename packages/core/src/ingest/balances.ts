import { type Balance, newBalance, stepBalance } from '../ledger/position.ts';
import type { Swaps } from '../ledger/value.ts';
import { pairOf, pairToken, pairWallet } from '../records/chain-order.ts';
import { type Batch, columnsOf, newBatch } from '../records/columns.ts';
import { KeyIndex, sortingKeys } from '../records/key-index.ts';
import { balancesTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';
import type { PairStates } from './checkpoints.ts';

export type Balances = Batch<typeof balancesTable>;

/** What balances need of swaps. */
export const balanceFields = [
  'wallet',
  'token_in',
  'token_out',
  'token_amount_in',
  'token_amount_out',
  'post_token_balance_in',
  'post_token_balance_out',
] as const;

interface BalanceSwaps {
  readonly length: number;
  readonly columns: Pick<Swaps['columns'], (typeof balanceFields)[number]>;
}

/** Running balances of wallet-token pairs, stepped swap by swap in chain order. */
export class BalanceBook {
  readonly #pairs: KeyIndex;
  #balance: Float64Array;
  #received: Float64Array;
  #isReported: Uint8Array;
  readonly #state: Balance = newBalance();

  /** `expected`: how many pairs may come; more are taken too. */
  constructor(expected = 0) {
    this.#pairs = new KeyIndex(expected);
    this.#balance = new Float64Array(expected);
    this.#received = new Float64Array(expected);
    this.#isReported = new Uint8Array(expected);
  }

  load(rows: Balances): void {
    const c = rows.columns;
    for (let i = 0; i < rows.length; i++) {
      const place = this.#placeOf(c.pair[i]!);
      this.#balance[place] = c.balance[i]!;
      this.#received[place] = c.received[i]!;
      this.#isReported[place] = c.is_reported[i]!;
    }
  }

  /** Steps the balances of all pairs, or only of those that `isWanted`. */
  step(swaps: BalanceSwaps, isWanted?: (pair: number) => boolean): void {
    const c = swaps.columns;
    for (let i = 0; i < swaps.length; i++) {
      const tokenIn = c.token_in[i]!;
      const tokenOut = c.token_out[i]!;
      if (tokenIn === tokenOut) continue;
      const given = pairOf(c.wallet[i]!, tokenIn);
      const received = pairOf(c.wallet[i]!, tokenOut);
      if (isWanted === undefined || isWanted(given))
        this.#step(given, -c.token_amount_in[i]!, c.post_token_balance_in[i]!);
      if (isWanted === undefined || isWanted(received))
        this.#step(received, c.token_amount_out[i]!, c.post_token_balance_out[i]!);
    }
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
      c.is_reported[i] = this.#isReported[place]!;
    }
    return rows;
  }

  #step(pair: number, amount: number, reported: number): void {
    const place = this.#placeOf(pair);
    const state = this.#state;
    state.balance = this.#balance[place]!;
    state.received = this.#received[place]!;
    stepBalance(state, amount, reported);
    this.#balance[place] = state.balance;
    this.#received[place] = state.received;
    this.#isReported[place] = state.isReported ? 1 : 0;
  }

  #placeOf(pair: number): number {
    const place = this.#pairs.placeOf(pair);
    if (place === this.#balance.length) this.#grow();
    return place;
  }

  #grow(): void {
    const room = Math.max(64, this.#balance.length * 2);
    this.#balance = enlarged(new Float64Array(room), this.#balance);
    this.#received = enlarged(new Float64Array(room), this.#received);
    this.#isReported = enlarged(new Uint8Array(room), this.#isReported);
  }
}

function enlarged<A extends Float64Array | Uint8Array>(larger: A, values: A): A {
  larger.set(values);
  return larger;
}

/**
 * Continues the balances of the pairs of new swaps, or only of the pairs that `isWanted`, and gives them as they were before. All the swaps
 * come after those that the store had.
 */
export async function continueBalances(
  writer: Writer,
  swaps: Swaps,
  isWanted?: (pair: number) => boolean,
): Promise<PairStates<typeof balancesTable>> {
  const pause = yielder();
  const touched = new KeyIndex();
  addPairs(touched, swaps);
  await pause.yieldIfDue();
  const all = touched.keys();
  const pairs = isWanted === undefined ? all : all.filter(isWanted);
  const stored = await writer.read({
    table: balancesTable,
    columns: columnsOf(balancesTable),
    where: isIn('pair', pairs),
  });
  const book = new BalanceBook(pairs.length);
  book.load(stored);
  await pause.yieldIfDue();
  book.step(swaps, isWanted);
  await pause.yieldIfDue();
  const rows = await book.rows();
  await (stored.length === 0 ? writer.append(balancesTable, rows) : writer.replace(balancesTable, rows));
  return { pairs, rows: stored };
}

export async function replaceBalances(writer: Writer, old: Float64Array, book: BalanceBook): Promise<void> {
  await writer.remove(balancesTable, isIn('pair', old));
  await writer.append(balancesTable, await book.rows());
}

/** Adds the pairs of both sides of the swaps that count and are not after `until`. */
export function addPairs(pairs: KeyIndex, swaps: Swaps, until = Number.POSITIVE_INFINITY): void {
  const c = swaps.columns;
  for (let i = 0; i < swaps.length; i++) {
    if (c.token_in[i] === c.token_out[i] || c.seq[i]! > until) continue;
    pairs.placeOf(pairOf(c.wallet[i]!, c.token_in[i]!));
    pairs.placeOf(pairOf(c.wallet[i]!, c.token_out[i]!));
  }
}
