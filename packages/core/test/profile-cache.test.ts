import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isWhole } from '../../../test/support/whole.ts';
import type { CachedProfiles } from '../src/cache/profile-cache.ts';
import { ProfileCaches } from '../src/cache/profile-caches.ts';
import { newChanges } from '../src/ingest/changes.ts';
import { prefixKey } from '../src/memory/column.ts';
import {
  appendRows,
  type ColumnTable,
  emptyTable,
  removeRows,
  scanRows,
  tableBytes,
} from '../src/memory/column-table.ts';
import { compact } from '../src/memory/compaction.ts';
import { firstRows, type OrderTuple, tupleOf } from '../src/memory/first-rows.ts';
import { memory } from '../src/memory/memory.ts';
import { newSegment, SEGMENT_ROWS, type Segment } from '../src/memory/segment.ts';
import type { ProfileShape } from '../src/profiles/shape.ts';
import { compareText } from '../src/records/chain-order.ts';
import { type Batch, takeRows } from '../src/records/columns.ts';
import { metaTable } from '../src/records/tables.ts';
import { compareTuples } from '../src/search/relevance.ts';
import type { SortColumn } from '../src/search/sort.ts';
import type { StorageAdapter, Writer } from '../src/storage/adapter.ts';
import { compare, everything, isIn } from '../src/storage/predicate.ts';
import { finish } from '../src/work.ts';
import { fieldsOf, type Profile, profileRows, replaceRows, tableOf } from './search-fixtures.ts';

const ROWS = 20_000;

/** Numbers that repeat from run to run (a linear congruence). */
function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}

const random = randomly(7);
const pick = <T>(...of: readonly T[]): T => of[Math.floor(random() * of.length)]!;

/** Wallets with numbers that are spread, repeat, climb with the row, are mostly missing. */
const wallets = Array.from(
  { length: ROWS },
  (_, row): Profile => ({
    wallet_address: `${pick('A', 'B', 'é', '😀', 'Same beginning ')}${Math.floor(random() * 1e9)}-${row}`,
    'metrics.30d.pnl': random() < 0.2 ? null : random() * 200 - 100,
    'metrics.7d.pnl': pick(0, 0, 0, -0, 1, null),
    'metrics.1d.pnl': row,
    'metrics.1d.volume': random() < 0.999 ? null : row,
    'metadata.name': random() < 0.5 ? null : pick('a', 'b', '\uffff', '😀'),
  }),
);
const rows = profileRows('wallets', wallets);
const address: SortColumn = { column: 'wallet_address', direction: 'asc', type: 'text' };

test('the first rows in an order, and those after any row, are those of all rows sorted', () => {
  const segmentWith = (from: number, to: number): Segment => {
    const some = takeRows(
      rows,
      Array.from({ length: to - from }, (_, i) => from + i),
    );
    return newSegment(some.columns, Object.keys(tableOf.wallets.columns), to - from);
  };
  const paths = ['metrics.30d.pnl', 'metrics.7d.pnl', 'metrics.1d.pnl', 'metrics.1d.volume', 'metadata.name'];
  const keys = paths.flatMap((column) =>
    (['asc', 'desc'] as const).map((direction): SortColumn => ({ column, direction, type: 'double' })),
  );
  const sorts = [...keys.map((key) => [key, address]), [keys[2]!, keys[9]!, keys[1]!, address], [address]];
  // As the cache has them, and with a first segment of few rows.
  for (const ends of [
    [SEGMENT_ROWS, ROWS],
    [30, 9000, ROWS],
  ]) {
    const segments = ends.map((end, i) => segmentWith(ends[i - 1] ?? 0, end));
    const places = segments.flatMap((segment) => Array.from(segment.live, (row) => ({ segment, row })));
    const found = segments.map((segment) => ({ segment, rows: segment.live }));
    for (const sort of sorts) {
      const tuples = new Map(places.map((place) => [place, tupleOf(place, sort)]));
      const sorted = [...places].sort((a, b) => compareTuples(sort, tuples.get(a)!, tuples.get(b)!));
      const after = (at: number): OrderTuple | undefined => (at === 0 ? undefined : tuples.get(sorted[at - 1]!)!);
      for (const at of [0, 1, 20, 4999, 12_000, ROWS - 5, ROWS])
        assert.deepEqual(
          finish(firstRows(found, sort, after(at), 21)).map((place) => tupleOf(place, sort)),
          sorted.slice(at, at + 21).map((place) => tuples.get(place)),
          `${JSON.stringify(sort)} from ${at}`,
        );
    }
  }
});

