import type { MarketShape } from '@swapfold/testing';
import type { Watched } from './disturbance.ts';

/** What a row's figures are: milliseconds and bytes are better small, rates are better large. */
export type Unit = 'ms' | 'bytes' | 'MB' | 'rows/s' | 'requests/s';

/** What a row has to reach: a figure of ours, or our figure as a multiple of the baseline's. */
export type Target =
  | { readonly kind: 'most'; readonly ours: number }
  | { readonly kind: 'least'; readonly ours: number }
  | { readonly kind: 'most-ratio'; readonly ratio: number }
  | { readonly kind: 'least-ratio'; readonly ratio: number };

/** One line of the benchmark: ours beside a baseline that does the same work in the same run. */
export interface Row {
  readonly part: string;
  readonly engine: string;
  readonly operation: string;
  readonly unit: Unit;
  /** The median of the runs. */
  readonly ours: number;
  /** `null` where there is nothing to compare with. */
  readonly baseline: number | null;
  /** What the baseline is; for a row without one, what the figure is. */
  readonly what: string;
  readonly target: Target | null;
  /** Our lower and upper quartile. */
  readonly spread?: readonly [low: number, high: number];
  /** Most memory that the process of this row held, megabytes. */
  readonly memory?: number;
}

/** A run of the benchmark: where, when, on what, and what came out. */
export interface Report {
  readonly machine: string;
  readonly node: string;
  readonly date: string;
  /** Load average of the minute before the run, and of its last one. */
  readonly load: readonly [before: number, after: number];
  /** How the machine was from part to part; reports from before it was watched lack it. */
  readonly watched?: readonly Watched[];
  /** What disturbed it, a sentence each: figures of such a run are not kept. */
  readonly disturbed?: readonly string[];
  readonly runs: readonly Run[];
}

/** What one engine took on one market. */
interface Run {
  readonly engine: string;
  /** Reports from before there were two lack it: 'usual'. */
  readonly market?: MarketShape;
  readonly swaps: number;
  readonly rows: readonly Row[];
}

/** An engine, its market and that market's size, as headings have them. */
export function titleOf({ engine, market = 'usual', swaps }: Omit<Run, 'rows'>): string {
  return `${engine}, ${swaps.toLocaleString('en-US')} swaps, ${market} market`;
}

/** An engine's runs that are published: of the launchpad market if there are any. */
export function publishedRuns(
  reports: readonly Report[],
  engine: string,
): readonly { readonly report: Report; readonly run: Run }[] {
  const all = reports.flatMap((report) =>
    report.runs.filter((run) => run.engine === engine).map((run) => ({ report, run })),
  );
  const launchpad = all.filter(({ run }) => run.market === 'launchpad');
  return launchpad.length > 0 ? launchpad : all;
}

export function ratioOf(row: Row): number | null {
  return row.baseline === null ? null : row.ours / row.baseline;
}

/** Whether the row reaches its target; `null` where it has none. */
export function isMet(row: Row): boolean | null {
  const { target } = row;
  if (target === null) return null;
  switch (target.kind) {
    case 'most':
      return row.ours <= target.ours;
    case 'least':
      return row.ours >= target.ours;
    case 'most-ratio':
      return ratioOf(row)! <= target.ratio;
    case 'least-ratio':
      return ratioOf(row)! >= target.ratio;
  }
}

/** The cells of a row as text, in the order of `titles`. */
export function cellsOf(row: Row): string[] {
  const met = isMet(row);
  const ratio = ratioOf(row);
  return [
    row.operation,
    row.engine,
    figure(row.ours, row.unit),
    row.spread === undefined ? '' : `${short(row.spread[0], row.unit)} - ${short(row.spread[1], row.unit)}`,
    row.baseline === null ? '' : figure(row.baseline, row.unit),
    ratio === null ? '' : `${ratio.toFixed(2)}x`,
    targetText(row),
    met === null ? '' : met ? 'met' : 'MISSED',
    row.memory === undefined ? '' : `${Math.round(row.memory)} MB`,
    row.what,
  ];
}

export const titles = [
  'operation',
  'engine',
  'ours',
  'quartiles',
  'baseline',
  'ratio',
  'target',
  '',
  'memory',
  'the baseline is',
] as const;

function targetText({ target, unit }: Row): string {
  switch (target?.kind) {
    case undefined:
      return '';
    case 'most':
      return `<= ${figure(target.ours, unit)}`;
    case 'least':
      return `>= ${figure(target.ours, unit)}`;
    case 'most-ratio':
      return `<= ${target.ratio}x`;
    case 'least-ratio':
      return `>= ${target.ratio}x`;
  }
}

export function figure(value: number, unit: Unit): string {
  if (unit === 'ms' && value >= 1000) return `${(value / 1000).toFixed(2)} s`;
  return `${short(value, unit)} ${unit}`;
}

function short(value: number, unit: Unit): string {
  if (unit === 'ms') return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
  return Math.round(value).toLocaleString('en-US');
}
