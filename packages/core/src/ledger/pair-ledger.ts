import { NO_ID } from '../records/columns.ts';
import { AWAY, LOTS, REPORTED, SINCE } from '../records/tables.ts';
import type { Lots } from './lot-rows.ts';
import { Position, ROUNDING } from './position.ts';
import { BUY, CLOSE, type LedgerTrades, OPEN, TRADE } from './trade.ts';

/** Part of the larger balance below which a difference to the balance so far is no gap. */
const GAP_PART = 1e-6;

/** Part of a balance below which what is missing after a trade is the rounding of the feed, and no tax. */
const FEED_ROUNDING = 1e-12;

/** A transfer of a pair: `cost` is known of one that brings a lot, USD. */
export interface Incoming {
  readonly amount: number;
  readonly cost: number;
}

/** What a transaction did with one pair: its legs, its trade and its transfers. */
export interface Step {
  /** Unix seconds. */
  time: number;
  tx: number;
  /** The row of the pair's trade, -1 without one. */
  trade: number;
  /** What the legs received (above 0) and gave, in chain order. */
  readonly legs: number[];
  /** The balance that the first leg reports before it, and the last leg after it; `NaN` if it does not. */
  pre: number;
  post: number;
  /** Whether a leg says what its pool paid or got beside what the wallet did. */
  hasPoolAmounts: boolean;
  /** Whether it gives a quote token for another token. */
  isSpending: boolean;
  readonly ins: Incoming[];
  readonly outs: number[];
  /** What the rows of a transaction that list its swaps say to have come less than its legs say. */
  shortage: number;
}

export function newStep(): Step {
  return {
    time: 0,
    tx: NO_ID,
    trade: -1,
    legs: [],
    pre: Number.NaN,
    post: Number.NaN,
    hasPoolAmounts: false,
    isSpending: false,
    ins: [],
    outs: [],
    shortage: 0,
  };
}

export const sumOf = (values: readonly number[]): number => {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
};

export const amountOf = (ins: readonly Incoming[]): number => {
  let sum = 0;
  for (const { amount } of ins) sum += amount;
  return sum;
};

/** By how much the legs of a step move the balance, as the transfers say that list them. */
export const flowOf = (step: Step): number => sumOf(step.legs) - step.shortage;

/** A movement that moved lots, or cost. */
export interface Move {
  readonly time: number;
  readonly tx: number;
  /**
   * Why: a difference before the transaction or after its trade, a transfer, a leg without a trade of the pair or with more than the balance,
   * spending, or a sale of what was away.
   */
  readonly by: 'gap' | 'transfer' | 'leg' | 'post' | 'spent' | 'sold';
  /** Tokens that came (above 0) or went. */
  readonly amount: number;
  /** Known cost of the lots that left (above 0), came back or were spent, USD. */
  readonly away: number;
  readonly returned: number;
  readonly spent: number;
}

/** What moved since the last trade of a pair: a row of `moves`. */
export interface Moved {
  gap: number;
  away_cost: number;
  returned_cost: number;
  spent_cost: number;
  contradicted: number;
  opened_at: number;
  closed_at: number;
}

export function nothingMoved(): Moved {
  return {
    gap: 0,
    away_cost: 0,
    returned_cost: 0,
    spent_cost: 0,
    contradicted: 0,
    opened_at: Number.NaN,
    closed_at: Number.NaN,
  };
}

function hasMoved(m: Moved): boolean {
  return (
    m.gap !== 0 ||
    m.away_cost !== 0 ||
    m.returned_cost !== 0 ||
    m.spent_cost !== 0 ||
    m.contradicted !== 0 ||
    !Number.isNaN(m.opened_at) ||
    !Number.isNaN(m.closed_at)
  );
}

/** What moved since a pair's last trade, and its open cost after that. */
export interface SinceMoved {
  readonly moved: Moved;
  readonly openCost: number;
}

interface LedgerOptions {
  readonly dustUsd: number;
  /** Whether the pair is of the native token: fees and rent are no tax. */
  readonly isNative: boolean;
  readonly onMove?: ((move: Move) => void) | undefined;
}

/**
 * The ledger of one wallet-token pair (docs/reference/metrics.md, "What comes and goes"): its lots and its balance, moved by one transaction
 * after the other. Reused from pair to pair.
 */
export class PairLedger {
  readonly position = new Position();
  balance = 0;
  received = 0;
  isReported = false;
  moved = nothingMoved();
  /** The open cost after the pair's last trade. */
  openCost = 0;
  /** When the position opened and closed last, of the steps that were taken; `NaN` if none did it. */
  lastOpened = Number.NaN;
  lastClosed = Number.NaN;
  #options: LedgerOptions = { dustUsd: 0, isNative: false };
  /** Whether lots have come to where none were, but by a trade, in the step. */
  #isReopened = false;
  /** Whether a lot of given cost has, though the position was open when the step began. */
  #isOpenedByLot = false;
  #step: Step = newStep();

