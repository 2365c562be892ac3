import {
  type Batch,
  type ColumnName,
  defineTable,
  newBatch,
  type Predicate,
  type Reader,
  type StorageAdapter,
  type Table,
} from '@swapfold/core/engine';

/** What a suite runs with: node:test's `test`, or any function of a title and a body. */
export interface StorageSuite {
  readonly test: (title: string, body: () => Promise<void>) => unknown;
  readonly open: () => Promise<StoreUnderTest>;
  /** Of the many questions that differ only in their numbers, every so many is asked; 1 unless given. */
  readonly every?: number | undefined;
  /** Rows of the tests of many rows, a multiple of 10,000; 200,000 unless given. */
  readonly rows?: number | undefined;
}

/** A store that the conformance suite opens and closes. */
export interface StoreUnderTest {
  /** A fresh store, not opened yet. */
  readonly adapter: StorageAdapter;
  /** Another adapter of the same store, after the first was closed; `undefined` where a store ends with its adapter. */
  readonly reopen: (() => Promise<StorageAdapter>) | undefined;
  /** Removes the store. The suite has closed its adapters. */
  readonly dispose: () => Promise<void>;
}

/** One column of each type, with nulls; `number` is the row's name in the tests. */
export const samplesTable = defineTable({
  name: 'samples',
  columns: { number: 'long', code: 'id', whole: 'long', amount: 'double', text: 'text', labels: 'text' },
  key: ['number'],
  indexes: [
    ['code', 'number'],
    ['whole', 'number'],
  ],
  included: { code: ['amount'] },
  derived: false,
});

/** A key of two columns and an index of two others. */
export const eventsTable = defineTable({
  name: 'events',
  columns: { seq: 'long', wallet: 'id', token: 'id', price: 'double', note: 'text' },
  key: ['seq', 'wallet'],
  indexes: [['token', 'seq']],
  derived: true,
});

export const suiteSchema = { tables: [samplesTable, eventsTable] } as const;

export type Sample = readonly [
  number: number,
  code: number,
  whole: number | null,
  amount: number | null,
  text: string | null,
  labels: string | null,
];

/** Opens a fresh store for `body`, and closes and removes it after. */
export async function withStore(suite: StorageSuite, body: (store: StorageAdapter) => Promise<void>): Promise<void> {
  const { adapter, dispose } = await suite.open();
  try {
    await adapter.open(suiteSchema);
    await body(adapter);
  } finally {
    await adapter.close();
    await dispose();
  }
}

export function samplesBatch(rows: readonly Sample[]): Batch<typeof samplesTable> {
  const batch = newBatch(samplesTable, rows.length);
  rows.forEach(([number, code, whole, amount, text, labels], i) => {
    batch.columns.number[i] = number;
    batch.columns.code[i] = code;
    batch.columns.whole[i] = whole ?? Number.NaN;
    batch.columns.amount[i] = amount ?? Number.NaN;
    batch.columns.text[i] = text;
    batch.columns.labels[i] = labels;
  });
  return batch;
}

/** The numbers of the samples that hold, ascending. */
export async function numbersOf(reader: Reader, where?: Predicate): Promise<number[]> {
  const { columns } = await reader.read({ table: samplesTable, columns: ['number'], where });
  return [...columns.number].sort((a, b) => a - b);
}

/** Rows as arrays, for comparing in a test. */
export function rowsOf<T extends Table, C extends ColumnName<T>>(
  batch: Batch<T, C>,
  columns: readonly C[],
): (number | string | null)[][] {
  return Array.from({ length: batch.length }, (_, row) =>
    columns.map((column) => (batch.columns[column] as ArrayLike<number | string | null>)[row]!),
  );
}
