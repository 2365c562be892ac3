import { AsyncResource } from 'node:async_hooks';
import type { Batch, Table } from '../records/columns.ts';
import { metaTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import type { Predicate } from '../storage/predicate.ts';
import type { ProfileKind } from './fields.ts';
import { AS_OF, KeptKind, type KindWrite, type ReadKept } from './kept-kind.ts';
import type { KeptRows } from './kept-rows.ts';
import type { ProfileShape } from './shape.ts';

/** A transaction as the kept profiles see it. What is written through `writer` counts from `commit` on; `commit` or `fail` ends it. */
export interface WatchedWrite {
  readonly writer: Writer;
  commit(): void;
  fail(): void;
}

/** The stored profiles in this process's memory, each kind from when it is first asked for, as far as `bytes` reach. */
export class KeptProfiles {
  readonly #kinds: Readonly<Record<ProfileKind, KeptKind>>;
  readonly #load: (kind: ProfileKind) => Promise<void>;
  /** Ends with the write that began last. */
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(readKept: ReadKept, shapes: Readonly<Record<ProfileKind, ProfileShape>>, bytes: number) {
    const kinds: Readonly<Record<ProfileKind, KeptKind>> = {
      tokens: new KeptKind(shapes.tokens, (own) => own + kinds.wallets.bytes <= bytes),
      wallets: new KeptKind(shapes.wallets, (own) => own + kinds.tokens.bytes <= bytes),
    };
    this.#kinds = kinds;
    // Outside of the snapshot that it is asked for in, which ends before the profiles are loaded.
    this.#load = AsyncResource.bind(async (kind: ProfileKind) => {
      if (bytes > 0) await kinds[kind].load(readKept);
    });
  }

  /** The profiles as of the last commit. `undefined` where they are not kept; then they are loaded, if they fit. */
  rows(kind: ProfileKind): KeptRows | undefined {
    const { rows } = this.#kinds[kind];
    if (rows === undefined) void this.#load(kind);
    return rows;
  }

  /** When the profiles are again those of the last commit; `undefined` where no search that takes several turns keeps them from it. */
  caughtUp(kind: ProfileKind): Promise<void> | undefined {
    return this.#kinds[kind].caughtUp;
  }

  /** Loads a kind, unless it is kept, or does not fit. */
  load(kind: ProfileKind): Promise<void> {
    return this.#load(kind);
  }

  /** Whether the last load of a kind was made void by a write before its end. */
  isCutShort(kind: ProfileKind): boolean {
    return this.#kinds[kind].isCutShort;
  }

  /** Watches a transaction that begins. */
  watch(writer: Writer): WatchedWrite {
    const { tokens, wallets } = this.#kinds;
    const writes = { [tokens.shape.table.name]: tokens.begin(), [wallets.shape.table.name]: wallets.begin() };
    const previous = this.#lastWrite;
    let end: () => void = () => undefined;
    this.#lastWrite = new Promise((resolve) => {
      end = resolve;
    });
    return {
      writer: {
        ...writer,
        async append<T extends Table>(table: T, batch: Batch<T>): Promise<void> {
          await writer.append(table, batch);
          // The write before has ended, but whoever made it may not have said yet how.
          await previous;
          await writes[table.name]?.write(batch as unknown as Batch);
          if (table.name === metaTable.name)
            tellAsOf(batch as unknown as Batch<typeof metaTable>, Object.values(writes));
        },
        async remove(table: Table, where: Predicate): Promise<void> {
          await writer.remove(table, where);
          await previous;
          if (where.kind === 'in' && where.column === 'id')
            writes[table.name]?.remove(where.values as Iterable<number>);
          else writes[table.name]?.forget();
        },
        async recreate(table: Table): Promise<void> {
          await writer.recreate(table);
          await previous;
          writes[table.name]?.forget();
        },
      },
      commit() {
        for (const write of Object.values(writes)) write.commit();
        end();
      },
      fail() {
        for (const write of Object.values(writes)) write.fail();
        end();
      },
    };
  }

  /** Keeps nothing. */
  clear(): void {
    this.#kinds.tokens.clear();
    this.#kinds.wallets.clear();
  }
}

function tellAsOf({ columns }: Batch<typeof metaTable>, writes: readonly KindWrite[]): void {
  const row = columns.name.indexOf(AS_OF);
  if (row >= 0) for (const write of writes) write.setAsOf(Number(columns.value[row]));
}
