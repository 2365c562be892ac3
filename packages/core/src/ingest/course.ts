import { type JudgeOptions, judgedPrint } from '../ledger/judge.ts';
import { MOST_WEIGHT, TokenVotes } from '../ledger/votes.ts';
import { timeOf } from '../records/chain-order.ts';
import { FOREIGN, isCounted, MUTE, REPEATED, VOTE } from '../records/standing.ts';
import { FIRST_POOL } from '../records/tables.ts';
import type { PoolRow } from './vote-pools.ts';

/** A print of a token, with what its swap says. */
export interface PrintRow {
  readonly seq: number;
  readonly price: number;
  readonly usd: number;
  readonly standing: number;
  readonly wallet: number;
  readonly pool: number;
  readonly tx: number;
}

/** What votes of a pool weighed since a course began: as they are, and as they were. */
interface Weights {
  readonly now: number[];
  readonly old: number[];
}

/** The votes for one token, as prints are judged anew, beside those that they were judged by before. */
export class Course {
  /** Rows of pools as they were stored, of those that prints have named so far, and of `FIRST_POOL`. */
  readonly stored = new Map<number, PoolRow>();
  readonly weights = new Map<number, Weights>();
  /** The last second that was judged. */
  reached = -1;
  readonly #old: TokenVotes;

  /** `now`: the votes before the first print that may be judged otherwise. */
  constructor(
    readonly token: number,
    readonly now: TokenVotes,
  ) {
    this.#old = new TokenVotes(now);
  }

  /** Judges the prints of one transaction, and adds its vote. Gives their standings. */
  judge(prints: readonly PrintRow[], options: JudgeOptions): number[] {
    const { now, token } = this;
    const standings: number[] = [];
    const ordinals: number[] = [];
    let [voter, ownVoter] = [-1, -1];
    for (const [i, print] of prints.entries()) {
      const kept = print.standing & (MUTE | REPEATED);
      const time = timeOf(print.seq);
      standings.push(kept | judgedPrint(now, token, { ...print, time }, (kept & MUTE) !== 0, options));
      ordinals.push(isCounted(kept) ? ++now.prints : 0);
      if (kept !== 0) continue;
      voter = i;
      if (now.isOwn(print.pool)) ownVoter = i;
    }
    const chosen = ownVoter >= 0 ? ownVoter : voter;
    if (chosen < 0) return standings;
    const print = prints[chosen]!;
    standings[chosen]! |= ownVoter >= 0 ? VOTE : VOTE | FOREIGN;
    this.#weightsOf(print.pool).now.push(print.usd);
    now.vote({ ...print, time: timeOf(print.seq) }, ordinals[chosen]!);
    return standings;
  }

  /** Adds prints to the votes as they were, by what their standings say. */
  follow(prints: readonly PrintRow[]): void {
    const old = this.#old;
    for (const { seq, price, usd, standing, wallet, pool } of prints) {
      if (!isCounted(standing)) continue;
      const ordinal = ++old.prints;
      if ((standing & VOTE) === 0) continue;
      const isOwn = (standing & FOREIGN) === 0;
      const time = timeOf(seq);
      if (isOwn) {
        old.first ??= { pool, time };
        old.ownUsd = Math.min(old.ownUsd + Math.min(usd, MOST_WEIGHT), MOST_WEIGHT);
      }
      this.#weightsOf(pool).old.push(usd);
      old.addVote({ price, usd, wallet, time }, ordinal, isOwn);
    }
  }

  /** Whether prints after a second are judged as they were, unless a pool becomes own at another time. */
  isSame(second: number): boolean {
    const { now, stored } = this;
    const old = this.#old;
    if (now.ownUsd !== old.ownUsd || now.first?.pool !== old.first?.pool || !now.hasSameVotes(old)) return false;
    for (const [pool, { ownSince }] of stored) {
      if (pool === FIRST_POOL) continue;
      const wasOwn = old.first === undefined || old.first.pool === pool || ownSince <= second;
      if (now.isOwn(pool) !== wasOwn) return false;
    }
    return now.ownUsd === MOST_WEIGHT || this.others().length === 0;
  }

  /** The pools that are not own, and whose votes weigh otherwise than they did. */
  others(): number[] {
    return [...this.weights].flatMap(([pool, { now, old }]) =>
      this.now.isOwn(pool) || (now.length === old.length && now.every((usd, i) => usd === old[i])) ? [] : [pool],
    );
  }

  #weightsOf(pool: number): Weights {
    let weights = this.weights.get(pool);
    if (weights === undefined) {
      weights = { now: [], old: [] };
      this.weights.set(pool, weights);
    }
    return weights;
  }
}
