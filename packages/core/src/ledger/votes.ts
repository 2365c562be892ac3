import { NO_ID } from '../records/columns.ts';

/** Votes that a print is compared with, at most: of all, and of one wallet. */
const MOST_VOTES = 63;
const MOST_OF_WALLET = 3;
/** Prints of the token from a vote to the last that is compared with it. */
export const MOST_PRINTS = 10_000;
/** Votes of own pools that go before those of all pools, and how old the newest may be, seconds. */
const LEAST_OWN = 5;
const OWN_SECONDS = 30 * 86_400;
/** Fewer votes judge nothing. */
const LEAST_VOTES = 3;
/** Votes of which a third decides. */
const NEWEST = 15;
/** What a vote weighs at most, USD. */
export const MOST_WEIGHT = 100;
/** What the newest votes weigh together that a rise needs: in an own pool, and anywhere else. */
const OWN_WEIGHT = 200;
const ANY_WEIGHT = 2000;
/** What the votes of a pool weigh together that becomes own: this, or so many times what the votes in own pools do. */
export const POOL_WEIGHT = 1000;
const POOL_TIMES = 10;

/** Numbers of a vote. */
const WIDTH = 4;
const [PRICE, WEIGHT, WALLET, ORDINAL] = [0, 1, 2, 3];

/** A print, or a vote: price in USD per token, value in USD, Unix seconds. */
export interface Print {
  readonly price: number;
  readonly usd: number;
  readonly wallet: number;
  /** `NO_ID` without one. */
  readonly pool: number;
  readonly time: number;
}

/** The newest votes of a token, at most three a wallet: what remains of all if every vote is added in chain order. */
class VoteList {
  length = 0;
  /** Time of the newest. */
  time = Number.NEGATIVE_INFINITY;
  /** Oldest first. */
  #votes = new Float64Array(4 * WIDTH);
  /** No ordinal is less: it spares a look at the votes of each token that has a print. */
  #oldest = Number.POSITIVE_INFINITY;
  /** Bounds of the prices, not always the closest. */
  #least = Number.POSITIVE_INFINITY;
  #most = 0;