test('beginnings of texts order them as the texts do, where they differ', () => {
  const letters = [
    '',
    '\u0001',
    ' ',
    'a',
    'b',
    'z',
    '\u007e',
    '\u007f',
    '\u0080',
    'é',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '😀',
  ];
  const texts = Array.from({ length: 600 }, () => Array.from({ length: 9 }, () => pick(...letters)).join(''));
  let differing = 0;
  for (const a of texts)
    for (const b of texts) {
      const difference = prefixKey(a) - prefixKey(b);
      if (difference === 0) continue;
      differing++;
      assert.equal(Math.sign(difference), Math.sign(compareText(a, b)), JSON.stringify([a, b]));
    }
  assert.ok(differing > 100_000, `${differing}`);
});

test('a table that is changed again and again stays small, and its last rows are those written last', () => {
  const write = (table: ColumnTable, batch: Batch): ColumnTable => finish(compact(replaceRows(table, batch)));
  const one = (name: string | null): Batch =>
    profileRows('wallets', [
      { wallet_address: 'W', 'metadata.name': name },
      { wallet_address: 'V', 'metadata.name': 'v' },
    ]);
  let table = emptyTable(tableOf.wallets);
  for (let i = 0; i < 3000; i++) table = write(table, one(`name ${i}`));
  assert.equal(table.segments.length, 1);
  assert.ok(tableBytes([table]) < 100_000, `${tableBytes([table])} bytes`);
  const read = (columns: string[]) => finish(scanRows(table, { table: table.table, columns })).columns;
  assert.deepEqual(read(['metadata.name', 'folded.metadata.name']), {
    'metadata.name': ['name 2999', 'v'],
    'folded.metadata.name': ['name 2999', 'v'],
  });
  table = write(table, one(null));
  assert.deepEqual(read(['metadata.name']), { 'metadata.name': [null, 'v'] });
});

test('a compaction leaves every row as it was, and an earlier version as it was', () => {
  const before = finish(compact(appendRows(emptyTable(tableOf.wallets), rows)));
  const ids = Array.from({ length: ROWS }, (_, id) => id).filter((id) => id % 3 === 0);
  const removed = finish(removeRows(before, isIn('id', ids)));
  const after = finish(compact(removed));
  const all = (table: ColumnTable): unknown =>
    finish(scanRows(table, { table: table.table, columns: Object.keys(table.table.columns) }));
  assert.deepEqual(all(after), all(removed));
  assert.deepEqual(all(before), rows);
  assert.ok(after.segments.every(({ gone }) => gone === undefined));
});

test('a sixth segment of about the same size makes them one, and a table that grows has few', () => {
  const one = takeRows(rows, [0]);
  let table = emptyTable(tableOf.wallets);
  const counts: number[] = [];
  for (let i = 0; i < 600; i++) {
    table = finish(compact(appendRows(table, one)));
    counts.push(table.segments.length);
  }
  assert.deepEqual(counts.slice(0, 8), [1, 2, 3, 4, 5, 1, 2, 3]);
  // 600 rows are five segments at most of each of 1, 6, 36 and 216 rows.
  assert.ok(Math.max(...counts) <= 20, `${Math.max(...counts)} segments`);
  assert.equal(
    table.segments.reduce((sum, { length }) => sum + length, 0),
    600,
  );
});

test('of a segment of which more than a quarter of the rows went, the others are copied, unless it is a small part of the table', () => {
  const twoSegments = (first: number, second: number): ColumnTable => {
    const some = takeRows(
      rows,
      Array.from({ length: first + second }, (_, row) => row),
    );
    const columns = Object.keys(tableOf.wallets.columns);
    const segmentOf = (from: number, to: number): Segment =>
      newSegment(
        takeRows(
          some,
          Array.from({ length: to - from }, (_, i) => from + i),
        ).columns,
        columns,
        to - from,
      );
    return { table: tableOf.wallets, segments: [segmentOf(0, first), segmentOf(first, first + second)] };
  };
  const ids = rows.columns.id as Int32Array;
  const lengths = (table: ColumnTable, gone: Int32Array): number[] =>
    finish(compact(finish(removeRows(table, isIn('id', gone))))).segments.map(({ length }) => length);
  assert.deepEqual(lengths(twoSegments(1000, 400), ids.slice(0, 250)), [1000, 400]);
  assert.deepEqual(lengths(twoSegments(1000, 400), ids.slice(0, 251)), [749, 400]);
  assert.deepEqual(lengths(twoSegments(1000, 400), ids.slice(1000, 1101)), [1000, 299]);
  assert.deepEqual(lengths(twoSegments(1000, 40), ids.slice(1000, 1039)), [1000, 40]);
});

