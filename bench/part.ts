import type { Engine } from './files.ts';
import type { Row } from './row.ts';

/** What a part of the benchmark runs on. */
export interface PartContext {
  readonly engine: Engine;
  readonly swaps: number;
  /** Folder of the market's files and the stores. */
  readonly root: string;
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