  add(price: number, usd: number, wallet: number, ordinal: number, time: number): void {
    const dropped = this.#droppedBy(wallet);
    if (dropped >= 0) this.#drop(dropped);
    if (this.length * WIDTH === this.#votes.length) {
      const grown = new Float64Array(Math.min(2 * this.#votes.length, MOST_VOTES * WIDTH));
      grown.set(this.#votes);
      this.#votes = grown;
    }
    const at = this.length++ * WIDTH;
    this.#votes[at + PRICE!] = price;
    this.#votes[at + WEIGHT!] = Math.min(usd, MOST_WEIGHT);
    this.#votes[at + WALLET!] = wallet;
    this.#votes[at + ORDINAL!] = ordinal;
    if (ordinal < this.#oldest) this.#oldest = ordinal;
    if (price < this.#least) this.#least = price;
    if (price > this.#most) this.#most = price;
    this.time = time;
  }

  /** Drops votes that are too far back for a print. */
  dropBefore(ordinal: number): void {
    if (this.#oldest >= ordinal) return;
    let gone = 0;
    while (gone < this.length && this.#votes[gone * WIDTH + ORDINAL!]! < ordinal) gone++;
    this.#votes.copyWithin(0, gone * WIDTH, this.length * WIDTH);
    this.length -= gone;
    this.#oldest = this.length > 0 ? this.#votes[ORDINAL!]! : Number.POSITIVE_INFINITY;
  }

  /** Whether all prices are within a factor of a price. */
  isAround(price: number, factor: number): boolean {
    if (this.#least >= price / factor && this.#most <= price * factor) return true;
    this.#least = Number.POSITIVE_INFINITY;
    this.#most = 0;
    for (let at = 0; at < this.length * WIDTH; at += WIDTH) {
      const other = this.#votes[at]!;
      if (other < this.#least) this.#least = other;
      if (other > this.#most) this.#most = other;
    }
    return this.#least >= price / factor && this.#most <= price * factor;
  }

  /**
   * Clauses 1 to 3 of suspect prints (docs/reference/metrics.md, "Prices").
   *
   * - `isFront`: the print itself goes in front of the list.
   * - `enough`: what low and other votes weigh together where the walk ends.
   */
  contradicts({ price, usd, wallet }: Print, isFront: boolean, factor: number, enough: number): boolean {
    const [low, high] = [price / factor, price * factor];
    const votes = this.#walk(isFront ? wallet : undefined);
    const newest = Math.min(NEWEST, votes.length + (isFront ? 1 : 0));
    const third = Math.ceil(newest / 3);
    let [reached, under] = isFront ? [1, 0] : [0, 0];
    for (const at of votes.slice(0, isFront ? newest - 1 : newest)) {
      if (this.#votes[at]! <= high) reached++;
      if (this.#votes[at]! < low) under++;
    }
    if (reached < third || under >= third) return true;
    let [against, beside, lows] = [0, isFront ? Math.min(usd, MOST_WEIGHT) : 0, 0];
    for (const at of votes) {
      if (against + beside >= enough) break;
      const weight = this.#votes[at + WEIGHT!]!;
      if (this.#votes[at]! < low) {
        against += weight;
        lows++;
      } else if (lows < third) beside += weight;
    }
    return lows > 0 && against >= beside;
  }

  /** The votes from the newest on: without the one that another vote of a wallet would drop, if there is a wallet. */
  #walk(wallet: number | undefined): number[] {
    const dropped = wallet === undefined ? -1 : this.#droppedBy(wallet);
    const found: number[] = [];
    for (let i = this.length - 1; i >= 0; i--) if (i !== dropped) found.push(i * WIDTH);
    return found;
  }

  /** The vote that goes once a wallet votes again: its third, or else the last of all; -1 for none. */
  #droppedBy(wallet: number): number {
    let count = 0;
    for (let at = (this.length - 1) * WIDTH; at >= 0; at -= WIDTH)
      if (this.#votes[at + WALLET!] === wallet && ++count === MOST_OF_WALLET) return at / WIDTH;
    return this.length === MOST_VOTES ? 0 : -1;
  }

  #drop(i: number): void {
    this.#votes.copyWithin(i * WIDTH, (i + 1) * WIDTH, this.length * WIDTH);
    this.length--;
  }

  clone(): VoteList {
    const copy = new VoteList();
    copy.length = this.length;
    copy.time = this.time;
    copy.#votes = this.#votes.slice();
    copy.#oldest = this.#oldest;
    copy.#least = this.#least;
    copy.#most = this.#most;
    return copy;
  }

  /** Whether another list judges as this one does, whose token has had `later` more prints. */
  equals(other: VoteList, later: number): boolean {
    if (this.length !== other.length || (this.length > 0 && this.time !== other.time)) return false;
    for (let at = 0; at < this.length * WIDTH; at++) {
      const shift = at % WIDTH === ORDINAL ? later : 0;
      if (this.#votes[at] !== other.#votes[at]! + shift) return false;
    }
    return true;
  }

  /** The votes, oldest first; the time is that of the newest alone. */
  *entries(): Generator<Omit<Print, 'pool'> & { readonly ordinal: number }> {
    for (let at = 0; at < this.length * WIDTH; at += WIDTH) {
      const [price, usd, wallet, ordinal] = this.#votes.subarray(at, at + WIDTH);
      const time = at + WIDTH === this.length * WIDTH ? this.time : Number.NaN;
      yield { price: price!, usd: usd!, wallet: wallet!, ordinal: ordinal!, time };
    }
  }
}

/** What the votes of a pool for a token weigh, USD, and the block time of the vote that made it own, `NaN` while it is not. */
export interface PoolVotes {
  readonly usd: number;
  readonly ownSince: number;
}

export const noVotes: PoolVotes = { usd: 0, ownSince: Number.NaN };

/** The votes for the price of one token, as they stand before a print: what tells whether it is suspect. */
export class TokenVotes {
  /** Prints so far, from anywhere on: votes are counted back from the last. */
  prints = 0;
  /** What votes in own pools weigh, up to 100 USD. */
  ownUsd = 0;
  /** Pool and time of the first vote; `undefined` before it. */
  first: Pick<Print, 'pool' | 'time'> | undefined;
  /** Of the pools other than that of the first vote. */
  readonly pools: Map<number, PoolVotes>;
  #own: VoteList;
  #all: VoteList;

  constructor(from?: TokenVotes) {
    this.pools = new Map(from?.pools);
    if (from === undefined) {
      this.#own = this.#all = new VoteList();
      return;
    }
    this.#all = from.#all.clone();
    this.#own = from.#own === from.#all ? this.#all : from.#own.clone();
    this.prints = from.prints;
    this.ownUsd = from.ownUsd;
    this.first = from.first;
  }

  isOwn(pool: number): boolean {
    return (
      this.first === undefined ||
      this.first.pool === pool ||
      !Number.isNaN(this.pools.get(pool)?.ownSince ?? Number.NaN)
    );
  }

  /** Whether the next print is suspect. */
  isSuspect(print: Print, isMute: boolean, factor: number): boolean {
    const { price, pool, time } = print;
    const oldest = this.prints + 1 - MOST_PRINTS;
    this.#all.dropBefore(oldest);
    if (this.#own !== this.#all) this.#own.dropBefore(oldest);
    const usesOwn = this.#own.length >= LEAST_OWN && time - this.#own.time <= OWN_SECONDS;
    const list = usesOwn ? this.#own : this.#all;
    if (list.length < LEAST_VOTES) return !this.isOwn(pool) || (isMute && this.first !== undefined);
    if (list.isAround(price, factor)) return false;
    const isOwn = this.isOwn(pool);
    const isNear = usesOwn && isOwn && !isMute && pool !== NO_ID;
    const isFront = !isMute && (isOwn || !usesOwn);
    return list.contradicts(print, isFront, factor, isNear ? OWN_WEIGHT : ANY_WEIGHT);
  }

  /** Whether as many votes judge the next print, at a time, as make a judgement. */
  hasJudges(time: number): boolean {
    const oldest = this.prints + 1 - MOST_PRINTS;
    for (const list of [this.#all, this.#own]) list.dropBefore(oldest);
    const usesOwn = this.#own.length >= LEAST_OWN && time - this.#own.time <= OWN_SECONDS;
    return (usesOwn ? this.#own : this.#all).length >= LEAST_VOTES;
  }

  /** Adds the vote of a transaction, whose print was the `ordinal`th of the token. Gives whether its pool's sum, or that of own pools, is another. */
  vote(print: Print, ordinal: number): boolean {
    const { usd, pool, time } = print;
    const isOwn = this.isOwn(pool);
    const weight = Math.min(usd, MOST_WEIGHT);
    let hasChanged = !isOwn;
    if (isOwn) {
      this.first ??= { pool, time };
      hasChanged = this.ownUsd < MOST_WEIGHT;
      if (hasChanged) this.ownUsd = Math.min(this.ownUsd + weight, MOST_WEIGHT);
    } else {
      const sum = Math.min((this.pools.get(pool) ?? noVotes).usd + weight, POOL_WEIGHT);
      const ownSince = sum >= Math.min(POOL_WEIGHT, POOL_TIMES * this.ownUsd) ? time : Number.NaN;
      this.pools.set(pool, { usd: sum, ownSince });
    }
    this.addVote(print, ordinal, isOwn);
    return hasChanged;
  }

  /** Adds a vote to the lists alone: the sums of pools are known. */
  addVote({ price, usd, wallet, time }: Omit<Print, 'pool'>, ordinal: number, isOwn: boolean): void {
    // Mostly all votes are of own pools, and one list is both.
    if (!isOwn && this.#own === this.#all) this.#own = this.#all.clone();
    this.#all.add(price, usd, wallet, ordinal, time);
    if (isOwn && this.#own !== this.#all) this.#own.add(price, usd, wallet, ordinal, time);
  }

  /** Puts the votes of another, whose prints came before, behind its own: lists alone. */
  prepend(earlier: TokenVotes): void {
    const own = this.votes();
    this.#own = this.#all = new VoteList();
    for (const { ordinal, isOwn, ...vote } of earlier.votes()) this.addVote(vote, ordinal - earlier.prints, isOwn);
    for (const { ordinal, isOwn, ...vote } of own) this.addVote(vote, ordinal, isOwn);
  }

  /** Forgets its votes and prints, but not what is known of pools. */
  restart(): void {
    this.prints = 0;
    this.#own = this.#all = new VoteList();
  }

  /** Whether no earlier vote would find room in the lists. */
  get isFull(): boolean {
    return this.#all.length === MOST_VOTES && this.#own.length === MOST_VOTES;
  }

  /** The votes of both lists, oldest first. The newest of each has its time. */
  votes(): (Omit<Print, 'pool'> & { readonly ordinal: number; readonly isOwn: boolean })[] {
    const found = new Map<number, Omit<Print, 'pool'> & { ordinal: number; isOwn: boolean }>();
    for (const [list, isOwn] of [
      [this.#all, this.#own === this.#all],
      [this.#own, true],
    ] as const)
      for (const { ordinal, time, ...vote } of list.entries()) {
        const known = found.get(ordinal)?.time ?? Number.NaN;
        found.set(ordinal, { ...vote, ordinal, isOwn, time: Number.isNaN(time) ? known : time });
      }
    return [...found.values()].sort((a, b) => a.ordinal - b.ordinal);
  }

  /** Whether the lists judge, from now on, as those of another. */
  hasSameVotes(other: TokenVotes): boolean {
    const later = this.prints - other.prints;
    return this.#all.equals(other.#all, later) && this.#own.equals(other.#own, later);
  }
}
