import { SwapfoldError } from './errors.ts';
import { ownShare, type Share, type Turns, threadTurns } from './turns.ts';
import type { Work } from './work.ts';

/** Milliseconds of work on the thread that all share before others have their turn. */
const LONGEST = 5;

/** When work that holds the thread should let others have their turn. */
export interface Yielder {
  isDue(): boolean;
  /** Errors: `aborted`, once the signal says so. */
  take(): Promise<void>;
  /** Takes one where it is due. */
  yieldIfDue(): Promise<void>;
  /** Runs work to its end, with a pause wherever one is due. `begins` is called before the first. */
  run<R>(work: Work<R>, begins?: () => void): Promise<R>;
}

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

export function yielder({
  share = ownShare,
  signal,
  now = () => performance.now(),
  turns = threadTurns,
  longest = LONGEST,
}: YielderOptions = {}): Yielder {
  let since = now();
  const isDue = (): boolean => now() - since > longest;

  /** Time that passed while the engine worked elsewhere is none of the share's: more than two stretches it is not. */
  function note(): void {
    const at = now();
    share.worked += Math.min(at - since, 2 * longest);
    since = at;
  }

  async function take(): Promise<void> {
    note();
    await turns.next(share);
    since = now();
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