/** Shapes with the few metrics of the fixtures; profiles are cached by their tables. */
const shapes = {
  tokens: { kind: 'tokens', table: tableOf.tokens, fields: fieldsOf.tokens },
  wallets: { kind: 'wallets', table: tableOf.wallets, fields: fieldsOf.wallets },
} as unknown as Record<'tokens' | 'wallets', ProfileShape>;

interface Opened {
  readonly storage: StorageAdapter;
  readonly profiles: ProfileCaches;
  /** A write as the store makes them: the cache learns of its end after it. */
  readonly write: (change: (writer: Writer) => Promise<void>) => Promise<void>;
}

/** A store whose snapshots take several turns of the event loop to stream a table. */
function slowly(storage: StorageAdapter): StorageAdapter {
  return {
    ...storage,
    snapshot: (read) =>
      storage.snapshot((reader) =>
        read({
          ...reader,
          async *stream(scan) {
            for await (const batch of reader.stream(scan)) {
              for (let from = 0; from < batch.length; from += 4000) {
                await nextTurn();
                const length = Math.min(4000, batch.length - from);
                yield takeRows(
                  batch,
                  Array.from({ length }, (_, i) => from + i),
                );
              }
            }
          },
        }),
      ),
  };
}

async function openCached(megabytes = 1000): Promise<Opened> {
  const storage = memory();
  await storage.open({ tables: [tableOf.tokens, tableOf.wallets, metaTable] });
  const profiles = new ProfileCaches((read) => slowly(storage).snapshot(read), shapes, megabytes * 1e6);
  const write: Opened['write'] = async (change) => {
    const changes = newChanges();
    try {
      await storage.write(async (writer) => {
        await change(profiles.begin(changes, writer));
        await profiles.settle(changes);
      });
      // The next write may have begun by now.
      await nextTurn();
      profiles.commit(changes);
    } catch (error) {
      profiles.fail(changes);
      throw error;
    }
  };
  return { storage, profiles, write };
}

/** Rows [from, to) with a pnl of their own. */
function rowsWith(pnl: number, from: number, to: number): Batch {
  const batch = takeRows(
    rows,
    Array.from({ length: to - from }, (_, i) => from + i),
  ) as Batch;
  (batch.columns['metrics.30d.pnl'] as Float64Array).fill(pnl);
  return batch;
}

async function replace(writer: Writer, batch: Batch): Promise<void> {
  await writer.remove(tableOf.wallets, isIn('id', batch.columns.id as Int32Array));
  await writer.append(tableOf.wallets, batch);
}

/** All that a version holds, by id. */
function contents({ rows: { table }, rows }: CachedProfiles): Batch {
  const order = [{ column: 'id', direction: 'asc' }] as const;
  return finish(scanRows(rows, { table, columns: Object.keys(table.columns), order })) as Batch;
}

/** Every value that is cached, by id, compared with the store's. */
async function compareWithStore({ storage, profiles }: Opened): Promise<void> {
  const cached = profiles.current('wallets');
  assert.ok(cached !== undefined, 'nothing is cached');
  const { table } = cached.rows;
  const order = [{ column: 'id', direction: 'asc' }] as const;
  const columns = Object.keys(table.columns);
  const stored = await storage.snapshot((reader) => reader.read({ table: tableOf.wallets, columns, order }));
  const found = contents(cached);
  assert.deepEqual(found, stored);
  for (const row of [0, found.length - 1]) {
    if (row < 0) continue;
    const where = compare('wallet_address', 'eq', found.columns.wallet_address![row] as string);
    const one: Batch = finish(scanRows(cached.rows, { table, columns: ['id'], where }));
    assert.deepEqual([...one.columns.id!], [found.columns.id![row]]);
  }
}

test('what a write changes is out of sight until its commit, and there then', async () => {
  const opened = await openCached();
  const { profiles, write } = opened;
  await write((writer) => writer.append(tableOf.wallets, rows));
  await profiles.load('wallets');
  await compareWithStore(opened);
  for (const count of [1, 300, 8192, 8193, 15_000]) {
    const before = profiles.current('wallets')!;
    const seen = contents(before);
    await write(async (writer) => {
      await writer.remove(tableOf.wallets, isIn('id', [count, ROWS - 1]));
      for (let from = 0; from < count; from += 5000)
        await replace(writer, rowsWith(count, from, Math.min(count, from + 5000)));
      assert.equal(profiles.current('wallets'), before);
    });
    await compareWithStore(opened);
    // Whoever began with the version before still has it.
    assert.deepEqual(contents(before), seen);
  }
});