  /** Begins with the lots at rows `from` to `to`, the balance of the pair, and what had moved since its last trade, if anything did. */
  begin(
    options: LedgerOptions,
    { lots, from, to }: { readonly lots: Lots; readonly from: number; readonly to: number },
    { balance, received, flags }: { readonly balance: number; readonly received: number; readonly flags: number },
    since: SinceMoved | undefined,
  ): void {
    this.#options = options;
    this.lastOpened = this.lastClosed = Number.NaN;
    this.position.load(lots, from, to);
    this.balance = balance;
    this.received = received;
    this.isReported = (flags & REPORTED) !== 0;
    if (since !== undefined) this.moved = { ...since.moved };
    else if (hasMoved(this.moved)) this.moved = nothingMoved();
    this.openCost = since === undefined ? this.position.openCost : since.openCost;
  }

  /** As `balances` has them. */
  get flags(): number {
    const { isOpen, isAnyAway } = this.position;
    return (
      (this.isReported ? REPORTED : 0) |
      (isOpen || isAnyAway ? LOTS : 0) |
      (isAnyAway ? AWAY : 0) |
      (this.isSinceMoved ? SINCE : 0)
    );
  }

  /** Whether something moved after the last trade. */
  get isSinceMoved(): boolean {
    return hasMoved(this.moved) || this.openCost !== this.position.openCost;
  }

  /** The balance before a step, as it reports it, else as it is so far. */
  static before(step: Step, balance: number): number {
    const { pre, post } = step;
    if (!Number.isNaN(pre)) {
      const ins = amountOf(step.ins);
      return ins > 0 ? nearer(balance, pre, Math.max(0, pre - ins)) : pre;
    }
    if (Number.isNaN(post)) return balance;
    const rest = post - flowOf(step) - amountOf(step.ins);
    const outs = sumOf(step.outs);
    return outs > 0 ? nearer(balance, Math.max(0, rest + outs), Math.max(0, rest)) : Math.max(0, rest);
  }

  /** Takes back what a step reports that cannot be. */
  static disbelieve(trades: LedgerTrades, step: Step): boolean {
    const { trade } = step;
    if (trade < 0) return false;
    const t = trades.columns;
    const half = t.token_amount[trade]! / 2;
    const isContradicted =
      t.direction[trade] === BUY ? step.post + sumOf(step.outs) < half : step.pre + amountOf(step.ins) < half;
    if (isContradicted) step.pre = step.post = Number.NaN;
    return isContradicted;
  }

