import { profileWindows } from '../bag/windows.ts';
import type { LabelRule } from '../config.ts';
import { rankRows } from '../ingest/chain-keys.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import {
  type Batch,
  type ColumnData,
  type ColumnName,
  concatBatches,
  type Table,
  takeRows,
} from '../records/columns.ts';
import {
  dirtyTable,
  fixedTables,
  swapsTable,
  textsTable,
  tokenRegistryTable,
  transactionsTable,
  walletRegistryTable,
} from '../records/tables.ts';
import { type DamageReport, type Reader, WHOLE_FILE, type Writer } from '../storage/adapter.ts';
import { compare } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';

/** One value of the store that is not what its swaps say. */
export interface Difference {
  readonly table: string;
  /** The row's key, as `column=value`. */
  readonly row: string;
  readonly column: string;
  readonly stored: string | number | null;
  readonly expected: string | number | null;
}

/** What a verification found. */
export interface Verification {
  readonly swaps: number;
  /** Cells compared. */
  readonly cells: number;
  /** All differences there are. */
  readonly different: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
  /** Tables whose rows have no checksums to compare, because an older Swapfold made the store: a copy of it has them. */
  readonly unchecked: readonly string[];
  /** False where profiles wait for a refresh (something changed, or a refresh of the traded ones alone left them behind), so that the stored profiles could not be compared. */
  readonly comparedProfiles: boolean;
  /** Columns of profiles that were not compared: those of metrics whose function this process does not have, and labels that ask for them. */
  readonly notCompared: readonly string[];
}

/** What the swaps themselves are, beside what was derived from them. */
const givenTables = [textsTable, transactionsTable, swapsTable, tokenRegistryTable, walletRegistryTable] as const;
const derivedTables: readonly Table[] = [swapsTable, ...fixedTables.filter((table: Table) => table.rederived)];
const KEPT = 20;

/** Copies what was given to a store: everything else can be derived from it. */
export async function copyGiven(from: Reader, to: Writer): Promise<void> {
  for (const table of givenTables) {
    const columns = Object.keys(table.columns) as ColumnName<Table>[];
    await to.recreate(table as Table);
    for await (const batch of from.stream({ table: table as Table, columns })) await to.append(table as Table, batch);
  }
}

/** Compares a store with one that was derived anew from the same swaps. */
export async function compareStores(
  stored: Reader,
  expected: Reader,
  shapes: Readonly<Record<ProfileKind, ProfileShape>>,
  profilesAsOf: number,
  notCompared: readonly string[],
): Promise<Verification> {
  const comparison = new StoreComparison();
  await compareOrder(stored, comparison);
  for (const table of derivedTables) await compareTable(stored, expected, table, comparison);
  const comparedProfiles = !(await areBehind(stored, shapes, profilesAsOf));
  if (comparedProfiles)
    for (const { table } of [shapes.tokens, shapes.wallets])
      await compareTable(stored, expected, table, comparison, ['synced_at', 'folded_as_of', ...notCompared]);
  return {
    swaps: await stored.count(swapsTable),
    cells: comparison.cells,
    different: comparison.different,
    differences: comparison.differences,
    unchecked: [],
    comparedProfiles,
    notCompared,
  };
}

/** The columns of profiles that cannot be derived without the functions of metrics. */
export function columnsOfStoredOnly(
  metrics: readonly Metric[],
  rules: Readonly<Record<ProfileKind, readonly LabelRule[]>>,
): readonly string[] {
  const columns = (['tokens', 'wallets'] as const).flatMap((kind) =>
    metrics
      .filter((metric) => metric.isStoredOnly && metric.of.includes(kind))
      .flatMap((metric) => profileWindows[kind].map((window) => `metrics.${window}.${metricPath(metric)}`)),
  );
  const asked = JSON.stringify([rules.tokens, rules.wallets]);
  const isAsked = columns.some((column) => asked.includes(`"${column}"`));
  return [...columns, ...(isAsked ? ['labels', 'matched_labels'] : [])];
}

/** Whether what everything else is derived from is damaged: what follows from such rows says nothing. */
export function isGivenDamaged({ count, found }: DamageReport): boolean {
  const given = new Set(fixedTables.filter((table) => !table.derived).map(({ name }): string => name));
  return count > found.length || found.some(({ table }) => table === WHOLE_FILE || given.has(table));
}

/** The damage as differences. */
export function damageOf({ rows, count, found, unchecked }: DamageReport, swaps: number): Verification {
  const differences = found.map((damage) => ({ ...damage, column: 'checksum' }));
  return { swaps, cells: rows, different: count, differences, unchecked, comparedProfiles: false, notCompared: [] };
}

/** What was compared, with the damaged rows in which that found no difference. */
export function withDamage(compared: Verification, damage: Verification): Verification {
  const known = new Set(compared.differences.map(({ table, row }) => `${table} ${row}`));
  const more = damage.differences.filter(({ table, row }) => !known.has(`${table} ${row}`));
  return {
    ...compared,
    cells: compared.cells + damage.cells,
    different: compared.different + more.length,
    differences: [...compared.differences, ...more],
    unchecked: damage.unchecked,
  };
}

/** Whether a profile waits for a refresh: something changed, or a refresh of the traded ones alone left it to time. */
async function areBehind(
  reader: Reader,
  shapes: Readonly<Record<ProfileKind, ProfileShape>>,
  asOf: number,
): Promise<boolean> {
  if ((await reader.count(dirtyTable)) > 0) return true;
  for (const { table } of [shapes.tokens, shapes.wallets])
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
    if (this.differences.length < KEPT) this.differences.push(difference);
  }
}

/** Every `seq` is the place that chain order gives. */
async function compareOrder(reader: Reader, comparison: StoreComparison): Promise<void> {
  const swaps = await reader.read({
    table: swapsTable,
    columns: ['seq', 'tx', 'swap_index'],
    order: [{ column: 'seq', direction: 'asc' }],
  });
  const rows = await reader.read({
    table: transactionsTable,
    columns: ['tx', 'tx_hash', 'block_time', 'block_slot', 'tx_index'],
  });
  const rowOf = new Map(Array.from(rows.columns.tx, (tx, row) => [tx, row]));
  const at = Array.from(swaps.columns.tx, (tx) => rowOf.get(tx) ?? -1);
  const t = takeRows(rows, at).columns;
  const { order, seq } = rankRows({
    length: swaps.length,
    time: t.block_time,
    slot: t.block_slot,
    index: t.tx_index,
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
  const order = table.key.map((column) => ({ column, direction: 'asc' as const }));
  for await (const batch of reader.stream({ table, columns, order })) batches.push(batch as Batch);
  return concatBatches(table, columns, batches) as Batch;
}

function compareKeys(table: Table, a: Batch, i: number, b: Batch, j: number): number {
  for (const name of table.key) {
    const order = (a.columns[name]![i] as number) - (b.columns[name]![j] as number);
    if (order !== 0) return order;
  }
  return 0;
}
