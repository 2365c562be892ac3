/** Fractions of a second are counted in microseconds. */
export const MICROSECONDS = 1e6;

/** More rows than a file has whose order is kept: its places lie behind those of the files before it. */
export const FILE_ROWS = 2 ** 32;

/** What is beyond the whole second of a time, in microseconds. */
export function fractionOf(time: number): number {
  return Math.min(MICROSECONDS - 1, Math.floor((time - Math.floor(time)) * MICROSECONDS + 0.5));
}

/**
 * What orders a transaction behind its slot and index, as one number: its log index, and the fraction of its second. 0 if it has neither.
 *
 * - `logIndex`: `NaN` if it has none; such a transaction comes before those with one.
 */
export function momentOf(logIndex: number, fraction: number): number {
  return (Number.isNaN(logIndex) ? 0 : logIndex + 1) * MICROSECONDS + fraction;
}

/** The log index of a moment, `NaN` if it has none. */
export function logIndexOf(moment: number): number {
  return moment < MICROSECONDS ? Number.NaN : Math.floor(moment / MICROSECONDS) - 1;
}

/** The fraction of a moment, in microseconds. */
export function fractionOfMoment(moment: number): number {
  return moment % MICROSECONDS;
}

/** The smallest log index and the smallest fraction of two moments of a transaction. */
export function earliestMoment(a: number, b: number): number {
  if (a === b) return a;
  const [x, y] = [a % MICROSECONDS, b % MICROSECONDS];
  return smallestGiven((a - x) / MICROSECONDS, (b - y) / MICROSECONDS) * MICROSECONDS + Math.min(x, y);
}

/** The smaller of two numbers of which 0 says that nothing is known. */
export function smallestGiven(a: number, b: number): number {
  return a === 0 ? b : b === 0 ? a : Math.min(a, b);
}

/** A moment as a table has it: engines store small numbers in fewer bytes, and most moments have no fraction. */
export function storedMoment(moment: number): number {
  if (moment === 0) return Number.NaN;
  return moment % MICROSECONDS === 0 ? moment / MICROSECONDS : -moment;
}

/** The moment of a value of a table. */
export function momentOfStored(value: number): number {
  return value > 0 ? value * MICROSECONDS : -value || 0;
}
