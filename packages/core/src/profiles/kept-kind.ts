import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Batch } from '../records/columns.ts';
import { metaTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import { KeptRows } from './kept-rows.ts';
import { ProfileChanges } from './profile-changes.ts';
import type { ProfileShape } from './shape.ts';

/** Changed rows that wait for their commit; a transaction that changes more writes over the kept rows before it. */
const WAITING = 8192;

/** The name under which a store keeps the as-of time of its profiles. */
export const AS_OF = 'profiles_as_of';

/** Reads a snapshot of the state that is kept; fails where the store has another by now. */
export type ReadKept = (read: (reader: Reader) => Promise<void>) => Promise<void>;

/** Rows written without a turn of the event loop: of profiles, some milliseconds of work. */
const SLICE = 256;

/** What one transaction does to the table of a kind. It counts from `commit` on; `commit` or `fail` ends it. */
export interface KindWrite {
  /** Told after the engine. */
  write(batch: Batch): Promise<void>;
  remove(ids: Iterable<number>): void;
  /** The profiles are as of this time from here on. */
  setAsOf(asOf: number): void;
  /** Anything may have changed. */
  forget(): void;
  commit(): void;
  fail(): void;
}

/**
 * The stored profiles of a kind, kept in memory from the first `load` on.
 *
 * Never stale: whatever writes to the table tells it here, and a load reads one state of the store: what is committed while it runs is
 * written over what it has read. A write that began to change the table when nothing was kept keeps loads from starting until it ends.
 */
export class KeptKind {
  #rows: KeptRows | undefined;
  #isLoaded = false;
  #loading: Promise<void> = Promise.resolve();
  #isCutShort = false;
  /** Whether the rows have been found to take more than they may. */
  #isBeyond = false;
  /** Committed while the rows are being loaded. */
  #committed = new ProfileChanges();
  readonly #running = new Set<KindWrite>();
  readonly #untold = new Set<KindWrite>();
  /** The write that has written over the kept rows before its commit. */
  #ahead: KindWrite | undefined;
  /** Committed while somebody holds the rows, and when the rows will have it. */
  #behind: { readonly changes: ProfileChanges; readonly caughtUp: Promise<void> } | undefined;

  /** `fits` says whether so many bytes may be kept. */
  constructor(
    readonly shape: ProfileShape,
    readonly fits: (bytes: number) => boolean,
  ) {}

  get bytes(): number {
    return this.#rows?.bytes ?? 0;
  }

  /** The rows as of the last commit; `undefined` where they are not known. */
  get rows(): KeptRows | undefined {
    return this.#isLoaded && this.#ahead === undefined && this.#behind === undefined ? this.#rows : undefined;
  }

  /** When the rows are again those of the last commit; `undefined` where no search that holds them keeps them from it. */
  get caughtUp(): Promise<void> | undefined {
    return this.#behind?.caughtUp;
  }

  /** Whether what was written made the last load void before its end: so may it the next. */
  get isCutShort(): boolean {
    return this.#isCutShort;
  }

  /** Reads the rows, unless they are there or on their way, or too many. Throws nothing: the engine's failure is told to who asks it next. */
  load(readKept: ReadKept): Promise<void> {
    if (this.#rows === undefined && !this.#isBeyond && this.#untold.size === 0) {
      const rows = new KeptRows(this.shape);
      this.#rows = rows;
      this.#loading = readKept((reader) => this.#read(reader, rows)).catch(() => {
        if (this.#rows === rows) this.clear();
      });
    }
    return this.#loading;
  }

  begin(): KindWrite {
    const changes = new ProfileChanges();
    const isTold = (): boolean => {
      if (this.#rows === undefined && this.#running.has(write)) this.#untold.add(write);
      return this.#running.has(write) && !this.#untold.has(write);
    };
    const end = (): boolean => {
      const wasTold = isTold();
      this.#running.delete(write);
      this.#untold.delete(write);
      return wasTold;
    };
    const write: KindWrite = {
      write: async (batch) => {
        if (!isTold()) return;
        changes.write(batch);
        if (this.#ahead === undefined && changes.length + this.#committed.length <= WAITING) return;
        if (this.#isLoaded) await this.#goAhead(write, changes);
        else this.clear();
      },
      remove: (ids) => {
        if (isTold()) changes.remove(ids);
      },
      setAsOf: (asOf) => {
        if (isTold()) changes.asOf = asOf;
      },
      forget: () => this.clear(),
      commit: () => {
        if (end()) this.#commit(changes);
      },
      fail: () => {
        end();
        if (this.#ahead === write) this.clear();
      },
    };
    this.#running.add(write);
    return write;
  }

  clear(): void {
    this.#isCutShort ||= this.#rows !== undefined && !this.#isLoaded;
    this.#rows = undefined;
    this.#isLoaded = false;
    this.#isBeyond = false;
    this.#ahead = undefined;
    this.#behind = undefined;
    this.#committed = new ProfileChanges();
    for (const write of this.#running) this.#untold.add(write);
  }

  async #read(reader: Reader, rows: KeptRows): Promise<void> {
    const { table } = this.shape;
    const count = await reader.count(table);
    if (!this.#keepWithin(rows, rows.bytesOf(count))) return;
    rows.reserve(count);
    const { length, columns } = await reader.read({
      table: metaTable,
      columns: ['value'],
      where: isIn('name', [AS_OF]),
    });
    rows.asOf = length === 0 ? null : Number(columns.value[0]);
    const pause = yielder();
    for await (const batch of reader.stream({ table, columns: rows.names })) {
      for (let from = 0; from < batch.length; from += SLICE) {
        await pause.yieldIfDue();
        if (this.#rows !== rows) return;
        rows.write(batch as Batch, from, Math.min(from + SLICE, batch.length));
      }
      if (!this.#keepWithin(rows, rows.bytes)) return;
    }
    if (this.#rows !== rows) return;
    this.#committed.finish(rows);
    this.#committed = new ProfileChanges();
    this.#isLoaded = true;
    this.#isCutShort = false;
    this.#keepWithin(rows, rows.bytes);
  }

  #commit(changes: ProfileChanges): void {
    const rows = this.#rows!;
    this.#ahead = undefined;
    if (!this.#isLoaded) {
      this.#committed.append(changes);
      return;
    }
    if (this.#behind !== undefined) this.#behind.changes.append(changes);
    else if (rows.free !== undefined) this.#behind = { changes, caughtUp: rows.free.then(() => this.#catchUp(rows)) };
    else {
      changes.finish(rows);
      this.#keepWithin(rows, rows.bytes);
    }
  }

  #catchUp(rows: KeptRows): void {
    if (this.#rows !== rows || this.#behind === undefined) return;
    this.#behind.changes.finish(rows);
    this.#behind = undefined;
    this.#keepWithin(rows, rows.bytes);
  }

  async #goAhead(write: KindWrite, changes: ProfileChanges): Promise<void> {
    const rows = this.#rows!;
    this.#ahead = write;
    await (this.#behind?.caughtUp ?? rows.free);
    if (this.#rows !== rows || this.#ahead !== write) return;
    await changes.writeTo(rows, SLICE, async () => {
      await nextTurn();
      return this.#rows === rows && this.#ahead === write;
    });
  }

  /** Whether `rows` are still those to keep; those that take more than they may are dropped. */
  #keepWithin(rows: KeptRows, bytes: number): boolean {
    if (this.#rows !== rows) return false;
    if (this.fits(bytes)) return true;
    this.clear();
    this.#isBeyond = true;
    return false;
  }
}
