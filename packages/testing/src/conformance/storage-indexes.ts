import assert from 'node:assert/strict';
import { and, between, compare, isIn, not, or, type Predicate, type Reader, type Writer } from '@swapfold/core/engine';
import { createRandom } from './random.ts';
import { type Sample, type StorageSuite, samplesBatch, samplesTable, withStore } from './storage-test.ts';

const CODES = 6;
const LIMITS = [1, 4, 60, undefined] as const;

/** What the store is held to: its rows as an array. */
class Model {
  rows: Sample[] = [];

  of(code: number, before: number): Sample[] {
    return this.rows.filter((row) => row[1] === code && row[0] < before).sort((a, b) => a[0] - b[0]);
  }
}

export function testIndexes(suite: StorageSuite): void {
  suite.test('pages, counts, greatest and latest rows by an index are those of the rows, whatever was removed', () =>
    withStore(suite, async (store) => {
      const random = createRandom(11);
      const every = suite.every ?? 1;
      const model = new Model();
      let next = 0;
      const below = (n: number): number => Math.floor(random() * n);
      const append = async (writer: Writer, count: number): Promise<void> => {
        const rows = Array.from({ length: count }, (): Sample => {
          const whole = below(4) === 0 ? null : below(3);
          return [(next++ * 7919) % 100_003, below(CODES), whole, below(100) / 4, `t${below(5)}`, null];
        });
        await writer.append(samplesTable, samplesBatch(rows));
        model.rows.push(...rows);
      };
      const remove = async (writer: Writer, where: Predicate, isGone: (row: Sample) => boolean): Promise<void> => {
        await writer.remove(samplesTable, where);
        model.rows = model.rows.filter((row) => !isGone(row));
      };
      const steps: ((writer: Writer) => Promise<void>)[] = [
        (writer) => append(writer, 120),
        (writer) => remove(writer, compare('text', 'eq', 't1'), ([, , , , text]) => text === 't1'),
        (writer) => append(writer, 1),
        (writer) => remove(writer, between('number', 100, 40_000), ([number]) => number >= 100 && number <= 40_000),
        async (writer) => {
          await append(writer, 80);
          await remove(writer, isIn('code', [1, 4]), ([, code]) => code === 1 || code === 4);
          await append(writer, 30);
        },
        (writer) =>
          remove(
            writer,
            and(compare('code', 'eq', 2), not(compare('amount', 'lt', 10))),
            ([, code, , amount]) => code === 2 && amount! >= 10,
          ),
        (writer) => remove(writer, { kind: 'missing', column: 'whole' }, ([, , whole]) => whole === null),
        (writer) =>
          remove(
            writer,
            or(compare('whole', 'eq', 0), compare('text', 'eq', 't3')),
            ([, , whole, , text]) => whole === 0 || text === 't3',
          ),
        (writer) => writer.reindex(samplesTable),
        async (writer) => {
          await append(writer, 10);
          await writer.reindex(samplesTable);
          await append(writer, 10);
        },
        async (writer) => {
          await writer.recreate(samplesTable);
          model.rows = [];
          await append(writer, 50);
        },
      ];
      for (const [i, step] of steps.entries()) {
        await store.write(async (writer) => {
          await step(writer);
          await compareAll(writer, model, { when: `in step ${i}`, turn: i, every });
        });
        await store.snapshot((reader) => compareAll(reader, model, { when: `after step ${i}`, turn: i + 1, every }));
      }
    }),
  );
}

interface Compared {
  readonly when: string;
  /** Tells which questions are asked: with the next one, others. */
  readonly turn: number;
  readonly every: number;
}

