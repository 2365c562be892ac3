import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CachedProfiles, ProfileCache, type ReadState } from '../src/cache/profile-cache.ts';
import { ProfileCaches } from '../src/cache/profile-caches.ts';
import { newChanges } from '../src/ingest/changes.ts';
import { valueAt } from '../src/memory/column.ts';
import {
  appendRows,
  type ColumnTable,
  emptyTable,
  placeOf,
  removeRows,
  scanRows,
  tableBytes,
} from '../src/memory/column-table.ts';
import { firstRows } from '../src/memory/first-rows.ts';
import { memory } from '../src/memory/memory.ts';
import { columnOf, newSegment } from '../src/memory/segment.ts';
import type { ProfileShape } from '../src/profiles/shape.ts';
import type { Batch } from '../src/records/columns.ts';
import { metaTable } from '../src/records/tables.ts';
import { RefreshCache } from '../src/refresh/refresh-cache.ts';
import { TouchedBalances } from '../src/refresh/touched-balances.ts';
import { compare } from '../src/storage/predicate.ts';
import { finish } from '../src/work.ts';
import { profileRows, tableOf } from './search-fixtures.ts';

const table = tableOf.wallets;

/** Wallets `W0`, `W1`, ... with these pnl. */
function wallets(...pnl: readonly number[]): Batch {
  return profileRows(
    'wallets',
    pnl.map((value, row) => ({ wallet_address: `W${row}`, 'metrics.30d.pnl': value })),
  );
}

/** The pnl of all cached rows, sorted. */
function pnlOf(cached: CachedProfiles | undefined): number[] | undefined {
  if (cached === undefined) return undefined;
  const rows = finish(scanRows(cached.rows, { table, columns: ['metrics.30d.pnl'] })) as Batch;
  return [...(rows.columns['metrics.30d.pnl'] as Float64Array)].sort((a, b) => a - b);
}

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

