import { EventEmitter, on } from 'node:events';
import type { Config, PricesResult, SwapfoldError } from '@swapfold/core';
import type { Reject } from '@swapfold/core/host';
import type { FileReject, PartInfo } from '../batches.ts';
import { OWN } from '../presets.ts';
import type { PriceRow } from '../prices/price-file.ts';
import type { Input, Unread } from './inputs.ts';
import { type FoundReject, RejectsFile, refuseOverwriting } from './rejects-file.ts';

/** What is imported: swaps, transfers, what is known of tokens or of wallets, or reference prices. */
export type ImportKind = 'swaps' | 'transfers' | 'tokens' | 'wallets' | 'prices';

/** A file of a folder or of a pattern that is not read, and why. */
export interface PassedFile {
  readonly file: string;
  readonly error: SwapfoldError;
}

/** What became of all rows of an import so far. */
export interface ImportSummary {
  readonly kind: ImportKind;
  /** Files that were given, without those of `passed_files`. */
  readonly files: number;
  readonly rows: number;
  /**
   * What became of rows that were not left out: `added`, `duplicate` and `conflicting` swaps or transfers, `upserted` records, or `stored`, `removed`,
   * `unchanged` and `repeated` prices. Those of swaps and transfers are known at the end.
   */
  readonly counts: Readonly<Record<string, number>>;
  readonly rejected: number;
  /** Rows that are none of what is imported, such as creations of tokens among swaps, and how many for which reason. */
  readonly passed: number;
  readonly reasons: ReadonlyMap<string, number>;
  readonly passed_files: readonly PassedFile[];
  /** The first hundred of each. */
  readonly rejects: readonly FoundReject[];
  readonly conflicts: readonly FoundReject[];
  /** The presets that files were read with; of prices, the shapes of the files. */
  readonly presets: ReadonlySet<string>;
  /** The format of the addresses of the files, if a preset says so. */
  readonly addresses: Config['address_format'] | undefined;
  /** New swaps that the store had under another index: left out with `skipSame`. */
  readonly same: number;
  /** Rows of a hash that is none of an EVM chain. */
  readonly odd_hashes: number;
  /** Swaps with a hash of their content for their index in the transaction, because the file gives none. */
  readonly unindexed: number;
  /** Swaps that are the sum of others of their transaction. */
  readonly aggregates: number;
  /** Swaps that hashes alone put in order. */
  readonly unordered: number;
  /** Prices that were taken, and those that swaps contradict. */
  readonly prices: readonly PriceRow[];
  readonly warnings: PricesResult['warnings'];
}

/** How a file is read. */
export interface FileShape {
  /** Absent for Swapfold's own columns; `sql` for a SELECT of one's own. */
  readonly preset?: string | undefined;
  /** The list of a JSON document that holds the rows. */
  readonly records?: string | undefined;
  /** The SELECT that gives the fields. */
  readonly sql?: string | undefined;
  /** Columns that hold no field. */
  readonly unused: readonly string[];
}

/** What is known of a file as its first rows are there. */
export type Shape = FileShape & Pick<PartInfo, 'isZoneless'> & Partial<Pick<PartInfo, 'addresses'>>;

/** How far an import is. */
export type ImportStep =
  /** Rows of all files that were read so far, before the first one is stored, and what part of all. Not said of rows that are read at once. */
  | { readonly kind: 'reading'; readonly rows: number; readonly fraction: number }
  /** Files of a folder that are not read. */
  | ({ readonly kind: 'unread' } & Unread)
  /** The first rows of a file are there; how it is read. */
  | ({ readonly kind: 'file'; readonly file: string } & FileShape)
  /** The file has times without a zone, which are read as UTC. Said of the first one. */
  | { readonly kind: 'zoneless'; readonly file: string }
  /** Rows of the file so far, and what part of it: 0 if nobody knows. */
  | { readonly kind: 'rows'; readonly file: string; readonly rows: number; readonly fraction: number }
  /** A file cannot be read on: what came before is stored, then the error is thrown. */
  | { readonly kind: 'stopped'; readonly file: string }
  /** No more rows of the file come. `first`: of a dry run, its first swaps as they would be stored. */
  | { readonly kind: 'end'; readonly file: string; readonly rows: number; readonly first?: readonly object[] }
  /** All files were read, and their swaps are stored in the order of time: in one step of an engine, or in batches. */
  | { readonly kind: 'folding'; readonly rows: number; readonly fraction: number };

/** Rejects and conflicts that a summary has. */
const KEPT = 100;

/** Reasons for which rows were passed over, beyond which they are counted together. */
const MOST_REASONS = 20;

/** Rows of a file that were read, and what became of them so far. */
export interface Batch {
  readonly rows: number;
  readonly rejects: readonly FileReject[];
  readonly passed?: ReadonlyMap<string, number>;
  readonly unindexed?: number;
  readonly counts?: Readonly<Record<string, number>>;
  readonly fraction: number;
}

