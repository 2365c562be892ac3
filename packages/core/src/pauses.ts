import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work on the thread that all share before others have their turn. */
const LONGEST = 10;

/** When work that holds the thread should let others have their turn. */
export interface Pauses {
  isDue(): boolean;
  take(): Promise<void>;
  /** Takes one where it is due. */
  takeDue(): Promise<void>;
}

export function pauses(): Pauses {
  let since = performance.now();
  const isDue = (): boolean => performance.now() - since > LONGEST;
  async function take(): Promise<void> {
    await nextTurn();
    since = performance.now();
  }
  return {
    isDue,
    take,
    async takeDue() {
      if (isDue()) await take();
    },
  };
}