function gate(): Gate {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** An empty store with a cache of it. A load waits before it takes its snapshot, and again before it streams. */
async function openGated(fits: (bytes: number) => boolean = () => true) {
  const storage = memory();
  await storage.open({ tables: [table, metaTable] });
  const cache = new ProfileCache({ table } as unknown as ProfileShape, fits, async () => undefined);
  const begins = gate();
  const streams = gate();
  const read: ReadState = async (load) => {
    await begins.opened;
    await storage.snapshot(async (reader) => {
      await reader.count(table);
      const stream: typeof reader.stream = async function* (scan) {
        await streams.opened;
        yield* reader.stream(scan);
      };
      await load({ ...reader, stream });
    });
  };
  return { storage, cache, begins, streams, load: () => cache.load(read) };
}

test('a load that reads a state with what was committed since it began has each row once', async () => {
  const { storage, cache, begins, streams, load } = await openGated();
  const loading = load();
  const write = cache.begin();
  await storage.write((writer) => writer.append(table, wallets(1, 2, 3)));
  await write.append(wallets(1, 2, 3));
  write.commit();
  begins.open();
  streams.open();
  await loading;
  assert.deepEqual(pnlOf(cache.current), [1, 2, 3]);
});

test('a load lets a write go before it, and goes on at its end', async () => {
  const storage = memory();
  const shapes = { wallets: { table }, tokens: { table: tableOf.tokens } } as never;
  await storage.open({ tables: [table, metaTable] });
  await storage.write((writer) => writer.append(table, wallets(1, 2)));
  const streamed = gate();
  const caches = new ProfileCaches(
    (read) =>
      storage.snapshot((reader) => {
        const stream: typeof reader.stream = async function* (scan) {
          // The load waits nine times as long as this has taken.
          await sleep(400);
          yield* reader.stream(scan);
          streamed.open();
        };
        return read({ ...reader, stream });
      }),
    shapes,
    1e9,
  );
  const changes = newChanges();
  await storage.write(async (writer) => void caches.begin(changes, writer));
  const loading = caches.load('wallets');
  const isThrough = await Promise.race([streamed.opened.then(() => true), sleep(1000).then(() => false)]);
  assert.equal(isThrough, false);
  caches.commit(changes);
  await loading;
  assert.deepEqual(pnlOf(caches.current('wallets')), [1, 2]);
});

test('a load beside which a write that began before it is committed shows nothing at its end', async () => {
  const { storage, cache, begins, streams, load } = await openGated();
  const write = cache.begin();
  await write.append(wallets(1));
  const loading = load();
  begins.open();
  await new Promise(setImmediate);
  await storage.write((writer) => writer.append(table, wallets(1)));
  write.commit();
  streams.open();
  await loading;
  assert.equal(cache.current, undefined);
  await load();
  assert.deepEqual(pnlOf(cache.current), [1]);
});

test('profiles that are dropped beside a write do not come back with its commit', async () => {
  const { cache, begins, streams, load } = await openGated();
  begins.open();
  streams.open();
  await load();
  const write = cache.begin();
  await write.append(wallets(1));
  cache.clear();
  await write.settle();
  write.commit();
  assert.equal(cache.current, undefined);
});

test('profiles that fit are cached again after a write that fails had made too many of them', async () => {
  const size = tableBytes([appendRows(emptyTable(table), wallets(1, 2, 3))]);
  const { storage, cache, begins, streams, load } = await openGated((bytes) => bytes < 1.5 * size);
  begins.open();
  streams.open();
  await storage.write((writer) => writer.append(table, wallets(1, 2, 3)));
  await load();
  const write = cache.begin();
  await write.append(wallets(...Array.from({ length: 100 }, (_, row) => row)));
  assert.equal(cache.current, undefined);
  write.fail();
  await load();
  assert.deepEqual(pnlOf(cache.current), [1, 2, 3]);
});

test('a row is found by its address as it was written last, and not once it is removed', () => {
  const before = appendRows(emptyTable(table), wallets(1, 2, 3, 4, 5, 6, 7, 8));
  const removed = finish(removeRows(before, compare('id', 'eq', wallets(0, 0, 0).columns.id![2] as number)));
  const pnlAt = (rows: ColumnTable) => {
    const place = placeOf(rows, 'wallet_address', 'W2');
    return place && valueAt(columnOf(place.segment, 'metrics.30d.pnl'), place.row);
  };
  assert.equal(pnlAt(removed), undefined);
  const again = appendRows(removed, {
    length: 1,
    columns: Object.fromEntries(
      Object.entries(wallets(1, 2, 30).columns).map(([name, values]) => [name, values!.slice(2, 3)]),
    ),
  } as Batch);
  assert.equal(pnlAt(again), 30);
  assert.equal(pnlAt(before), 3);
});

test('the first rows are all there, where they lie between rows that come after all of them', () => {
  const rows = wallets(...Array.from({ length: 4096 }, (_, row) => (row % 8 === 0 ? row : row + 1e6)));
  const segment = newSegment(rows.columns, Object.keys(table.columns), rows.length);
  const order = [{ column: 'metrics.30d.pnl', direction: 'asc' }] as const;
  const first = finish(firstRows([{ segment, rows: segment.live }], order, undefined, 21));
  assert.deepEqual(
    first.map(({ row }) => row),
    Array.from({ length: 21 }, (_, i) => i * 8),
  );
});

test('what a refresh has changed in the cache is not used after it, unless it was committed', () => {
  const cache = new RefreshCache(1_000_000);
  const prints = { length: 20, time: new Float64Array(20), price: new Float64Array(20) };
  const pairs = new Float64Array();
  const nothing = { wallets: new Int32Array(), pairs, balances: new TouchedBalances(undefined as never, pairs) };
  cache.expect(undefined, nothing);
  cache.putPrints(7, prints);
  cache.commit({ ...newChanges(), refreshed: 'first' });
  cache.expect('first', nothing);
  assert.equal(cache.printsOf(7), prints);
  // It was aborted: no `commit`.
  cache.expect('first', nothing);
  assert.equal(cache.printsOf(7), undefined);
});
