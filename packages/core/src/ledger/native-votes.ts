/** What a transaction says of the native token: USD for one. */
export interface NativeVote {
  /** Place of its print. */
  readonly seq: number;
  readonly price: number;
  readonly wallet: number;
  /** From when its age counts, Unix seconds: the block time, or when the reference price became known that it rests on. */
  readonly time: number;
}

/** A reference price of the native token: known from `time` on, and the same until `until`. `NaN` if none holds. */
export interface HoldingPrice {
  readonly usd: number;
  readonly time: number;
  readonly until: number;
}

/** Native prices by row of swaps, after the transaction of the row. */
export interface NativeAfter {
  /** USD for one native token, `NaN` if no price holds. */
  readonly price: Float64Array;
  /** What the firm votes said at the time of the newest of them, of any age; `NaN` without one. */
  readonly lastPrice: Float64Array;
  readonly lastTime: Float64Array;
}

const MOST_VOTES = 9;
const MOST_OF_WALLET = 3;
/** Votes from which on their price is firm, and replaces an older reference price. */
const FIRM_VOTES = 5;
/** How far a vote that gives the price may lie from the median. */
const NEAR = 1.25;
/** Feed votes that wait to be put into their list. */
const MOST_WAITING = 1024;

/** The newest votes, newest first: at most three of a wallet and nine in all. In which order they are added, and whether twice, does not matter. */
export class VoteList {
  readonly #votes: NativeVote[];
  /** Of how many votes `#price` is: it is asked for at each swap, and changes with a vote. */
  #priced = -1;
  #price = Number.NaN;

  constructor(votes: readonly NativeVote[] = []) {
    this.#votes = [...votes];
  }

  get votes(): readonly NativeVote[] {
    return this.#votes;
  }

  get newest(): NativeVote | undefined {
    return this.#votes[0];
  }

  /** Whether no vote of this time, which comes before those that are there, finds room. */
  isFullSince(time: number): boolean {
    const last = this.#votes[MOST_VOTES - 1];
    return last !== undefined && last.time >= time;
  }

  add(vote: NativeVote): void {
    const votes = this.#votes;
    let at = 0;
    while (at < votes.length && isNewer(votes[at]!, vote)) at++;
    if (votes[at]?.seq === vote.seq) return;
    this.#priced = -1;
    votes.splice(at, 0, vote);
    let ofWallet = 0;
    for (let i = 0; i < votes.length; i++) {
      if (votes[i]!.wallet !== vote.wallet || ++ofWallet <= MOST_OF_WALLET) continue;
      votes.splice(i, 1);
      break;
    }
    if (votes.length > MOST_VOTES) votes.pop();
  }

  /** How many of them are of this time or newer. */
  countSince(time: number): number {
    let count = 0;
    while (count < this.#votes.length && this.#votes[count]!.time >= time) count++;
    return count;
  }

  /** What the newest `count` of them say: the newest within a quarter of their lower median. `NaN` without any. */
  price(count: number): number {
    if (this.#priced !== count) {
      this.#priced = count;
      this.#price = newestNearMedian(this.#votes, count);
    }
    return this.#price;
  }
}

function newestNearMedian(votes: readonly NativeVote[], count: number): number {
  const prices = Float64Array.from({ length: count }, (_, i) => votes[i]!.price).sort();
  const median = prices[(count - 1) >> 1] ?? Number.NaN;
  for (let i = 0; i < count; i++) {
    const { price } = votes[i]!;
    if (price >= median / NEAR && price <= median * NEAR) return price;
  }
  return Number.NaN;
}

/** By time, and at equal times by chain order. */
function isNewer(a: NativeVote, b: NativeVote): boolean {
  return a.time > b.time || (a.time === b.time && a.seq > b.seq);
}

/** The lists of both kinds, as plain data. */
export interface VotesData {
  readonly firm: readonly NativeVote[];
  readonly feed: readonly NativeVote[];
}

/**
 * The native price at one place in chain order after another (docs/reference/metrics.md, "Valuation"): the votes up to there, and the
 * reference price of the native token.
 */
export class NativeVotes {
  readonly #maxAge: number;
  readonly #firm: VoteList;
  readonly #feed: VoteList;
  /** Feed votes that came last, oldest first: mostly a firm one comes before they count, and they are never looked at. */
  readonly #waiting: NativeVote[] = [];
  /** False if feed votes are left out that came before, because firm ones count instead. */
  readonly hasFeed: boolean;

