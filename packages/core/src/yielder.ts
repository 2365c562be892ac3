import { SwapfoldError } from './errors.ts';
import type { Work } from './work.ts';

/** Milliseconds of work on the thread that all share before others have their turn. */
const LONGEST = 5;

/** Rows of a quick loop after which it asks whether a pause is due: a look at the clock costs as much as some rows. */
export const ROWS_PER_CHECK = 4096;

/** When work that holds the thread should let others have their turn. */
export interface Yielder {
  isDue(): boolean;
  /** Errors: `aborted`, once the signal says so. */
  take(): Promise<void>;
  yieldIfDue(): Promise<void>;
  /** Runs work to its end, with a pause wherever one is due. `begins` is called before the first. */
  run<R>(work: Work<R>, begins?: () => void): Promise<R>;
}

/** How long a turn is, and whose share it counts for. */
export interface YielderOptions {
  /** Who the work is done for. Default: the process. */
  readonly share?: Share | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of a clock that only goes forward. */
  readonly now?: () => number;
  readonly turns?: Pick<Turns, 'next'>;
  /** Milliseconds of work between two pauses. Default 5. */
  readonly longest?: number;
}

/** Makes what a loop asks whether its turn of the event loop is over. */
export function yielder({
  share = ownShare,
  signal,
  now = () => performance.now(),
  turns = threadTurns,
  longest = LONGEST,
}: YielderOptions = {}): Yielder {
  let begun = now();
  let noted = begun;
  const isDue = (): boolean => now() - begun > longest;

  /** Time that passed while the engine worked elsewhere is none of the share's: more than two stretches it is not. */
  function note(): void {
    const at = now();
    share.worked += Math.min(at - noted, 2 * longest);
    noted = at;
  }

  async function take(): Promise<void> {
    note();
    await turns.next(share);
    begun = noted = now();
    if (signal?.aborted)
      throw new SwapfoldError('aborted', 'The call was aborted by its signal.', { cause: signal.reason });
  }

  return {
    isDue,
    take,
    async yieldIfDue() {
      if (isDue()) await take();
    },
    async run(work, begins = () => undefined) {
      let hasBegun = false;
      for (;;) {
        const step = work.next();
        if (step.done) {
          note();
          return step.value;
        }
        if (!isDue()) continue;
        if (!hasBegun) begins();
        hasBegun = true;
        await take();
      }
    },
  };
}

/** One of those who share the thread, such as the holder of a key. */
export interface Share {
  /** Milliseconds of work, as the turns are given by: never far from what the others have. */
  worked: number;
}

/** A share of the turns that has worked for no time yet. */
export function newShare(): Share {
  return { worked: 0 };
}

/** The work of the process itself: what no share was named for. */
export const ownShare: Share = newShare();

/** Milliseconds by which a share may be behind the others: whoever worked while nobody else wanted to is not made to wait for it for long. */
const MOST_DEBT = 100;

interface Waiting {
  readonly share: Share;
  readonly begin: () => void;
}

/** Milliseconds of long work in one round of the event loop: the longest piece is as long. */
export const ROUND = 5;

/**
 * The turns of the event loop that long work goes on in. Its pieces share the time of a round, so that however many there are, what comes
 * from outside waits for 5 ms of them, and the end of a piece. Of those who wait, the share that has worked least goes first; within a
 * share, the piece that waits longest.
 *
 * One piece a round would do for pieces that are long. Many are short, such as one that reads the next rows of a statement, and where rounds
 * are long, since many ask, work of a thousand short pieces would never end.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  readonly #defer: (run: () => void) => void;
  readonly #now: () => number;
  #begun: number | undefined;
  /** What the share had worked that went last: who has not worked for long begins there. */
  #level = 0;

  /** `defer` runs a function in the next round of the event loop, after those deferred before; `now` is a clock in milliseconds. */
  constructor(defer: (run: () => void) => void = setImmediate, now: () => number = () => performance.now()) {
    this.#defer = defer;
    this.#now = now;
  }

  /** Resolves in a later round, when it is this piece's turn. */
  next(share: Share = ownShare): Promise<void> {
    share.worked = Math.min(Math.max(share.worked, this.#level), this.#level + MOST_DEBT);
    return new Promise((begin) => {
      this.#waiting.push({ share, begin });
      this.#defer(this.#give);
    });
  }

  /** Called once for each piece that waits, again if the time of the round is used up. */
  readonly #give = (): void => {
    if (this.#begun === undefined) {
      this.#begun = this.#now();
      this.#defer(this.#endRound);
    } else if (this.#now() - this.#begun >= ROUND) {
      this.#defer(this.#give);
      return;
    }
    let first = 0;
    for (let i = 1; i < this.#waiting.length; i++)
      if (this.#waiting[i]!.share.worked < this.#waiting[first]!.share.worked) first = i;
    const [{ share, begin }] = this.#waiting.splice(first, 1) as [Waiting];
    this.#level = Math.max(this.#level, share.worked);
    begin();
  };

  readonly #endRound = (): void => {
    this.#begun = undefined;
  };
}

/** Those of this thread: there is one event loop, and so one queue for it. */
export const threadTurns = new Turns();
