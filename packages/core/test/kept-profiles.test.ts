import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isWhole } from '../../../test/support/whole.ts';
import { memory } from '../src/memory/memory.ts';
import { prefixKey } from '../src/profiles/kept-column.ts';
import { KeptProfiles } from '../src/profiles/kept-profiles.ts';
import { KeptRows } from '../src/profiles/kept-rows.ts';
import type { ProfileShape } from '../src/profiles/shape.ts';
import { compareText } from '../src/records/chain-order.ts';
import { type Batch, takeRows } from '../src/records/columns.ts';
import { metaTable } from '../src/records/tables.ts';
import { firstRows, tupleOf } from '../src/search/first-rows.ts';
import type { SortTuple } from '../src/search/keyset.ts';
import { compareTuples } from '../src/search/relevance.ts';
import type { SortColumn } from '../src/search/sort.ts';
import type { StorageAdapter, Writer } from '../src/storage/adapter.ts';
import { everything, isIn } from '../src/storage/predicate.ts';
import { finish } from '../src/work.ts';
import { fieldsOf, type Profile, profileRows, tableOf } from './search-fixtures.ts';

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
  const kept = new KeptRows({ kind: 'wallets', table: tableOf.wallets });
  kept.write(rows, 0, ROWS);
  const paths = ['metrics.30d.pnl', 'metrics.7d.pnl', 'metrics.1d.pnl', 'metrics.1d.volume', 'metadata.name'];
  const keys = paths.flatMap((column) =>
    (['asc', 'desc'] as const).map((direction): SortColumn => ({ column, direction, type: 'double' })),
  );
  const sorts = [...keys.map((key) => [key, address]), [keys[2]!, keys[9]!, keys[1]!, address], [address]];
  for (const sort of sorts) {
    const tuples = Array.from({ length: ROWS }, (_, row) => tupleOf(kept, sort, row));
    const sorted = Array.from(kept.all).sort((a, b) => compareTuples(sort, tuples[a]!, tuples[b]!));
    const after = (place: number): SortTuple | undefined => (place === 0 ? undefined : tuples[sorted[place - 1]!]);
    for (const place of [0, 1, 20, 4999, 12_000, ROWS - 5, ROWS])
      assert.deepEqual(
        finish(firstRows(kept, kept.all, sort, after(place), 21)),
        sorted.slice(place, place + 21),
        `${JSON.stringify(sort)} from ${place}`,
      );
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

test('texts that no row has any more are forgotten', () => {
  const kept = new KeptRows({ kind: 'wallets', table: tableOf.wallets });
  const one = (name: string | null): Batch =>
    profileRows('wallets', [
      { wallet_address: 'W', 'metadata.name': name },
      { wallet_address: 'V', 'metadata.name': 'v' },
    ]);
  for (let i = 0; i < 5000; i++) kept.write(one(`name ${i}`), 0, 2);
  assert.ok(kept.bytes < 1_000_000, `${kept.bytes} bytes`);
  assert.deepEqual(kept.take([0, 1], ['metadata.name', 'folded.metadata.name']).columns, {
    'metadata.name': ['name 4999', 'v'],
    'folded.metadata.name': ['name 4999', 'v'],
  });
  kept.write(one(null), 0, 2);
  assert.deepEqual(kept.take([0], ['metadata.name']).columns, { 'metadata.name': [null] });
});

/** Shapes with the few metrics of the fixtures; profiles are kept by their tables. */
const shapes = {
  tokens: { kind: 'tokens', table: tableOf.tokens, fields: fieldsOf.tokens },
  wallets: { kind: 'wallets', table: tableOf.wallets, fields: fieldsOf.wallets },
} as unknown as Record<'tokens' | 'wallets', ProfileShape>;

interface Opened {
  readonly storage: StorageAdapter;
  readonly profiles: KeptProfiles;
  /** A write as the store makes them: what is kept learns of its end after it. */
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

async function openKept(megabytes = 1000): Promise<Opened> {
  const storage = memory();
  await storage.open({ tables: [tableOf.tokens, tableOf.wallets, metaTable] });
  const profiles = new KeptProfiles((read) => slowly(storage).snapshot(read), shapes, megabytes * 1e6);
  const write: Opened['write'] = async (change) => {
    let watched: ReturnType<KeptProfiles['watch']> | undefined;
    try {
      await storage.write(async (writer) => {
        watched = profiles.watch(writer);
        await change(watched.writer);
      });
      // The next write may have begun by now.
      await nextTurn();
      watched!.commit();
    } catch (error) {
      watched?.fail();
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

/** Every value that is kept, by id, compared with the store's. */
async function compareWithStore({ storage, profiles }: Opened): Promise<void> {
  const kept = profiles.rows('wallets');
  assert.ok(kept !== undefined, 'nothing is kept');
  const order = [{ column: 'id', direction: 'asc' }] as const;
  const stored = await storage.snapshot((reader) =>
    reader.read({ table: tableOf.wallets, columns: kept.names, order }),
  );
  const ids = kept.take(kept.all, ['id']).columns.id as Int32Array;
  const sorted = Array.from(kept.all).sort((a, b) => ids[a]! - ids[b]!);
  assert.deepEqual(kept.take(sorted, kept.names), stored);
  for (const row of [0, kept.length - 1])
    if (row >= 0)
      assert.equal(kept.rowOf(kept.take([row], ['wallet_address']).columns.wallet_address![0] as string), row);
}

test('small changes are kept at their commit, large ones before it and out of sight until then', async () => {
  const opened = await openKept();
  const { profiles, write } = opened;
  await write((writer) => writer.append(tableOf.wallets, rows));
  await profiles.load('wallets');
  await compareWithStore(opened);
  for (const count of [1, 300, 8192, 8193, 15_000]) {
    await write(async (writer) => {
      const before = profiles.rows('wallets')!.length;
      await writer.remove(tableOf.wallets, isIn('id', [count, ROWS - 1]));
      for (let from = 0; from < count; from += 5000)
        await replace(writer, rowsWith(count, from, Math.min(count, from + 5000)));
      const seen = profiles.rows('wallets');
      if (count <= 8192) assert.equal(seen?.length, before);
      else assert.equal(seen, undefined);
    });
    await compareWithStore(opened);
  }
});

test('what is committed while searches hold the profiles is out of sight until they end, and there then', async () => {
  for (const counts of [[300], [300, 8000, 8000], [15_000], [300, 15_000, 20]]) {
    const opened = await openKept();
    const { profiles, write } = opened;
    await write((writer) => writer.append(tableOf.wallets, rows));
    await profiles.load('wallets');
    const held = profiles.rows('wallets')!;
    const before = held.take(held.all, held.names);
    let ends: (() => void)[] = [];
    const searches = Array.from({ length: 2 }, () =>
      held.heldWhile(async (hold) => {
        hold();
        await new Promise<void>((end) => ends.push(end));
        return held.take(held.all, held.names);
      }),
    );
    const writing = counts.map((count) =>
      write(async (writer) => {
        await writer.remove(tableOf.wallets, isIn('id', [count, ROWS - 1]));
        await replace(writer, rowsWith(count, 0, count));
      }),
    );
    // A write that is too large to wait for its commit waits for the searches instead.
    if (counts[0]! < 8192) await writing[0];
    else for (let i = 0; i < 10; i++) await nextTurn();
    assert.equal(profiles.rows('wallets'), undefined);
    assert.equal(profiles.caughtUp('wallets') !== undefined, counts[0]! < 8192);
    for (const end of ends) end();
    ends = [];
    for (const seen of await Promise.all(searches)) assert.deepEqual(seen, before);
    await Promise.all(writing);
    await profiles.caughtUp('wallets');
    await compareWithStore(opened);
  }
});

test('profiles that are cleared while a search holds them are read anew, and the search ends with what it had', async () => {
  const opened = await openKept();
  const { profiles, write } = opened;
  await write((writer) => writer.append(tableOf.wallets, rows));
  await profiles.load('wallets');
  const held = profiles.rows('wallets')!;
  await held.heldWhile(async (hold) => {
    hold();
    await write((writer) => replace(writer, rowsWith(1, 0, 10)));
    profiles.clear();
    await profiles.load('wallets');
    await compareWithStore(opened);
    assert.notEqual(profiles.rows('wallets'), held);
    assert.notEqual(held.take([0], ['metrics.30d.pnl']).columns['metrics.30d.pnl']![0], 1);
  });
  await compareWithStore(opened);
});

test('changes that are undone leave nothing behind', async () => {
  for (const count of [10, 15_000]) {
    const opened = await openKept();
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

test('writes that follow each other at once are kept in their order', async () => {
  const opened = await openKept();
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
      const opened = await openKept();
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
  const opened = await openKept();
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

test('profiles that take more than they may are not kept, and those that grow so are dropped', async () => {
  const opened = await openKept(1);
  const { profiles, write } = opened;
  await write((writer) => writer.append(tableOf.wallets, rowsWith(1, 0, 500)));
  await profiles.load('wallets');
  await compareWithStore(opened);
  assert.ok(profiles.rows('wallets')!.bytes < 1e6);
  await write((writer) => writer.append(tableOf.wallets, rowsWith(1, 500, ROWS)));
  await profiles.load('wallets');
  assert.equal(profiles.rows('wallets'), undefined);
});
