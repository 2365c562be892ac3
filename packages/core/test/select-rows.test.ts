import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newSegment, type Segment } from '../src/memory/segment.ts';
import { Selection } from '../src/memory/select-rows.ts';
import { compilePredicate } from '../src/storage/evaluate.ts';
import { and, compare, not, or, type Predicate } from '../src/storage/predicate.ts';
import { finish, type Work } from '../src/work.ts';

const numbers = ['a', 'b', 'c', 'd', 'e'];
const columns = {
  id: 'id',
  wallet_address: 'text',
  ...Object.fromEntries(numbers.map((name) => [name, 'double' as const])),
} as const;

const edges = [
  Number.NaN,
  0,
  -0,
  1,
  -1,
  Number.MIN_VALUE,
  -Number.MIN_VALUE,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2 ** 53,
  2 ** 53 + 2,
];

const leaf: fc.Arbitrary<Predicate> = fc
  .record({
    column: fc.constantFrom(...numbers),
    op: fc.constantFrom('eq', 'lt', 'lte', 'gt', 'gte'),
    value: fc.constantFrom(...edges.slice(1)),
  })
  .map(({ column, op, value }) => compare(column, op, value));

const { tree } = fc.letrec<{ tree: Predicate }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { maxLength: 6 }).map((parts): Predicate => ({ kind: 'and', of: parts })),
    fc.array(tie('tree'), { maxLength: 3 }).map((parts): Predicate => ({ kind: 'or', of: parts })),
    tie('tree').map(not),
  ),
}));

type NumberRow = readonly number[];

const someRows = fc.array(fc.tuple(...numbers.map(() => fc.constantFrom(...edges))), { minLength: 1, maxLength: 40 });

function selected(segment: Segment, predicate: Predicate): Work<Int32Array> {
  return new Selection(predicate).rows(segment, segment.live);
}

function assertSelects(predicate: Predicate, rows: readonly NumberRow[]): void {
  const batch = {
    length: rows.length,
    columns: {
      id: Int32Array.from(rows, (_, row) => row),
      wallet_address: rows.map((_, row) => `w${row}`),
      ...Object.fromEntries(numbers.map((name, c) => [name, Float64Array.from(rows, (row) => row[c]!)])),
    },
  };
  const segment = newSegment(batch.columns, Object.keys(columns), batch.length);
  const holds = compilePredicate(predicate, batch);
  const expected = rows.flatMap((_, row) => (holds(row) ? [row] : []));
  assert.deepEqual([...finish(selected(segment, predicate))], expected);
  // The rows are as they were: a second search finds the same.
  assert.deepEqual([...finish(selected(segment, predicate))], expected);
  assert.deepEqual([...segment.live], [...rows.keys()]);
}

test('the rows that are selected are those that the predicate holds for, one by one', () => {
  fc.assert(fc.property(tree, someRows, assertSelects), { numRuns: 2000 });
});

test('the same of so many rows that a sample decides which condition goes first', () => {
  const conditions = fc.array(leaf, { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(conditions, someRows, fc.integer({ min: 512, max: 700 }), (parts, rows, length) => {
      const many = Array.from({ length }, (_, i) => rows[(i * i) % rows.length]!);
      assertSelects({ kind: 'and', of: parts }, many);
    }),
    { numRuns: 300 },
  );
});

test('a list that no condition made new is not written over', () => {
  const values = Float64Array.of(1, 2, 3, 4);
  const texts = ['w0', 'w1', 'w2', 'w3'];
  const others = Object.fromEntries(numbers.map((name) => [name, values]));
  const batch = { length: 4, columns: { id: Int32Array.of(0, 1, 2, 3), wallet_address: texts, ...others } };
  const segment = newSegment(batch.columns, Object.keys(columns), batch.length);
  const nothing: Predicate = { kind: 'and', of: [] };
  const predicate = or(and(nothing, compare('a', 'gt', 2)), compare('b', 'lt', 2));
  assert.deepEqual([...finish(selected(segment, { kind: 'and', of: [nothing, predicate] }))], [0, 2, 3]);
  assert.deepEqual([...segment.live], [0, 1, 2, 3]);
});
