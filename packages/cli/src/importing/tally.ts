import type { FileReject } from '@swapfold/files';
import type { PassedFile } from './each-batch.ts';
import type { FileBatch, Outcome } from './file-batch.ts';

/** A row of one of several files. */
export interface LocatedReject extends FileReject {
  readonly file: string;
}

const KEPT = 5;

/** Reasons for which rows were passed over, beyond which they are counted together. */
const MOST_REASONS = 20;

/** Why a wrap is passed over. */
const ITSELF = 'the same token under two names, as a wrap of the native token has it';

/** What became of all rows of an import so far. */
export class Tally {
  rows = 0;
  rejected = 0;
  passed = 0;
  /** New swaps that the store had under another index, and whether they were left out. */
  same = 0;
  isSameLeftOut = false;
  /** Rows of a hash that is none of an EVM chain. */
  oddHashes = 0;
  /** Swaps that are the sum of others of their transaction. */
  aggregates = 0;
  /** Swaps that hashes alone put in order. */
  unordered = 0;
  readonly counts: Record<string, number> = {};
  /** Rows that were passed over, by reason. */
  readonly reasons = new Map<string, number>();
  /** The presets that files were read with. */
  readonly presets = new Set<string>();
  /** Files that were passed over. */
  readonly passedFiles: PassedFile[] = [];
  /** The first few of each. */
  readonly rejects: LocatedReject[] = [];
  readonly conflicts: LocatedReject[] = [];

  add(
    file: string,
    batch: Pick<FileBatch, 'rows' | 'passed' | 'preset'>,
    { counts, rejects, conflicts, passedOver = 0 }: Outcome,
  ): void {
    this.rows += batch.rows;
    this.rejected += rejects.length;
    for (const [name, count] of Object.entries(counts)) this.counts[name] = (this.counts[name] ?? 0) + count;
    for (const [reason, count] of batch.passed) this.pass(reason, count);
    if (passedOver > 0) this.pass(ITSELF, passedOver);
    if (batch.preset !== undefined) this.presets.add(batch.preset);
    keepFirst(this.rejects, file, rejects);
    keepFirst(this.conflicts, file, conflicts);
  }

  /** Adds what is known of swaps once all are stored. */
  addStored(
    counts: Outcome['counts'],
    late: { readonly conflicts: readonly LocatedReject[]; readonly rejects: readonly LocatedReject[] },
  ): void {
    for (const [name, count] of Object.entries(counts)) this.counts[name] = (this.counts[name] ?? 0) + count;
    this.rejected += late.rejects.length;
    this.rejects.push(...late.rejects.slice(0, KEPT - this.rejects.length));
    this.conflicts.push(...late.conflicts.slice(0, KEPT - this.conflicts.length));
  }

  /** Adds what else the ingest told. */
  tell(
    told: Pick<Tally, 'same' | 'isSameLeftOut' | 'oddHashes' | 'aggregates' | 'unordered'> & {
      readonly passedOver: number;
    },
  ): void {
    const { passedOver, ...rest } = told;
    Object.assign(this, rest);
    if (passedOver > 0) this.pass(ITSELF, passedOver);
  }

  /** Whether there were rows, and none of them was a swap or a record that can be stored. */
  get isRefused(): boolean {
    return this.rows > 0 && this.rejected + this.passed === this.rows;
  }

  private pass(reason: string, count: number): void {
    const key = this.reasons.has(reason) || this.reasons.size < MOST_REASONS ? reason : 'other reasons';
    this.reasons.set(key, (this.reasons.get(key) ?? 0) + count);
    this.passed += count;
  }
}

function keepFirst(kept: LocatedReject[], file: string, more: readonly FileReject[]): void {
  for (const reject of more.slice(0, KEPT - kept.length)) kept.push({ file, ...reject });
}
