import assert from 'node:assert/strict';
import { compare, compilePredicate, isIn, not, type Order, type Predicate } from '@swapfold/core/engine';
import { createRandom, pick } from './random.ts';
import { numbersOf, type Sample, type StorageSuite, samplesBatch, samplesTable, withStore } from './storage-test.ts';

const SEED = 20_260_101;

const codes = [-1, 0, 1, 2, 3];
const wholes = [null, -2, 0, 1, 2, 2 ** 40];
const amounts = [null, -1.5, -0, 0, 1e-300, 0.1, 2, 1e300];
const texts = [null, '', 'a', 'ab', 'B', 'é', '\uff5e', '\u{1f600}', "o'b", '%'];
const labels = [null, '|', '|a|', '|a|b|', '|ab|'];

type Random = () => number;

export function testRandomPredicates(suite: StorageSuite): void {
  const every = suite.every ?? 1;
  suite.test(`${400 / every} random predicates and orders answer as compilePredicate does (seed ${SEED})`, () =>
    withStore(suite, async (store) => {
      const random = createRandom(SEED);
      const rows = randomSamples(random, 700);
      const batch = samplesBatch(rows);
      await store.write(async (writer) => {
        await writer.append(samplesTable, samplesBatch(rows.slice(0, 500)));
        await writer.append(samplesTable, samplesBatch(rows.slice(500)));
      });
      await store.snapshot(async (reader) => {
        for (let i = 0; i < 400; i++) {
          const where = randomPredicate(random, 3);
          const order = randomOrder(random);
          const limit = pick(random, [undefined, 1, 7, 1000]);
          if (i % every !== 0) continue;
          const holds = compilePredicate(where, batch);
          const expected = rows.flatMap(([number], row) => (holds(row) ? [number] : []));
          const said = `predicate ${i}: ${JSON.stringify(where)}`;
          assert.deepEqual(await numbersOf(reader, where), expected, said);

          const read = await reader.read({ table: samplesTable, columns: ['number'], where, order, limit });
          const sorted = inOrder(expected, rows, order).slice(0, limit);
          assert.deepEqual([...read.columns.number], sorted, `${said} order ${JSON.stringify(order)} limit ${limit}`);
        }
      });
    }),
  );
}

function randomSamples(random: Random, count: number): Sample[] {
  return Array.from({ length: count }, (_, number) => [
    number,
    pick(random, codes),
    pick(random, wholes),
    pick(random, amounts),
    pick(random, texts),
    pick(random, labels),
  ]);
}

function randomPredicate(random: Random, depth: number): Predicate {
  const kind = depth === 0 ? 'leaf' : pick(random, ['leaf', 'leaf', 'and', 'or', 'not']);
  if (kind === 'leaf') return randomLeaf(random);
  if (kind === 'not') return not(randomPredicate(random, depth - 1));
  const of = Array.from({ length: Math.floor(random() * 4) }, () => randomPredicate(random, depth - 1));
  return { kind: kind as 'and' | 'or', of };
}

function randomLeaf(random: Random): Predicate {
  const op = pick(random, ['eq', 'lt', 'lte', 'gt', 'gte'] as const);
  const list = <V>(values: readonly (V | null)[]): V[] =>
    values.filter((value): value is V => value !== null && random() < 0.4);
  const leaves: readonly (() => Predicate)[] = [
    () => compare('number', op, Math.floor(random() * 700)),
    () => compare('code', op, pick(random, [...codes, 1.5, 4])),
    () => compare('whole', op, pick(random, wholes) ?? 0.5),
    () => compare('amount', op, pick(random, amounts) ?? 7),
    () => compare('text', op, pick(random, texts) ?? 'b'),
    () => isIn('code', Int32Array.from(list(codes))),
    () => isIn('whole', Float64Array.from(list(wholes))),
    () => isIn('amount', list(amounts)),
    () => isIn('text', list(texts)),
    () => ({ kind: 'missing', column: pick(random, ['code', 'whole', 'amount', 'text', 'labels']) }),
    () => ({ kind: 'contains', column: 'text', text: pick(random, texts) ?? 'b' }),
    () => ({ kind: 'startsWith', column: 'text', text: pick(random, texts) ?? 'a' }),
    () => ({ kind: 'has', column: 'labels', label: pick(random, ['a', 'b', 'ab', 'c']) }),
  ];
  return pick(random, leaves)();
}

/** Ends in the key, so that there is one right answer. */
function randomOrder(random: Random): Order[] {
  const direction = (): 'asc' | 'desc' => pick(random, ['asc', 'desc'] as const);
  const columns = ['code', 'whole', 'amount', 'text'].filter(() => random() < 0.4);
  return [...columns, 'number'].map((column) => ({ column, direction: direction() }));
}

/** An ordering of its own: by the bytes of the text, as every engine stores it. */
function inOrder(numbers: readonly number[], rows: readonly Sample[], order: readonly Order[]): number[] {
  const place = { number: 0, code: 1, whole: 2, amount: 3, text: 4 } as Record<string, number>;
  return [...numbers].sort((a, b) => {
    for (const { column, direction } of order) {
      const x = rows[a]![place[column]!]!;
      const y = rows[b]![place[column]!]!;
      if (x === null && y === null) continue;
      if (x === null || y === null) return x === null ? 1 : -1;
      const way = typeof x === 'string' ? Buffer.compare(Buffer.from(x), Buffer.from(y as string)) : x - (y as number);
      if (way !== 0) return direction === 'asc' ? way : -way;
    }
    return 0;
  });
}