test('a write whose versions do not fit beside each other gives up the earlier one, and shows its own at the commit', async () => {
  const size = tableBytes([appendRows(emptyTable(tableOf.wallets), rows)]);
  const opened = await openCached((1.5 * size) / 1e6);
  const { profiles, write } = opened;
  await write((writer) => writer.append(tableOf.wallets, rows));
  await profiles.load('wallets');
  await compareWithStore(opened);
  for (const end of ['commit', 'fail', 'commit']) {
    const writing = write(async (writer) => {
      await replace(writer, rowsWith(3, 0, ROWS));
      assert.equal(profiles.current('wallets'), undefined);
      await profiles.load('wallets');
      assert.equal(profiles.current('wallets'), undefined, 'loaded beside the write');
      if (end === 'fail') throw new Error('undone');
    });
    if (end === 'fail') {
      await assert.rejects(writing, /undone/);
      await profiles.load('wallets');
    } else await writing;
    await compareWithStore(opened);
  }
});

test('profiles that are cleared are read anew, beside a search that goes on with what it had', async () => {
  const opened = await openCached();
  const { profiles, write } = opened;
  await write((writer) => writer.append(tableOf.wallets, rows));
  await profiles.load('wallets');
  const held = profiles.current('wallets')!;
  const before = contents(held);
  await write(async (writer) => {
    await replace(writer, rowsWith(1, 0, 10));
    profiles.drop();
    await replace(writer, rowsWith(1, 10, 20));
  });
  await profiles.load('wallets');
  await compareWithStore(opened);
  assert.notEqual(profiles.current('wallets'), held);
  assert.deepEqual(contents(held), before);
});

test('changes that are undone leave nothing behind', async () => {
  for (const count of [10, 15_000]) {
    const opened = await openCached();
    const { profiles, write } = opened;
    await write((writer) => writer.append(tableOf.wallets, rows));
    await profiles.load('wallets');
    const failing = write(async (writer) => {
      await replace(writer, rowsWith(5, 0, count));
      throw new Error('undone');
    });
    await assert.rejects(failing, /undone/);
    await profiles.load('wallets');
    await compareWithStore(opened);
  }
});

test('writes that follow each other at once count in their order', async () => {
  const opened = await openCached();
  const { profiles, write } = opened;
  await write((writer) => writer.append(tableOf.wallets, rows));
  await profiles.load('wallets');
  await Promise.all(
    [10, 12_000, 20, 9000, 5].map((count) => write((writer) => replace(writer, rowsWith(count, 0, count)))),
  );
  await compareWithStore(opened);
});

test('a load sees what is committed while it runs, whenever the write began', async () => {
  for (const [turns, count] of (isWhole ? [0, 1, 2, 3, 5, 8] : [0, 1, 5]).flatMap((wait) =>
    (isWhole ? [50, 5000, 15_000] : [50, 5000]).map((rows) => [wait, rows] as const),
  )) {
    for (const delay of [0, 1, 4]) {
      const opened = await openCached();
      const { profiles, write } = opened;
      await write((writer) => writer.append(tableOf.wallets, rows));
      if (delay === 0) void profiles.load('wallets');
      const writing = write(async (writer) => {
        await replace(writer, rowsWith(1, 0, count));
        for (let i = 0; i < turns; i++) await nextTurn();
        await replace(writer, rowsWith(2, 100, 100 + count / 2));
        for (let i = 0; i < turns; i++) await nextTurn();
      });
      for (let i = 0; i < delay; i++) await nextTurn();
      const loading = profiles.load('wallets');
      await Promise.all([writing, loading]);
      await profiles.load('wallets');
      await compareWithStore(opened);
    }
  }
});

test('rows that are all removed, and a table that is made anew, are read again', async () => {
  const opened = await openCached();
  const { profiles, write } = opened;
  for (const empty of [
    (writer: Writer) => writer.remove(tableOf.wallets, everything),
    (writer: Writer) => writer.recreate(tableOf.wallets),
  ]) {
    await write(async (writer) => {
      await empty(writer);
      await writer.append(tableOf.wallets, rowsWith(1, 0, 500));
    });
    await profiles.load('wallets');
    await compareWithStore(opened);
  }
});

test('profiles that take more than they may are not cached, and those that grow so are dropped', async () => {
  const opened = await openCached(1);
  const { profiles, write } = opened;
  await write((writer) => writer.append(tableOf.wallets, rowsWith(1, 0, 500)));
  await profiles.load('wallets');
  await compareWithStore(opened);
  assert.ok(tableBytes([profiles.current('wallets')!.rows]) < 1e6);
  await write((writer) => writer.append(tableOf.wallets, rowsWith(1, 500, ROWS)));
  await profiles.load('wallets');
  assert.equal(profiles.current('wallets'), undefined);
});