  /**
   * Moves on by a transaction, in the order of the rules: gap, what came in, the trade, what went out, and what `post` says beyond that.
   * Writes the facts of its trade. Gives whether the span of `moved` ends with it and has a row.
   */
  apply(trades: LedgerTrades, step: Step, isContradicted: boolean): boolean {
    const { position, moved } = this;
    const { trade, post } = step;
    this.#step = step;
    this.#isReopened = this.#isOpenedByLot = false;
    const wasOpen = position.isOpen;
    const before = PairLedger.before(step, this.balance);
    const gap = before - this.balance;
    if (gap !== 0) {
      if (trade >= 0 && Math.abs(gap) > GAP_PART * Math.max(before, this.balance)) moved.gap += gap;
      this.#settle(before, 'gap');
    }
    const outs = sumOf(step.outs);
    for (const { amount, cost } of step.ins) {
      this.received += amount;
      if (Number.isNaN(cost)) this.#settle(this.balance + amount, 'transfer');
      else {
        if (!position.isOpen) this.#isReopened = this.#isOpenedByLot = true;
        position.add(amount, cost / amount, Number.NaN, step.time);
        this.balance += amount;
      }
    }
    const balance = this.balance;
    const net = sumOf(step.legs);
    const expected = balance + flowOf(step) - outs;
    const after = outs > 0 ? nearer(expected, post, Math.max(0, post - outs)) : post;
    let isOpenedByTrade = false;
    const wasAway = position.isAnyAway ? position.awayAmount : 0;
    let hasTakenAway = false;
    let lost = 0;
    if (trade >= 0) {
      const t = trades.columns;
      if (isContradicted) moved.contradicted = 1;
      t.pre_token_balance[trade] = step.pre;
      t.post_token_balance[trade] = post;
      t.open_before[trade] = this.openCost;
      const isBuy = t.direction[trade] === BUY;
      const { shortage } = step;
      const scale = Math.max(balance, expected, after);
      lost = this.#taxOf(step, t.token_amount[trade]!, { shortage, missing: expected + shortage - after, scale });
      if (isBuy) {
        isOpenedByTrade = !position.isOpen;
        t.position_state[trade] = isOpenedByTrade ? OPEN : TRADE;
        position.buy(trades, trade, lost);
      } else {
        const arrived = position.isAnyAway ? Math.max(0, balance - position.hereAmount) : 0;
        const { dustUsd } = this.#options;
        const returned = position.sell(trades, trade, { dustUsd, extra: lost, arrived });
        hasTakenAway = wasAway > 0 && position.awayAmount !== wasAway;
        if (hasTakenAway) this.#note('sold', 0, 0, returned, 0);
      }
    } else if (step.isSpending && net < 0) {
      const arrived = position.isAnyAway ? Math.max(0, balance - position.hereAmount) : 0;
      const { cost, returned } = position.spend(-net, arrived);
      hasTakenAway = wasAway > 0 && position.awayAmount !== wasAway;
      this.#note('spent', net, 0, returned, cost);
    }
    let isShort = false;
    for (const leg of step.legs) {
      if (leg > 0) this.received += leg;
      if (this.balance + leg < 0) isShort = true;
      this.balance = Math.max(0, this.balance + leg);
    }
    lost = Math.max(lost, step.shortage);
    if (lost > 0) this.balance = Math.max(0, this.balance - lost);
    // A trade and spending move their own lots: what a leg gave beyond the balance alone had come back.
    const isMoved = trade >= 0 || (step.isSpending && net < 0);
    if (step.legs.length > 0 && (trade < 0 || lost > 0 || isShort))
      this.#settle(this.balance, 'leg', {
        amount: net - lost,
        isRise: isMoved ? isShort : this.balance > balance,
      });
    for (const out of step.outs) this.#settle(Math.max(0, this.balance - out), 'transfer');
    this.isReported = !Number.isNaN(post);
    if (this.isReported && after !== this.balance) this.#settle(after, 'post');
    const isClosed = position.closeRest();
    position.mergeAway();
    this.#noteState({ wasOpen, isOpenedByTrade, isClosed, hasTakenAway }, trades);
    if (trade < 0) return false;
    this.openCost = trades.columns.open_cost[trade] = position.openCost;
    return hasMoved(moved);
  }

  /** Ends the span of `moved`: the next trade begins a new one. */
  endSpan(): void {
    if (hasMoved(this.moved)) this.moved = nothingMoved();
  }

  /** What of the tokens of a trade was lost on the way: `missing` after it says its report, `shortage` its transfers. */
  #taxOf(
    { pre, post, hasPoolAmounts }: Step,
    amount: number,
    { shortage, missing, scale }: { readonly shortage: number; readonly missing: number; readonly scale: number },
  ): number {
    if (this.#options.isNative || hasPoolAmounts) return 0;
    const isReported = !Number.isNaN(pre) && !Number.isNaN(post);
    if (isReported && missing > shortage && missing <= amount / 2) return missing > FEED_ROUNDING * scale ? missing : 0;
    return shortage <= amount / 2 ? shortage : 0;
  }

  #noteState(
    s: { wasOpen: boolean; isOpenedByTrade: boolean; isClosed: boolean; hasTakenAway: boolean },
    trades: LedgerTrades,
  ): void {
    const { moved } = this;
    const { time, trade } = this.#step;
    const isSell = trade >= 0 && trades.columns.direction[trade] !== BUY;
    const isReopened = !s.isOpenedByTrade && this.#isReopened && (!s.wasOpen || this.#isOpenedByLot);
    if (s.isOpenedByTrade || isReopened) {
      this.lastOpened = time;
      moved.opened_at = isReopened ? time : Number.NaN;
      moved.closed_at = s.isClosed ? time : Number.NaN;
      if (s.isClosed) this.lastClosed = time;
    }
    const wasEverOpen = s.wasOpen || this.#isReopened;
    if (!isSell) {
      if ((s.wasOpen || s.hasTakenAway) && s.isClosed) moved.closed_at = this.lastClosed = time;
      return;
    }
    const isClose = s.isClosed && (wasEverOpen || s.hasTakenAway);
    trades.columns.position_state[trade] = isClose ? CLOSE : TRADE;
    if (!isClose) return;
    this.lastClosed = time;
    moved.closed_at = Number.isNaN(moved.opened_at) ? Number.NaN : time;
  }

  /** Brings the balance to an amount: lots beyond it leave, and lots that are away come back to it if it rises. */
  #settle(
    balance: number,
    by: Move['by'],
    { amount, isRise } = { amount: balance - this.balance, isRise: balance > this.balance },
  ): void {
    const { position } = this;
    this.balance = balance;
    if (!position.isOpen && !position.isAnyAway) return;
    const beyond = position.isOpen ? position.hereAmount - balance : -balance;
    if (beyond > ROUNDING * position.bought) {
      this.#note(by, amount, position.leave(beyond, balance), 0, 0);
      // A rest that counts as nothing does not keep the position open until the trade of the step.
      position.closeRest();
      return;
    }
    if (!position.isAnyAway || beyond >= 0 || !isRise) return;
    const away = position.awayAmount;
    if (-beyond <= ROUNDING * Math.max(position.bought, away)) return;
    if (!position.isOpen) this.#isReopened = true;
    this.#note(by, amount, 0, position.comeBack(Math.min(-beyond, away)), 0);
  }

  #note(by: Move['by'], amount: number, away: number, returned: number, spent: number): void {
    this.moved.away_cost += away;
    this.moved.returned_cost += returned;
    this.moved.spent_cost += spent;
    this.#options.onMove?.({ time: this.#step.time, tx: this.#step.tx, by, amount, away, returned, spent });
  }
}

/** The one of two balances that is nearer to what is known: the first if both are as near. */
function nearer(to: number, a: number, b: number): number {
  return Math.abs(b - to) < Math.abs(a - to) ? b : a;
}
