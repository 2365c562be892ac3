import type { WindowSpec } from './windows.ts';

export const DAY = 86_400;

/** Equal periods back from the as-of time, 0 the newest. */
export interface PeriodsSpec {
  readonly period: number;
  readonly periods: number;
  /** By cell of the grid: the period that it lies in, -1 if it is older than all. */
  readonly of: Int16Array;
  /** By period: the cell that it begins with. */
  readonly oldest: Int16Array;
}

/** A window, and how its parts are found in the grid. */
export interface GridWindow {
  readonly window: WindowSpec;
  readonly oldest: number;
  /** Its periods, and its days, as places in the grid's `periods`; -1 for the days of a window that has none. */
  readonly periods: number;
  readonly days: number;
}

/**
 * The time before the as-of time, cut wherever a window or a period of one begins: each of those is made of whole cells. Cell 0 is the
 * newest; cell c ends where c - 1 begins.
 */
export interface Grid {
  /** Seconds from the beginning of each cell to the as-of time, ascending. */
  readonly ages: Float64Array;
  readonly periods: readonly PeriodsSpec[];
  /** Place of the days in `periods`, -1 if no window is a day long. */
  readonly days: number;
  /** Shortest first. */
  readonly windows: readonly GridWindow[];
}

export function gridOf(windows: readonly WindowSpec[]): Grid {
  const counts = new Map<number, number>();
  for (const { period, periods, seconds } of windows)
    for (const [length, count] of [
      [period, periods],
      [DAY, Math.floor(seconds / DAY)],
    ] as const)
      if (count > 0) counts.set(length, Math.max(count, counts.get(length) ?? 0));
  const begins = [...counts].flatMap(([period, count]) => Array.from({ length: count }, (_, j) => (j + 1) * period));
  const ages = Float64Array.from(new Set(begins)).sort();
  const lengths = [...counts.keys()];
  return {
    ages,
    periods: lengths.map((period) => periodsOf(ages, period, counts.get(period)!)),
    days: lengths.indexOf(DAY),
    windows: windows
      .map((window) => ({
        window,
        oldest: ages.indexOf(window.period * window.periods),
        periods: lengths.indexOf(window.period),
        days: window.seconds < DAY ? -1 : lengths.indexOf(DAY),
      }))
      .sort((a, b) => a.window.seconds - b.window.seconds),
  };
}

function periodsOf(ages: Float64Array, period: number, periods: number): PeriodsSpec {
  return {
    period,
    periods,
    of: Int16Array.from(ages, (age) => {
      const number = Math.ceil(age / period) - 1;
      return number < periods ? number : -1;
    }),
    oldest: Int16Array.from({ length: periods }, (_, j) => ages.indexOf((j + 1) * period)),
  };
}
