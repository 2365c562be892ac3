import { Position } from '../../ledger/position.ts';
import type { Trades } from '../../ledger/trade.ts';

/** The open lots of known cost of one token, as they change from instant to instant. */
export interface HeldToken {
  readonly token: number;
  /** Numbers of the instants at which there is something else than at the one before. */
  readonly at: number[];
  /** Whole tokens in those lots, from each of these instants on. */
  readonly amount: number[];
  /** USD that they cost. */
  readonly cost: number[];
}

interface TrackedToken extends HeldToken {
  readonly position: Position;
  isTouched: boolean;
}

/** Folds the trades of a wallet into the open lots of its tokens, and notes them at instants. */
export class HeldLots {
  readonly #dustUsd: number;
  readonly #byToken = new Map<number, TrackedToken>();
  #touched: TrackedToken[] = [];

  constructor(dustUsd: number) {
    this.#dustUsd = dustUsd;
  }

  /** The tokens that were held at an instant, in the order of their first trades. */
  get tokens(): readonly HeldToken[] {
    return [...this.#byToken.values()].filter(({ at }) => at.length > 0);
  }

  /** Takes the next trade in chain order. */
  add(trades: Trades, row: number): void {
    const token = trades.columns.token[row]!;
    let tracked = this.#byToken.get(token);
    if (tracked === undefined) {
      tracked = { token, position: new Position(), at: [], amount: [], cost: [], isTouched: false };
      this.#byToken.set(token, tracked);
    }
    tracked.position.apply(trades, row, this.#dustUsd);
    if (tracked.isTouched) return;
    tracked.isTouched = true;
    this.#touched.push(tracked);
  }

  /** Notes what is held at the instant of this number: after the trades until then. */
  note(instant: number): void {
    for (const tracked of this.#touched) {
      tracked.isTouched = false;
      const amount = tracked.position.knownAmount;
      if (amount === 0 && (tracked.amount.at(-1) ?? 0) === 0) continue;
      tracked.at.push(instant);
      tracked.amount.push(amount);
      tracked.cost.push(tracked.position.openCost);
    }
    this.#touched = [];
  }
}
