import type { MarketShape } from '@swapfold/testing';
import { type Engine, engineNames } from './files.ts';
import type { Row, Unit } from './row.ts';
import type { Times } from './timing.ts';

/** What a part of the benchmark runs on. */
export interface PartContext {
  readonly engine: Engine;
  readonly swaps: number;
  /** Folder of the market's files and the stores. */
  readonly root: string;
  readonly market: MarketShape;
  /** A short run: fewer rounds. */
  readonly isSmall: boolean;
}

/** One part of the benchmark. */
export interface Part {
  /** What it measures, for the list of parts. */
  readonly what: string;
  /** Whether it reads the store and the plain tables that the import leaves. */
  readonly needsStore: boolean;
  readonly run: (context: PartContext) => Promise<Row[]>;
}

/** How often what takes minutes on a large store is measured. */
export function roundsOf({ swaps, isSmall }: PartContext): number {
  return swaps <= 200_000 && !isSmall ? 3 : 1;
}

/** Makes a row of a part: of times, ours and the baseline's, it holds the medians, and our quartiles. */
type RowMaker = (
  operation: string,
  ours: number | Times,
  what: string,
  more?: Partial<Omit<Row, 'baseline'>> & { readonly baseline?: number | Times },
) => Row;

export function rowMaker(part: string, engine: Engine, memory: number, unit: Unit = 'ms'): RowMaker {
  const median = (of: number | Times): number => (typeof of === 'number' ? of : of.median);
  return (operation, ours, what, { baseline, ...more } = {}) => ({
    part,
    engine: engineNames[engine],
    operation,
    unit,
    ours: median(ours),
    baseline: baseline === undefined ? null : median(baseline),
    what,
    target: null,
    ...(typeof ours === 'number' ? {} : { spread: ours.quartiles }),
    memory,
    ...more,
  });
}
