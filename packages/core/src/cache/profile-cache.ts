import {
  adoptRows,
  appendRows,
  type ColumnTable,
  emptyTable,
  indexRows,
  removeRows,
  tableBytes,
} from '../memory/column-table.ts';
import { compact, compactFully } from '../memory/compaction.ts';
import { columnOf, SEGMENT_ROWS } from '../memory/segment.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import { resumeColumns } from '../profiles/shape.ts';
import type { Batch, Table } from '../records/columns.ts';
import type { Reader } from '../storage/adapter.ts';
import { readProfilesAsOf, readProfilesNativePrice } from '../storage/meta.ts';
import { isIn, type Predicate } from '../storage/predicate.ts';
import { finish, type Work } from '../work.ts';
import { yielder } from '../yielder.ts';

/** The stored profiles of a kind as of one commit. Never changes. */
export interface CachedProfiles {
  readonly rows: ColumnTable;
  /** As-of time of the rows; `null` where no refresh has run. */
  readonly asOf: number | null;
  /** USD per native token then, `NaN` if that was unknown. */
  readonly nativeUsd: number;
}

/** Reads a snapshot of the committed state; fails if the store has another one by now. */
export type ReadState = (read: (reader: Reader) => Promise<void>) => Promise<void>;

/** Lets a write that runs go before the rest of a load, of which the last step took so many milliseconds. */
export type GiveWay = (took: number) => Promise<void>;

/** Rows that a write records for a load that runs when it begins; if there are more, the load is void. */
const MOST_RECORDED = 32_768;

/** One thing that a write does to the table of a kind. */
type Change =
  | { readonly kind: 'append'; readonly rows: ColumnTable }
  | { readonly kind: 'remove'; readonly where: Predicate }
  | { readonly kind: 'set-as-of'; readonly asOf: number; readonly nativeUsd: number };

interface Load {
  readonly done: Promise<void>;
  /** Committed since it began. */
  readonly changes: Change[];
}

/** What one transaction does to the profiles of a kind. Nobody sees it before `commit`. */
export interface ProfileWrite {
  append(batch: Batch): Promise<void>;
  remove(where: Predicate): Promise<void>;
  setAsOf(asOf: number, nativeUsd: number): Promise<void>;
  /** Anything may have changed. */
  forget(): void;
  /** Compacts the version that `commit` shows. */
  settle(): Promise<void>;
  commit(): void;
  fail(): void;
}

/**
 * The stored profiles of a kind in this process's memory, from the first `load` on: one immutable table. A write makes the next version
 * beside it, and `commit` puts that in its place.
 *
 * A load reads one state of the store and then does what was committed meanwhile, in that order. Doing again what the state had already
 * changes nothing: what a row became last is what it is.
 */
export class ProfileCache {
  readonly #table: Table;
  readonly #fits: (bytes: number) => boolean;
  readonly #giveWay: GiveWay;
  #current: CachedProfiles | undefined;
  #load: Load | undefined;
  #isTooLarge = false;
  #wasCutShort = false;
  /** The write that makes the next version after the current one was dropped for its memory. */
  #sole: object | undefined;
  /** How often the profiles were dropped. */
  #epoch = 0;

  /** `fits` says whether so many bytes may be cached. */
  constructor({ table }: ProfileShape, fits: (bytes: number) => boolean, giveWay: GiveWay) {
    const columns = Object.fromEntries(Object.entries(table.columns).filter(([name]) => !(name in resumeColumns)));
    this.#table = { ...table, columns, indexes: table.indexes.filter(([name]) => name !== 'fresh_until') };
    this.#fits = fits;
    this.#giveWay = giveWay;
  }

  /** The profiles as of the last commit; `undefined` if they are not cached. */
  get current(): CachedProfiles | undefined {
    return this.#current;
  }

  get bytes(): number {
    return this.#current === undefined ? 0 : tableBytes([this.#current.rows]);
  }

  /** Ends with the load that runs; `undefined` if none does. */
  get loading(): Promise<void> | undefined {
    return this.#load?.done;
  }

  /** Whether a write made the last load void before its end: so may it the next. */
  get wasCutShort(): boolean {
    return this.#wasCutShort;
  }

  /** Reads the profiles, unless they are cached, on their way, or too many. Throws nothing: errors surface on the next query. */
  load(readState: ReadState): Promise<void> {
    if (this.#current !== undefined || this.#isTooLarge || this.#sole !== undefined) return Promise.resolve();
    if (this.#load === undefined) {
      const changes: Change[] = [];
      const isRunning = (): boolean => this.#load?.changes === changes;
      const done = readState((reader) => this.#read(reader, changes, isRunning)).catch(() => {
        if (isRunning()) this.#load = undefined;
      });
      this.#load = { done, changes };
    }
    return this.#load.done;
  }

  clear(): void {
    this.#epoch++;
    this.#current = undefined;
    this.#isTooLarge = false;
    this.#sole = undefined;
    this.#endLoad();
  }

