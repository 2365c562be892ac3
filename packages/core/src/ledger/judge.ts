import { timeOf } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { DENIED, FOREIGN, MUTE, REPEATED, SUSPECT, VOTE } from '../records/standing.ts';
import { denyFeed } from './fed-alone.ts';
import type { SwapPrints } from './prints.ts';
import type { Roles } from './roles.ts';
import type { ReferencePrices, Swaps } from './value.ts';
import { type Print, TokenVotes } from './votes.ts';

export interface JudgeOptions {
  readonly roles: Roles;
  /** How many times off a print is suspect. */
  readonly factor: number;
  /** Those that hold at the times of what is judged. */
  readonly references: ReferencePrices;
}

/** The price that the prints of a quote token are judged by, and that values what is held of it, instead of votes: `NaN` if votes do. */
export function knownPrice(
  token: number,
  time: number,
  { roles, references }: Pick<JudgeOptions, 'roles' | 'references'>,
): number {
  if (roles.rankOf(token) < 0) return Number.NaN;
  const reference = references.at(token, time);
  return Number.isNaN(reference) && roles.isStable(token) ? 1 : reference;
}

/** What votes say of the next print of a token: 0, or the bits of one that is suspect. */
export function judgedPrint(
  votes: TokenVotes,
  token: number,
  print: Print,
  isMute: boolean,
  options: JudgeOptions,
): number {
  const known = knownPrice(token, print.time, options);
  if (Number.isNaN(known)) {
    if (!votes.isSuspect(print, isMute, options.factor)) return 0;
    return votes.hasJudges(print.time) ? SUSPECT | DENIED : SUSPECT;
  }
  return print.price > known * options.factor || print.price < known / options.factor ? SUSPECT : 0;
}

/** The prints of a token in one transaction from which its vote is chosen; reused from transaction to transaction. */
interface Ballot {
  token: number;
  votes: TokenVotes;
  /** The last with a voice, and the last of these in an own pool: places of their legs and ordinals, -1 for none. */
  leg: number;
  ordinal: number;
  ownLeg: number;
  ownOrdinal: number;
}

/**
 * Judges prints that come in chain order, from the votes of their tokens before (docs/reference/metrics.md, "Prices"). Tokens that it does not
 * know have none.
 */
export class PrintJudge {
  readonly #tokens = new Map<number, TokenVotes>();
  /** Of the transaction that is judged: the first `#balloted` count. */
  readonly #ballots: Ballot[] = [];
  #balloted = 0;
  readonly #print = { price: Number.NaN, usd: Number.NaN, wallet: NO_ID, pool: NO_ID, time: Number.NaN };
  /** Called for each pool of a token whose sum of votes is another. */
  readonly #onPool: ((token: number, pool: number) => void) | undefined;

  constructor(onPool?: (token: number, pool: number) => void) {
    this.#onPool = onPool;
  }

  votesOf(token: number): TokenVotes | undefined {
    return this.#tokens.get(token);
  }

  put(token: number, votes: TokenVotes): void {
    this.#tokens.set(token, votes);
  }

  forget(token: number): void {
    this.#tokens.delete(token);
  }

  /** Forgets all tokens: their prints were derived again. */
  clear(): void {
    this.#tokens.clear();
  }

  tokens(): ReadonlyMap<number, TokenVotes> {
    return this.#tokens;
  }

  /** Writes the standing of the next prints, of swaps in chain order and whole transactions, and whose feed they deny (`denyFeed`). */
  judge(swaps: Swaps, prints: SwapPrints, options: JudgeOptions): void {
    const { tx } = swaps.columns;
    for (let row = 0; row < swaps.length; row++) {
      this.#judgeLeg(swaps, prints, row, true, options);
      this.#judgeLeg(swaps, prints, row, false, options);
      if (((prints.standing_in[row]! | prints.standing_out[row]!) & DENIED) !== 0) denyFeed(swaps, row, options.roles);
      if (row + 1 < swaps.length && tx[row + 1] === tx[row]) continue;
      for (let i = 0; i < this.#balloted; i++) this.#vote(swaps, prints, this.#ballots[i]!);
      this.#balloted = 0;
    }
  }

  #judgeLeg(swaps: Swaps, prints: SwapPrints, row: number, isGiven: boolean, options: JudgeOptions): void {
    if (Number.isNaN(isGiven ? prints.price_in[row]! : prints.price_out[row]!)) return;
    const print = this.#take(swaps, prints, row, isGiven);
    const { token_in, token_out } = swaps.columns;
    const standings = isGiven ? prints.standing_in : prints.standing_out;
    const token = isGiven ? token_in[row]! : token_out[row]!;
    const votes = this.#of(token);
    const isMute = (standings[row]! & MUTE) !== 0;
    standings[row]! |= judgedPrint(votes, token, print, isMute, options);
    if ((standings[row]! & REPEATED) !== 0) return;
    const ordinal = ++votes.prints;
    if (isMute) return;
    const ballot = this.#ballotOf(token, votes);
    ballot.leg = row * 2 + (isGiven ? 0 : 1);
    ballot.ordinal = ordinal;
    if (!votes.isOwn(print.pool)) return;
    ballot.ownLeg = ballot.leg;
    ballot.ownOrdinal = ordinal;
  }

  /** Adds the vote of a transaction for a token. */
  #vote(swaps: Swaps, prints: SwapPrints, { token, votes, leg, ordinal, ownLeg, ownOrdinal }: Ballot): void {
    const isOwn = ownLeg >= 0;
    const chosen = isOwn ? ownLeg : leg;
    const isGiven = chosen % 2 === 0;
    const row = chosen >> 1;
    const print = this.#take(swaps, prints, row, isGiven);
    (isGiven ? prints.standing_in : prints.standing_out)[row]! |= VOTE | (isOwn ? 0 : FOREIGN);
    if (votes.vote(print, isOwn ? ownOrdinal : ordinal)) this.#onPool?.(token, print.pool);
  }

  /** The print of a leg, until the next one is taken. */
  #take({ columns: c }: Swaps, prints: SwapPrints, row: number, isGiven: boolean): Print {
    const print = this.#print;
    print.price = isGiven ? prints.price_in[row]! : prints.price_out[row]!;
    print.usd = prints.usd[row]!;
    print.wallet = c.wallet[row]!;
    print.pool = c.pool[row]!;
    print.time = timeOf(c.seq[row]!);
    return print;
  }

  /** The ballot of a token in this transaction, an empty one at its first print. */
  #ballotOf(token: number, votes: TokenVotes): Ballot {
    for (let i = 0; i < this.#balloted; i++) if (this.#ballots[i]!.token === token) return this.#ballots[i]!;
    const ballot = this.#ballots[this.#balloted] ?? { token, votes, leg: -1, ordinal: 0, ownLeg: -1, ownOrdinal: 0 };
    this.#ballots[this.#balloted++] = ballot;
    ballot.token = token;
    ballot.votes = votes;
    ballot.leg = ballot.ownLeg = -1;
    return ballot;
  }

  #of(token: number): TokenVotes {
    let votes = this.#tokens.get(token);
    if (votes === undefined) {
      votes = new TokenVotes();
      this.#tokens.set(token, votes);
    }
    return votes;
  }
}
