import { rankRows } from '../../ingest/chain-keys.ts';
import type { ProfileShape } from '../../profiles/shape.ts';
import { type Batch, type ColumnData, concatBatches, type Table, takeRows } from '../../records/columns.ts';
import { momentOfStored } from '../../records/moment.ts';
import type { ProfileKind } from '../../records/profile-fields.ts';
import { dirtyTable, fixedTables, swapsTable, transactionsTable, transfersTable } from '../../records/tables.ts';
import { ascending, type Reader } from '../../storage/adapter.ts';
import { compare } from '../../storage/predicate.ts';
import { transactionColumns } from '../../storage/reads.ts';
import { yielder } from '../../yielder.ts';

/** One value of the store that is not what its swaps say. */
export interface Difference {
  readonly table: string;
  /** The row's key, as `column=value`. */
  readonly row: string;
  readonly column: string;
  readonly stored: string | number | null;
  readonly expected: string | number | null;
}

/** What a comparison of two stores found. */
export interface Comparison {
  readonly swaps: number;
  readonly cells: number;
  readonly different: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
  readonly compared_profiles: boolean;
}

export interface CompareOptions {
  readonly shapes: Readonly<Record<ProfileKind, ProfileShape>>;
  /** `undefined` where profiles of that instant cannot be folded again, since what they need is forgotten. */
  readonly profilesAsOf: number | undefined;
  /** Columns of profiles. */
  readonly not_compared: readonly string[];
}

const derivedTables: readonly Table[] = [swapsTable, ...fixedTables.filter((table: Table) => table.rederived)];
const MOST_DIFFERENCES = 20;

/** Compares a store with one that was derived anew from the same swaps. */
export async function compareStores(
  stored: Reader,
  expected: Reader,
  { shapes, profilesAsOf, not_compared }: CompareOptions,
): Promise<Comparison> {
  const comparison = new StoreComparison();
  await compareOrder(stored, comparison);
  await comparePlaces(stored, comparison);
  for (const table of derivedTables) await compareTable(stored, expected, table, comparison);
  const compared_profiles = profilesAsOf !== undefined && !(await areBehind(stored, shapes, profilesAsOf));
  if (compared_profiles)
    for (const { table } of Object.values(shapes))
      await compareTable(stored, expected, table, comparison, ['synced_at', 'folded_as_of', ...not_compared]);
  const { cells, different, differences } = comparison;
  return { swaps: await stored.count(swapsTable), cells, different, differences, compared_profiles };
}

/** Whether a profile waits for a refresh: something changed, or a refresh of the traded ones alone left it to time. */
async function areBehind(
  reader: Reader,
  shapes: Readonly<Record<ProfileKind, ProfileShape>>,
  asOf: number,
): Promise<boolean> {
  if ((await reader.count(dirtyTable)) > 0) return true;
  for (const { table } of Object.values(shapes))
    if ((await reader.count(table, compare('fresh_until', 'lt', asOf))) > 0) return true;
  return false;
}

class StoreComparison {
  cells = 0;
  different = 0;
  readonly differences: Difference[] = [];

  compare(difference: Difference): void {
    this.cells++;
    if (Object.is(difference.stored, difference.expected)) return;
    this.different++;
    if (this.differences.length < MOST_DIFFERENCES) this.differences.push(difference);
  }
}

/** Every `seq` is the place that chain order gives. */
async function compareOrder(reader: Reader, comparison: StoreComparison): Promise<void> {
  const swaps = await reader.read({
    table: swapsTable,
    columns: ['seq', 'tx', 'swap_index'],
    order: ascending('seq'),
  });
  const rows = await reader.read({
    table: transactionsTable,
    columns: transactionColumns,
  });
  const rowOf = new Map(Array.from(rows.columns.tx, (tx, row) => [tx, row]));
  const at = Array.from(swaps.columns.tx, (tx) => rowOf.get(tx) ?? -1);
  const t = takeRows(rows, at).columns;
  const { order, seq } = rankRows({
    length: swaps.length,
    time: t.block_time,
    slot: t.block_slot,
    index: t.tx_index,
    moment: t.moment.map(momentOfStored),
    filePlace: t.file_place.map((place) => place || 0),
    txHash: t.tx_hash as string[],
    swapIndex: swaps.columns.swap_index,
  });
  const pause = yielder();
  for (let i = 0; i < swaps.length; i++) {
    if (pause.isDue()) await pause.take();
    const row = order[i]!;
    comparison.compare({
      table: 'swaps',
      row: `tx_hash=${t.tx_hash[row]}, swap_index=${swaps.columns.swap_index[row]}`,
      column: 'seq',
      stored: swaps.columns.seq[row]!,
      expected: seq[i]!,
    });
  }
}