  constructor(maxAge: number, { firm, feed }: VotesData = { firm: [], feed: [] }, hasFeed = true) {
    this.#maxAge = maxAge;
    this.#firm = new VoteList(firm);
    this.#feed = new VoteList(feed);
    this.hasFeed = hasFeed;
  }

  get data(): VotesData {
    return { firm: this.#firm.votes, feed: this.#feedList().votes };
  }

  get newestFirm(): NativeVote | undefined {
    return this.#firm.newest;
  }

  copy(): NativeVotes {
    return new NativeVotes(this.#maxAge, this.data, this.hasFeed);
  }

  addFirm(vote: NativeVote): void {
    this.#firm.add(vote);
    const waiting = this.#waiting;
    if (waiting.length > 0 && waiting[waiting.length - 1]!.time <= vote.time) waiting.length = 0;
  }

  /** Adds a vote that comes behind all others. It counts only while no firm one does: never, if a firm one is as new. */
  addFeed(vote: NativeVote): void {
    const firm = this.#firm.newest;
    if (firm === undefined || vote.time > firm.time) this.#waiting.push(vote);
    if (this.#waiting.length > MOST_WAITING) this.#feedList();
  }

  #feedList(): VoteList {
    for (let vote = this.#waiting.pop(); vote !== undefined; vote = this.#waiting.pop()) {
      if (this.#feed.isFullSince(vote.time)) this.#waiting.length = 0;
      else this.#feed.add(vote);
    }
    return this.#feed;
  }

  /** Adds votes that may lie before others. */
  addAll({ firm, feed }: VotesData): void {
    for (const vote of firm) this.#firm.add(vote);
    for (const vote of feed) this.#feedList().add(vote);
  }

  /** Whether all votes are there that count up to a time. */
  isKnownUntil(time: number): boolean {
    return this.hasFeed || (this.#firm.newest?.time ?? Number.NEGATIVE_INFINITY) + this.#maxAge >= time;
  }

  /** Whether firm votes give the price of votes at a time, and feed votes do not count. */
  isFirmAt(time: number): boolean {
    const newest = this.#firm.newest;
    return newest !== undefined && newest.time >= time - this.#maxAge;
  }

  /** The price of votes and reference price at a time. */
  priceAt(time: number, reference: HoldingPrice): PriceAt {
    const since = time - this.#maxAge;
    const firm = this.#firm.countSince(since);
    const list = firm > 0 ? this.#firm : this.#feedList();
    const count = firm > 0 ? firm : list.countSince(since);
    const until = Math.min(reference.until, (list.votes[count - 1]?.time ?? Number.POSITIVE_INFINITY) + this.#maxAge);
    const isReplaced = firm >= FIRM_VOTES && this.#firm.votes[FIRM_VOTES - 1]!.time > reference.time;
    return Number.isNaN(reference.usd) || isReplaced
      ? { usd: list.price(count), isReference: false, isFirm: count >= FIRM_VOTES, until }
      : { usd: reference.usd, isReference: true, isFirm: true, until };
  }

  /** What the firm votes said at the time of the newest of them. */
  get lastPrice(): number {
    const newest = this.#firm.newest;
    return newest === undefined ? Number.NaN : this.#firm.price(this.#firm.countSince(newest.time - this.#maxAge));
  }

  /** The votes that may count at a time or later. */
  livingAt(time: number): VotesData {
    const newest = this.#firm.newest?.time ?? Number.NEGATIVE_INFINITY;
    const firm = this.#firm.countSince(Math.min(time, newest) - this.#maxAge);
    const isAlive = (vote: NativeVote): boolean => vote.time > newest && vote.time >= time - this.#maxAge;
    return { firm: this.#firm.votes.slice(0, firm), feed: this.#feedList().votes.filter(isAlive) };
  }

  /** Whether two say the same at a time and ever after, if the same votes are added to both. */
  isSameAt(other: NativeVotes, time: number): boolean {
    const [own, others] = [this.livingAt(time), other.livingAt(time)];
    return areSame(own.firm, others.firm) && areSame(own.feed, others.feed);
  }
}

/** Whether lists have the same votes, whatever the places of their prints. */
function areSame(a: readonly NativeVote[], b: readonly NativeVote[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ price, wallet, time }, i) => price === b[i]!.price && wallet === b[i]!.wallet && time === b[i]!.time)
  );
}

/** A native price, which stays the same until a time unless a vote is added. */
export interface PriceAt {
  readonly usd: number;
  readonly isReference: boolean;
  /** Whether it rests on a reference price, or on at least five votes. */
  readonly isFirm: boolean;
  readonly until: number;
}
