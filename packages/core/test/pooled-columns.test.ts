import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../testing/src/conformance/random.ts';
import { PooledColumn } from '../src/memory/column.ts';
import {
  adoptRows,
  type ColumnTable,
  emptyTable,
  maxOf,
  pageOf,
  removeRows,
  scanRows,
} from '../src/memory/column-table.ts';
import { compactFully } from '../src/memory/compaction.ts';
import { poolingColumns } from '../src/memory/pooled-columns.ts';
import { type ColumnData, defineTable } from '../src/records/columns.ts';
import { and, compare, everything, isIn, not, or, type Predicate } from '../src/storage/predicate.ts';
import { finish } from '../src/work.ts';

const plainTable = defineTable({
  name: 'windows',
  columns: { id: 'id', long: 'double', short: 'double', shorter: 'double', name: 'text' },
  key: ['id'],
  indexes: [],
  derived: true,
});
const table = { ...plainTable, alike: [['short', 'shorter']] };
const ROWS = 3000;

/** Rows of which two thirds have nothing in the short window: 0 and unknown. */
function rows(next: () => number): Record<string, ColumnData> {
  const empty = Uint8Array.from({ length: ROWS }, () => (next() < 0.66 ? 1 : 0));
  const some = (share: number): number => (next() < share ? Number.NaN : Math.round(next() * 20) - 5);
  return {
    id: Int32Array.from({ length: ROWS }, (_, row) => row * 3),
    long: Float64Array.from({ length: ROWS }, () => some(0.1)),
    short: Float64Array.from(empty, (isEmpty) => (isEmpty ? 0 : some(0))),
    shorter: Float64Array.from(empty, (isEmpty) => (isEmpty ? Number.NaN : some(0.3))),
    name: Array.from(empty, (_, row) => `w${row % 7}`),
  };
}

test('pooled columns answer as plain ones', () => {
  const next = createRandom(7);
  const columns = rows(next);
  const adopted = (of: typeof plainTable): ColumnTable => {
    const copied = Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.slice()]));
    return adoptRows(emptyTable(of), { length: ROWS, columns: copied as never });
  };
  const versions = (of: ColumnTable): ColumnTable[] => {
    const fewer = finish(
      removeRows(
        of,
        isIn(
          'id',
          Int32Array.from({ length: 500 }, (_, i) => i * 15),
        ),
      ),
    );
    return [of, fewer, finish(compactFully(fewer))];
  };
  const plain = versions(adopted(plainTable));
  const pooled = versions(finish(compactFully(adopted(table))));
  for (const { segments } of pooled) {
    const kinds = ['long', 'short', 'shorter'].map((name) => segments[0]!.columns.get(name) instanceof PooledColumn);
    assert.deepEqual(kinds, [false, true, true]);
  }
  const leaf = (): Predicate => {
    const column = ['long', 'short', 'shorter'][Math.floor(next() * 3)]!;
    const value = Math.round(next() * 20) - 5;
    const kind = Math.floor(next() * 4);
    if (kind === 0) return { kind: 'missing', column };
    if (kind === 1) return isIn(column, Float64Array.of(0, value, value + 1));
    return compare(column, (['eq', 'lt', 'lte', 'gt', 'gte'] as const)[Math.floor(next() * 5)]!, value);
  };
  const conditions = [everything, ...Array.from({ length: 200 }, () => and(leaf(), or(leaf(), not(leaf()))))];
  const names = ['id', 'long', 'short', 'shorter', 'name'] as const;
  for (const where of conditions) {
    const order = [
      { column: ['short', 'shorter', 'long'][Math.floor(next() * 3)]!, direction: next() < 0.5 ? 'asc' : 'desc' },
      { column: 'id', direction: 'asc' },
    ] as const;
    const after = next() < 0.5 ? undefined : [Math.round(next() * 10), 900];
    for (const [version, of] of plain.entries()) {
      const other = pooled[version]!;
      const page = (table: ColumnTable) => {
        const { count, rows, hasMore } = finish(pageOf(table, { columns: names, where, order, after, limit: 10 }));
        return { count, rows, hasMore };
      };
      assert.deepEqual(page(other), page(of));
      const scanned = (table: ColumnTable) => finish(scanRows(table, { table: plainTable, columns: names, where }));
      assert.deepEqual(scanned(other), scanned(of));
      assert.equal(finish(maxOf(other, 'shorter', where)), finish(maxOf(of, 'shorter', where)));
    }
  }
});

test('pooling keeps numbers to the bit, and leaves columns alone in which few rows are alike', () => {
  const nothing = Float64Array.from({ length: 1000 }, (_, row) => (row % 10 === 0 ? row : 0));
  // The common row is 0, and -0 is another number.
  nothing[15] = -0;
  const [pooled] = finish(poolingColumns([nothing], 1000)) as [PooledColumn];
  assert.equal(pooled.values.length, 1 + 99 + 1);
  for (let row = 0; row < 1000; row++) assert.ok(Object.is(pooled.values[pooled.places[row]!], nothing[row]));
  const various = Float64Array.from({ length: 1000 }, (_, row) => row);
  assert.equal(finish(poolingColumns([various], 1000))[0], various);
  const few = nothing.slice(0, 100);
  assert.equal(finish(poolingColumns([few], 100))[0], few);
});