  begin(): ProfileWrite {
    const epoch = this.#epoch;
    const name = {};
    let hasBegun = false;
    /** The version that the write makes, if the profiles were cached at its first change. */
    let next: CachedProfiles | undefined;
    /** What the write does, if they were being loaded then. */
    let recorded: Change[] | undefined;
    let rows = 0;

    const add = async (make: () => Change): Promise<void> => {
      if (!hasBegun) {
        if (this.#epoch === epoch) next = this.#current;
        if (next === undefined && this.#load !== undefined) recorded = [];
      }
      hasBegun = true;
      if (next !== undefined) {
        const change = make();
        next = await yielder().run(apply(next, change));
        if (change.kind === 'append') next = await this.#within(next, name, epoch);
      } else if (recorded !== undefined) {
        const change = make();
        recorded.push(change);
        if (change.kind === 'append') rows += change.rows.segments.reduce((sum, { length }) => sum + length, 0);
        if (rows > MOST_RECORDED) recorded = undefined;
      }
    };
    const end = (): void => {
      if (this.#sole === name) this.#sole = undefined;
    };
    return {
      append: (batch) => add(() => ({ kind: 'append', rows: appendRows(emptyTable(this.#table), batch) })),
      remove: (where) => add(() => ({ kind: 'remove', where })),
      setAsOf: (asOf, nativeUsd) => add(() => ({ kind: 'set-as-of', asOf, nativeUsd })),
      forget: () => {
        hasBegun = true;
        next = undefined;
        recorded = undefined;
        this.clear();
      },
      settle: async () => {
        if (next !== undefined) next = { ...next, rows: await yielder().run(indexed(compact(next.rows))) };
      },
      commit: () => {
        end();
        if (!hasBegun) return;
        if (next !== undefined && this.#epoch === epoch) this.#current = next;
        else if (recorded === undefined) this.#drop();
        else if (this.#current !== undefined) this.#current = finish(replay(this.#current, recorded));
        else this.#load?.changes.push(...recorded);
      },
      fail: () => {
        // What was too large was the version that nobody will see.
        if (this.#sole === name) this.#isTooLarge = false;
        end();
      },
    };
  }

  /** The version, if it may be cached beside the current one, or else without it. */
  async #within(next: CachedProfiles, name: object, epoch: number): Promise<CachedProfiles | undefined> {
    if (this.#epoch !== epoch) return undefined;
    const current = this.#current === undefined ? [] : [this.#current.rows];
    if (this.#fits(tableBytes([next.rows, ...current]))) return next;
    this.#sole = name;
    this.#current = undefined;
    const rows = await yielder().run(indexed(compact(next.rows)));
    if (this.#fits(tableBytes([rows]))) return { ...next, rows };
    this.#isTooLarge = true;
    return undefined;
  }

  async #read(reader: Reader, changes: readonly Change[], isRunning: () => boolean): Promise<void> {
    const turns = yielder();
    const columns = Object.keys(this.#table.columns);
    const count = await reader.count(this.#table);
    let loaded: CachedProfiles = {
      rows: emptyTable(this.#table),
      asOf: await readProfilesAsOf(reader),
      nativeUsd: await readProfilesNativePrice(reader),
    };
    const fits = (bytes: number): boolean => {
      if (this.#fits(bytes)) return true;
      if (isRunning()) this.#load = undefined;
      this.#isTooLarge = true;
      return false;
    };
    let read = 0;
    /** Rows read since the last compaction. */
    let apart = 0;
    let begun = performance.now();
    for await (const batch of reader.stream({ table: this.#table, columns })) {
      await turns.yieldIfDue();
      if (!isRunning()) return;
      loaded = { ...loaded, rows: adoptRows(loaded.rows, batch as Batch) };
      read += batch.length;
      apart += batch.length;
      if (apart >= SEGMENT_ROWS) {
        apart = 0;
        loaded = { ...loaded, rows: await turns.run(compactFully(loaded.rows)) };
        if (!fits((tableBytes([loaded.rows]) * count) / read)) return;
      }
      await this.#giveWay(performance.now() - begun);
      begun = performance.now();
    }
    let done = 0;
    // More may be committed while these are done.
    while (isRunning() && done < changes.length) loaded = await turns.run(replay(loaded, [changes[done++]!]));
    loaded = { ...loaded, rows: await turns.run(indexed(compactFully(loaded.rows))) };
    if (!isRunning()) return;
    if (done < changes.length) loaded = finish(replay(loaded, changes.slice(done)));
    this.#load = undefined;
    this.#wasCutShort = false;
    if (fits(tableBytes([loaded.rows]))) this.#current = loaded;
  }

  #drop(): void {
    this.#current = undefined;
    this.#endLoad();
  }

  #endLoad(): void {
    this.#wasCutShort ||= this.#load !== undefined;
    this.#load = undefined;
  }
}

function* apply(profiles: CachedProfiles, change: Change): Work<CachedProfiles> {
  switch (change.kind) {
    case 'append':
      return {
        ...profiles,
        rows: { ...profiles.rows, segments: [...profiles.rows.segments, ...change.rows.segments] },
      };
    case 'remove':
      return { ...profiles, rows: yield* removeRows(profiles.rows, change.where) };
    case 'set-as-of':
      return { ...profiles, asOf: change.asOf, nativeUsd: change.nativeUsd };
  }
}

/** Does changes that the rows may have already. */
function* replay(profiles: CachedProfiles, changes: readonly Change[]): Work<CachedProfiles> {
  let replayed = profiles;
  for (const change of changes) {
    if (change.kind === 'append')
      for (const segment of change.rows.segments)
        replayed = yield* apply(replayed, { kind: 'remove', where: isIn('id', columnOf(segment, 'id') as Int32Array) });
    replayed = yield* apply(replayed, change);
  }
  return replayed;
}

/** Rows as they are searched for long: what finds a row by its id or address is made. */
function* indexed(compacted: Work<ColumnTable>): Work<ColumnTable> {
  const rows = yield* compacted;
  yield* indexRows(rows);
  return rows;
}