/** What an import writes down, and says step by step. */
export class Books implements ImportSummary {
  readonly kind: ImportKind;
  files = 0;
  rows = 0;
  counts: Record<string, number> = {};
  rejected = 0;
  passed = 0;
  readonly reasons = new Map<string, number>();
  readonly passed_files: PassedFile[] = [];
  readonly rejects: FoundReject[] = [];
  readonly conflicts: FoundReject[] = [];
  readonly presets = new Set<string>();
  addresses: Config['address_format'] | undefined;
  same = 0;
  odd_hashes = 0;
  unindexed = 0;
  aggregates = 0;
  unordered = 0;
  prices: readonly PriceRow[] = [];
  warnings: PricesResult['warnings'] = [];
  readonly #steps = new EventEmitter();
  #hasEnded = false;
  readonly #rejectsPath: string | undefined;
  #rejectsFile: RejectsFile | undefined;
  #isZonelessSaid = false;
  /** The file at hand, its rows so far, and what its store refused since the last batch. */
  #file: string | undefined;
  #fileRows = 0;
  #refused: FoundReject[] = [];

  /** `rejects`: the path of a file that gets every row that is left out. */
  constructor(kind: ImportKind, rejects?: string) {
    this.kind = kind;
    this.#rejectsPath = rejects;
  }

  /** The steps from here on. */
  async *steps(): AsyncGenerator<ImportStep> {
    if (this.#hasEnded) return;
    for await (const [step] of on(this.#steps, 'step', { close: ['end'] })) yield step;
  }

  say(step: ImportStep): void {
    this.#steps.emit('step', step);
  }

  /** Begins the file of rejects, once it is known that the inputs can be read. */
  open(inputs: readonly Input[]): void {
    const path = this.#rejectsPath;
    refuseOverwriting(
      path,
      inputs.map(({ file }) => file),
    );
    if (path !== undefined) this.#rejectsFile = new RejectsFile(path);
  }

  close(): void {
    try {
      this.#rejectsFile?.close();
    } finally {
      this.#hasEnded = true;
      this.#steps.emit('end');
    }
  }

  /** Rows of a file are about to be stored. */
  begin(file: string, of: Shape): void {
    if (file !== this.#file) {
      this.endFile();
      this.#file = file;
      const { records, unused, sql, preset } = of;
      this.say({ kind: 'file', file, preset: preset === OWN ? undefined : preset, records, sql, unused });
    }
    if (of.isZoneless && !this.#isZonelessSaid) {
      this.#isZonelessSaid = true;
      this.say({ kind: 'zoneless', file });
    }
    this.addresses ??= of.addresses;
    if (of.preset !== undefined && of.preset !== OWN) this.presets.add(of.preset);
  }

  /** No more rows come of the file at hand, or of a file that has none. */
  endFile(file = this.#file, first?: readonly object[]): void {
    if (file === undefined) return;
    const end = { kind: 'end', file, rows: this.#fileRows } as const;
    this.#file = undefined;
    this.#fileRows = 0;
    this.say(first === undefined ? end : { ...end, first });
  }

  /** A row that the store refused. */
  refuse({ row, field, reason, from }: Reject): void {
    this.#refused.push({ file: this.#file ?? '', row, ...from, field, reason });
  }

  conflict({ row, reason, from }: Pick<Reject, 'row' | 'reason' | 'from'>): void {
    if (this.conflicts.length < KEPT) this.conflicts.push({ file: '', row, ...from, field: 'tx_hash', reason });
  }

  /** Adds rows of the file at hand. */
  add(file: string, { rows, rejects, passed, unindexed = 0, counts, fraction }: Batch): void {
    this.rows += rows;
    this.unindexed += unindexed;
    this.#fileRows += rows;
    for (const [reason, count] of passed ?? []) this.pass(reason, count);
    this.count(counts ?? {});
    const found = rejects.map((reject) => ({ file, ...reject }));
    this.#reject([...found, ...this.#refused.splice(0)].sort((a, b) => a.row - b.row));
    this.say({ kind: 'rows', file, rows: this.#fileRows, fraction });
  }

  /** Adds the rows of several files that were stored together, file by file. */
  addJoined(files: readonly (Batch & { readonly file: string; readonly shape: Shape })[]): void {
    const refused = new Map<string, FoundReject[]>();
    for (const reject of this.#refused.splice(0)) {
      const others = refused.get(reject.file);
      if (others === undefined) refused.set(reject.file, [reject]);
      else others.push(reject);
    }
    for (const { file, shape, ...batch } of files) {
      this.begin(file, shape);
      this.#refused = refused.get(file) ?? [];
      refused.delete(file);
      this.add(file, batch);
    }
    this.#refused = [...refused.values()].flat();
  }

  /** Adds the rows of all files at once. */
  addAll(all: {
    readonly rows: number;
    readonly rejects: readonly FoundReject[];
    readonly passed: ReadonlyMap<string, number>;
  }): void {
    this.rows += all.rows;
    for (const [reason, count] of all.passed) this.pass(reason, count);
    this.#reject(all.rejects);
  }

  /** Adds what was refused after its batch. */
  settle(): void {
    this.#reject(this.#refused.splice(0));
  }

  count(counts: Readonly<Record<string, number>>): void {
    for (const [name, count] of Object.entries(counts)) this.counts[name] = (this.counts[name] ?? 0) + count;
  }

  pass(reason: string, count: number): void {
    const key = this.reasons.has(reason) || this.reasons.size < MOST_REASONS ? reason : 'other reasons';
    this.reasons.set(key, (this.reasons.get(key) ?? 0) + count);
    this.passed += count;
  }

  #reject(found: readonly FoundReject[]): void {
    this.rejected += found.length;
    this.rejects.push(...found.slice(0, KEPT - this.rejects.length));
    this.#rejectsFile?.write(found);
  }
}
