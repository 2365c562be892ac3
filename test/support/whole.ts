/** Whether tests run whole: `npm run test:whole`. Without it the dearest run a part of their cases, always the same. */
export const isWhole = process.env.SWAPFOLD_WHOLE === '1';

/**
 * How much of the conformance suite an engine runs, for which a question or a row costs more than in memory. The rows are still more
 * than a piece of a stream holds, and the lists of half of them longer than SQLite takes parameters.
 */
export const shortSuite = isWhole ? {} : { every: 8, rows: 80_000 };

/** How many cases are tried: all in a whole run, the few by default. */
export function cases(all: number, few: number): number {
  return isWhole ? all : few;
}
