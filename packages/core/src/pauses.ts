import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds of work on the thread that all share before others have their turn. */
const LONGEST = 10;

/** When work that holds the thread should let others have their turn. */
export interface Pauses {
  isDue(): boolean;
  take(): Promise<void>;
}

export function pauses(): Pauses {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since > LONGEST,
    async take() {
      await nextTurn();
      since = performance.now();
    },
  };
}