/** Every transfer stands where the swaps of its transaction do; without any, where the other transfers of it do. */
async function comparePlaces(reader: Reader, comparison: StoreComparison): Promise<void> {
  const columns = ['block_time', 'block_slot', 'tx_index'] as const;
  const table = transfersTable;
  const transfers = await reader.read({ table, columns: [...columns, 'tx_hash', 'transfer_index'] });
  if (transfers.length === 0) return;
  const swaps = await reader.read({ table: transactionsTable, columns: [...columns, 'tx_hash'] });
  const placeOf = new Map<string, readonly number[]>();
  for (const { columns: c, length } of [transfers, swaps])
    for (let row = 0; row < length; row++)
      placeOf.set(
        c.tx_hash[row]!,
        columns.map((name) => c[name][row]!),
      );
  const pause = yielder();
  const { columns: c } = transfers;
  for (let row = 0; row < transfers.length; row++) {
    if (pause.isDue()) await pause.take();
    for (const [i, column] of columns.entries())
      comparison.compare({
        table: table.name,
        row: `tx_hash=${c.tx_hash[row]}, transfer_index=${c.transfer_index[row]}`,
        column,
        stored: c[column][row]!,
        expected: placeOf.get(c.tx_hash[row]!)![i]!,
      });
  }
}

async function compareTable(
  stored: Reader,
  expected: Reader,
  table: Table,
  comparison: StoreComparison,
  without: readonly string[] = [],
): Promise<void> {
  const columns = Object.keys(table.columns).filter((column) => !without.includes(column));
  const [a, b] = [await inKeyOrder(stored, table, columns), await inKeyOrder(expected, table, columns)];
  const length = Math.max(a.length, b.length);
  let i = 0;
  let j = 0;
  const pause = yielder();
  for (let step = 0; step < length * 2 && (i < a.length || j < b.length); step++) {
    if (pause.isDue()) await pause.take();
    const order = i >= a.length ? 1 : j >= b.length ? -1 : compareKeys(table, a, i, b, j);
    const source = order <= 0 ? a : b;
    const at = order <= 0 ? i : j;
    const row = table.key.map((name) => `${name}=${source.columns[name]?.[at]}`).join(', ');
    if (order !== 0)
      comparison.compare({
        table: table.name,
        row,
        column: 'row',
        stored: order < 0 ? 'is there' : 'is missing',
        expected: order < 0 ? 'is missing' : 'is there',
      });
    else
      for (const column of columns)
        comparison.compare({
          table: table.name,
          row,
          column,
          stored: cell(a, column, i),
          expected: cell(b, column, j),
        });
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
}

function cell(batch: Batch, column: string, row: number): string | number | null {
  const value = (batch.columns[column] as ColumnData)[row]!;
  return typeof value === 'number' ? value + 0 : value;
}

async function inKeyOrder(reader: Reader, table: Table, columns: readonly string[]): Promise<Batch> {
  const batches: Batch[] = [];
  for await (const batch of reader.stream({ table, columns, order: ascending(...table.key) }))
    batches.push(batch as Batch);
  return concatBatches(table, columns, batches) as Batch;
}

function compareKeys(table: Table, a: Batch, i: number, b: Batch, j: number): number {
  for (const name of table.key) {
    const order = (a.columns[name]![i] as number) - (b.columns[name]![j] as number);
    if (order !== 0) return order;
  }
  return 0;
}