/** Asks for half of the pages, and of the ranges every so many. */
async function compareAll(reader: Reader, model: Model, { when, turn, every }: Compared): Promise<void> {
  let ranges = turn;
  for (let code = -1; code < CODES; code++) {
    for (const before of [50_000, 200_000]) {
      if (ranges++ % every !== 0) continue;
      const where = and(compare('code', 'eq', code), compare('number', 'lt', before));
      const rows = model.of(code, before);
      const numbers = rows.map(([number]) => number);
      const what = `code ${code} below ${before} ${when}`;
      assert.equal(await reader.count(samplesTable, where), rows.length, what);
      assert.equal(await reader.max(samplesTable, 'number', where), numbers.at(-1) ?? null, what);
      for (const direction of ['asc', 'desc'] as const) {
        const expected = direction === 'asc' ? rows : [...rows].reverse();
        for (const [at, limit] of LIMITS.entries()) {
          if ((at + turn) % 2 === 1) continue;
          const order = [{ column: 'number', direction }];
          const columns = ['number', 'text', 'amount'] as const;
          const page = await reader.read({ table: samplesTable, columns, where, order, limit });
          const found = Array.from(page.columns.number, (number, i) => [
            number,
            page.columns.text[i],
            page.columns.amount[i],
          ]);
          const wanted = expected.slice(0, limit).map(([number, , , amount, text]) => [number, text, amount]);
          assert.deepEqual(found, wanted, `${direction} ${limit} of ${what}`);
          const held = await reader.read({ table: samplesTable, columns: ['number', 'amount'], where, order, limit });
          const pairs = Array.from(held.columns.number, (number, i) => [number, held.columns.amount[i]]);
          assert.deepEqual(
            pairs,
            expected.slice(0, limit).map(([number, , , amount]) => [number, amount]),
            `${direction} ${limit} of what the index holds of ${what}`,
          );
        }
      }
    }
  }
  if (reader.leading !== undefined) await compareLeading(reader, model, when);
  const several = [1, 3, 4];
  const found = await reader.read({
    table: samplesTable,
    columns: ['number', 'amount'],
    where: and(isIn('code', several), compare('amount', 'gte', 5), compare('number', 'lt', 90_000)),
    order: [{ column: 'number', direction: 'asc' }],
  });
  const expected = several
    .flatMap((code) => model.of(code, 90_000))
    .filter(([, , , amount]) => amount! >= 5)
    .map(([number, , , amount]) => [number, amount])
    .sort((a, b) => a[0]! - b[0]!);
  const held = Array.from(found.columns.number, (number, i) => [number, found.columns.amount[i]]);
  assert.deepEqual(held, expected, `of several codes ${when}`);
  await compareLatest(reader, model, when);
}

/** Of the amounts and of the whole numbers, of which many are equal and some are missing. */
async function compareLeading(reader: Reader, model: Model, when: string): Promise<void> {
  for (const [column, place] of [
    ['amount', 3],
    ['whole', 2],
  ] as const)
    for (const direction of ['asc', 'desc'] as const)
      for (const limit of [1, 3, 30]) {
        const rows = model.of(2, 90_000);
        const where = and(compare('code', 'eq', 2), compare('number', 'lt', 90_000));
        const found = (await reader.leading!({ table: samplesTable, where, by: { column, direction }, limit }))!;
        const sign = direction === 'asc' ? 1 : -1;
        const values = rows.flatMap((row) => row[place] ?? []).sort((a, b) => (a - b) * sign);
        const last = values[limit - 1];
        const first = rows.filter((row) => row[place] !== null && (row[place]! - last!) * sign <= 0);
        const keys = last === undefined ? undefined : first.map(([number]) => number).sort((a, b) => a - b);
        const what = `the first ${limit} by ${column}, ${direction}, ${when}`;
        assert.equal(found.count, rows.length, what);
        assert.deepEqual(found.keys && [...found.keys].sort((a, b) => a - b), keys, what);
      }
}

async function compareLatest(reader: Reader, model: Model, when: string): Promise<void> {
  const latest = await reader.latest({
    table: samplesTable,
    columns: ['code', 'number'],
    key: 'code',
    keys: Int32Array.from({ length: CODES }, (_, code) => code),
    by: 'number',
    until: 90_000,
  });
  const found = Array.from(latest.columns.code, (code, i) => [code, latest.columns.number[i]!] as const);
  const expected = Array.from({ length: CODES }, (_, code) => [code, model.of(code, 90_001).at(-1)?.[0]] as const);
  const sorted = found.sort((a, b) => a[0] - b[0]);
  assert.deepEqual(
    sorted,
    expected.filter(([, number]) => number !== undefined),
    `latest ${when}`,
  );
}
