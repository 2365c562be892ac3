import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { type Batch, type ColumnType, defineTable, newBatch } from '@swapfold/core/engine';
import Database from 'better-sqlite3';
import { sqlite } from '../src/index.ts';

const WIDTH = 60;
const name = (column: number): string => `c${String(column).padStart(2, '0')}`;
const typeOf = (column: number): ColumnType => (column % 10 === 9 ? 'text' : column % 10 === 8 ? 'long' : 'double');

const wide = defineTable({
  name: 'wide',
  columns: Object.fromEntries([
    ['id', 'long' as ColumnType],
    ...Array.from({ length: WIDTH }, (_, column) => [name(column), typeOf(column)] as const),
  ]),
  key: ['id'],
  indexes: [],
  derived: false,
});
const columns = Object.keys(wide.columns);

type Value = number | string | null;

function batchOf(rows: readonly (readonly Value[])[]): Batch {
  const batch = newBatch(wide, rows.length) as unknown as Batch;
  for (const [row, values] of rows.entries())
    for (const [i, value] of values.entries()) {
      const column = batch.columns[columns[i]!]!;
      if (Array.isArray(column)) column[row] = value as string | null;
      else column[row] = value === null ? Number.NaN : (value as number);
    }
  return batch;
}

/** A row whose values are null, 0, -0 or another one as its shape says. */
function rowOf(id: number, shape: (column: number) => number): Value[] {
  const values = Array.from({ length: WIDTH }, (_, column): Value => {
    const kind = shape(column) % 4;
    if (kind === 0) return null;
    if (typeOf(column) === 'text') return kind === 1 ? '' : `text ${id}`;
    if (kind === 1) return 0;
    return kind === 2 && typeOf(column) === 'double' ? -0 : id + column / 2;
  }).map((value, column) => (typeOf(column) === 'long' && value !== null ? Math.floor(value as number) : value));
  return [id, ...values];
}

async function storedAs(batches: readonly (readonly (readonly Value[])[])[], inPlace: boolean): Promise<Value[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-shapes-'));
  const store = sqlite(join(folder, 'store.db'));
  try {
    await store.open({ tables: [wide] });
    for (const rows of batches)
      await store.write((writer) =>
        inPlace ? writer.replace(wide, batchOf(rows)) : writer.append(wide, batchOf(rows)),
      );
    const order = [{ column: 'id', direction: 'asc' }] as const;
    const read = await store.snapshot((reader) => reader.read({ table: wide, columns, order }));
    return Array.from({ length: read.length }, (_, row) =>
      columns.map((column) => {
        const value = (read.columns as Record<string, ArrayLike<Value>>)[column]![row]!;
        return Number.isNaN(value) ? null : value;
      }),
    );
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
}

const shapes: readonly ((column: number) => number)[] = [
  () => 0,
  () => 1,
  () => 2,
  () => 3,
  (column) => column,
  (column) => column >> 2,
  (column) => (column < 30 ? 3 : column % 2),
];

test('rows of shapes that are seen again and again come back to the bit, with the sign of -0', async () => {
  const rows = Array.from({ length: 300 }, (_, id) => rowOf(id, shapes[id % shapes.length]!));
  assert.deepEqual(await storedAs([rows], false), rows);
});

test('so do rows of more shapes than have statements, in several batches', async () => {
  const shapeOf = (id: number) => (column: number) => (id >> (column % 10)) + column;
  const rows = Array.from({ length: 7000 }, (_, id) => rowOf(id, shapeOf(id % 1000)));
  assert.deepEqual(await storedAs([rows.slice(0, 3000), rows.slice(3000)], false), rows);
});

test('a row in the place of another one of any shape replaces all of it', async () => {
  const of = (turn: number) => Array.from({ length: 200 }, (_, id) => rowOf(id, shapes[(id + turn) % shapes.length]!));
  assert.deepEqual(await storedAs([of(0), of(1), of(3)], true), of(3));
});

test('no zero takes the eight bytes of a double, whether or not its shape has a statement', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swapfold-shapes-'));
  const store = sqlite(join(folder, 'store.db'));
  try {
    await store.open({ tables: [wide] });
    // The first rows of a shape have no statement of it.
    const rows = Array.from({ length: 20 }, (_, id) => rowOf(id, () => 1));
    await store.write((writer) => writer.append(wide, batchOf(rows)));
  } finally {
    await store.close();
  }
  const file = new Database(join(folder, 'store.db'), { readonly: true });
  const zeros = file.prepare(`select typeof(${name(0)}) "type", count(*) "rows" from wide group by 1`).all();
  file.close();
  await rm(folder, { recursive: true });
  assert.deepEqual(zeros, [{ type: 'integer', rows: 20 }]);
});
