/**
 * What `standing` of a leg says, a bit each. 0: a leg that counts, without any of these.
 */

/**
 * The print by which its transaction votes for the price of the token. So most prints stand: SQLite keeps a 1 in no byte, and an engine that
 * makes legs by itself gets the others alone.
 */
export const VOTE = 1;
/** A print far off the votes before it. */
export const SUSPECT = 2;
/** A print without a voice: its transaction moved the token both ways through its pool. */
export const MUTE = 4;
/** A leg of a swap of a token for itself, which is listed and otherwise ignored. It has no other bit. */
export const SELF = 8;
/** A vote in a pool that was not the token's own. */
export const FOREIGN = 16;
/** A print of the native token that is valued by the native price, which is no evidence of it. */
export const REPEATED = 32;
/** A suspect print that at least three votes contradict: a feed alone is not believed for it. */
export const DENIED = 64;

const all = Array.from({ length: 128 }, (_, standing) => standing).filter(
  (standing) =>
    (standing & SELF) === 0 &&
    !((standing & FOREIGN) !== 0 && (standing & VOTE) === 0) &&
    !((standing & DENIED) !== 0 && (standing & SUSPECT) === 0) &&
    !((standing & VOTE) !== 0 && (standing & (MUTE | REPEATED)) !== 0),
);

export function isSuspect(standing: number): boolean {
  return (standing & SUSPECT) !== 0;
}

/** Whether a print may be a mark: it is not suspect, and has a voice. */
export function isMarking(standing: number): boolean {
  return (standing & (SUSPECT | MUTE)) === 0;
}

/** Whether votes are counted back over a print that stands so. */
export function isCounted(standing: number): boolean {
  return (standing & REPEATED) === 0;
}

/** All that `isSuspect` holds for. */
export const suspectStandings: readonly number[] = all.filter(isSuspect);
/** Those of prints that votes deny. */
export const deniedStandings: readonly number[] = all.filter((standing) => (standing & DENIED) !== 0);
/** All that `isMarking` holds for. */
export const markingStandings: readonly number[] = all.filter(isMarking);
/** Those of votes. */
export const voteStandings: readonly number[] = all.filter((standing) => (standing & VOTE) !== 0);
/** Those of votes in a pool that was the token's own. */
export const ownVoteStandings: readonly number[] = voteStandings.filter((standing) => (standing & FOREIGN) === 0);
/** Those of votes in a pool that was not the token's own. */
export const foreignVoteStandings: readonly number[] = voteStandings.filter((standing) => (standing & FOREIGN) !== 0);
/** All that `isCounted` holds for. */
export const countedStandings: readonly number[] = all.filter(isCounted);
