import type { FileReject } from '../files/table-builder.ts';
import type { Outcome } from './file-batch.ts';

/** A row of one of several files. */
export interface LocatedReject extends FileReject {
  readonly file: string;
}

const KEPT = 5;

/** What became of all rows of an import so far. */
export class Tally {
  rows = 0;
  rejected = 0;
  readonly counts: Record<string, number> = {};
  /** The first few of each. */
  readonly rejects: LocatedReject[] = [];
  readonly conflicts: LocatedReject[] = [];

  add(file: string, rows: number, { counts, rejects, conflicts }: Outcome): void {
    this.rows += rows;
    this.rejected += rejects.length;
    for (const [name, count] of Object.entries(counts)) this.counts[name] = (this.counts[name] ?? 0) + count;
    keepFirst(this.rejects, file, rejects);
    keepFirst(this.conflicts, file, conflicts);
  }
}

function keepFirst(kept: LocatedReject[], file: string, more: readonly FileReject[]): void {
  for (const { row, field, reason } of more.slice(0, KEPT - kept.length)) kept.push({ row, field, reason, file });
}
