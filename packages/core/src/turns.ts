/** One of those who share the thread, such as the holder of a key. */
export interface Share {
  /** Milliseconds of work, as the turns are given by: never far from what the others have. */
  worked: number;
}

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

/**
 * The turns of the event loop that long work goes on in: one piece a turn, so that however many pieces there are, what comes from outside
 * waits for one of them only. Of those who wait, the share that has worked least goes first; within a share, the piece that waits longest.
 */
export class Turns {
  readonly #waiting: Waiting[] = [];
  readonly #defer: (run: () => void) => void;
  /** What the share had worked that went last: who has not worked for long begins there. */
  #level = 0;

  /** `defer` runs a function in a later turn of the event loop. */
  constructor(defer: (run: () => void) => void = setImmediate) {
    this.#defer = defer;
  }

  /** Resolves in a turn in which no other long work begins or goes on. */
  next(share: Share = ownShare): Promise<void> {
    share.worked = Math.min(Math.max(share.worked, this.#level), this.#level + MOST_DEBT);
    return new Promise((begin) => {
      if (this.#waiting.push({ share, begin }) === 1) this.#defer(this.#give);
    });
  }

  readonly #give = (): void => {
    let first = 0;
    for (let i = 1; i < this.#waiting.length; i++)
      if (this.#waiting[i]!.share.worked < this.#waiting[first]!.share.worked) first = i;
    const [{ share, begin }] = this.#waiting.splice(first, 1) as [Waiting];
    this.#level = Math.max(this.#level, share.worked);
    begin();
    if (this.#waiting.length > 0) this.#defer(this.#give);
  };
}

/** Those of this thread: there is one event loop, and so one queue for it. */
export const threadTurns = new Turns();
