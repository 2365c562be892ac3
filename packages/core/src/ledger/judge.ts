import { timeOf } from '../records/chain-order.ts';
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

/** The prints of a token in one transaction from which its vote is chosen. */
interface Ballot {
  readonly token: number;
  readonly votes: TokenVotes;
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
    const { columns: c, length } = swaps;
    const ballots: Ballot[] = [];
    const printAt = (row: number, isGiven: boolean): Print => ({
      price: isGiven ? prints.price_in[row]! : prints.price_out[row]!,
      usd: isGiven ? c.usd_amount_in[row]! : c.usd_amount_out[row]!,
      wallet: c.wallet[row]!,
      pool: c.pool[row]!,
      time: timeOf(c.seq[row]!),
    });
    const judgeLeg = (row: number, isGiven: boolean): void => {
      const print = printAt(row, isGiven);
      if (Number.isNaN(print.price)) return;
      const standings = isGiven ? prints.standing_in : prints.standing_out;
      const token = isGiven ? c.token_in[row]! : c.token_out[row]!;
      const votes = this.#of(token);
      const isMute = (standings[row]! & MUTE) !== 0;
      standings[row]! |= judgedPrint(votes, token, print, isMute, options);
      if ((standings[row]! & REPEATED) !== 0) return;
      const ordinal = ++votes.prints;
      if (isMute) return;
      let ballot = ballots.find((known) => known.votes === votes);
      if (ballot === undefined) {
        ballot = { token, votes, leg: -1, ordinal: 0, ownLeg: -1, ownOrdinal: 0 };
        ballots.push(ballot);
      }
      ballot.leg = row * 2 + (isGiven ? 0 : 1);
      ballot.ordinal = ordinal;
      if (!votes.isOwn(print.pool)) return;
      ballot.ownLeg = ballot.leg;
      ballot.ownOrdinal = ordinal;
    };
    for (let row = 0; row < length; row++) {
      judgeLeg(row, true);
      judgeLeg(row, false);
      if (((prints.standing_in[row]! | prints.standing_out[row]!) & DENIED) !== 0) denyFeed(swaps, row, options.roles);
      if (row + 1 < length && c.tx[row + 1] === c.tx[row]) continue;
      for (const { token, votes, leg, ordinal, ownLeg, ownOrdinal } of ballots) {
        const isOwn = ownLeg >= 0;
        const chosen = isOwn ? ownLeg : leg;
        const isGiven = chosen % 2 === 0;
        const votingRow = chosen >> 1;
        const print = printAt(votingRow, isGiven);
        (isGiven ? prints.standing_in : prints.standing_out)[votingRow]! |= VOTE | (isOwn ? 0 : FOREIGN);
        if (votes.vote(print, isOwn ? ownOrdinal : ordinal)) this.#onPool?.(token, print.pool);
      }
      ballots.length = 0;
    }
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
