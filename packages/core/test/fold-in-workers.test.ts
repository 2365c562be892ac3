import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SwapfoldError } from '../src/errors.ts';
import { isInShard } from '../src/records/shard.ts';
import { foldInWorkers } from '../src/refresh/fold-in-workers.ts';
import type { FoldMessage, FoldTask, RefreshWorker } from '../src/refresh/fold-task.ts';

const task = { version: 1, transactions: 0, last_time: null, as_of: 0, synced_at: 0, is_full: true, is_aging: true };

/** A batch of one entity. */
function profileOf(id: number): FoldMessage {
  return { kind: 'wallets', missing: new Int32Array(), rows: { length: 1, columns: { id: Int32Array.of(id) } } };
}

/** A worker that folds so many entities; its task, how many it has given, and whether it was ended. */
class Folding implements RefreshWorker {
  given = 0;
  isEnded = false;
  task: FoldTask | undefined;
  signal: AbortSignal | undefined;

  constructor(
    readonly entities: number,
    readonly stopsAfter = entities,
    readonly failure?: Error,
  ) {}

  async *fold(task: FoldTask, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<FoldMessage> {
    this.task = task;
    this.signal = signal;
    try {
      yield { kind: 'found', entities: this.entities };
      while (this.given < this.stopsAfter) yield profileOf(this.given++);
      if (this.failure) throw this.failure;
    } finally {
      this.isEnded = true;
    }
  }
}

test('every worker gets a shard of its own, and all that they fold arrives', async () => {
  const workers = [new Folding(3), new Folding(0), new Folding(5)];
  let rows = 0;
  for await (const folded of foldInWorkers(workers, task, undefined)) if (folded.kind !== 'found') rows++;
  assert.equal(rows, 8);
  assert.deepEqual(
    workers.map(({ task }) => task),
    [1, 2, 3].map((index) => ({ ...task, shard: { index, of: 3 } })),
  );
});

test('a worker is at most two batches ahead of who takes them', async () => {
  const workers = [new Folding(50), new Folding(50)];
  let taken = 0;
  let furthest = 0;
  for await (const folded of foldInWorkers(workers, task, undefined)) {
    for (let turn = 0; turn < 20; turn++) await null;
    furthest = Math.max(furthest, workers[0]!.given + workers[1]!.given - taken);
    if (folded.kind !== 'found') taken++;
  }
  assert.equal(taken, 100);
  assert.ok(furthest <= 4, `${furthest} batches of two workers were made and not taken`);
});

test('one that fails ends the others, and its error is told', async () => {
  const lasting = new Folding(1000);
  const failing = new Folding(10, 2, new SwapfoldError('store-failed', 'The disk is gone.'));
  const folded = foldInWorkers([lasting, failing], task, undefined);
  await assert.rejects(async () => {
    for await (const some of folded) assert.ok(some);
  }, /The disk is gone/);
  assert.ok(lasting.isEnded && lasting.signal!.aborted);
  assert.ok(lasting.given < 10);
});

test('one that ends before it has folded what it found is an error that tells how many are left', async () => {
  const folded = foldInWorkers([new Folding(4), new Folding(4, 1)], task, undefined);
  await assert.rejects(async () => {
    for await (const some of folded) assert.ok(some);
  }, /Worker 2 of 2 of the refresh ended with 3 entities not folded\./);
});

test('an abort ends all workers', async () => {
  const workers = [new Folding(1000), new Folding(1000)];
  const abort = new AbortController();
  const folded = foldInWorkers(workers, task, abort.signal);
  await assert.rejects(
    async () => {
      for await (const some of folded) if (some.kind !== 'found') abort.abort();
    },
    (error: unknown) => error instanceof SwapfoldError && error.code === 'aborted',
  );
  for (const worker of workers) assert.ok(worker.isEnded && worker.signal!.aborted);
});

test('each entity is of one shard, and shards are about as large', () => {
  for (const of of [1, 2, 3, 8, 100]) {
    const sizes = new Array<number>(of).fill(0);
    for (let id = 0; id < 10_000; id++) {
      const shards = Array.from(sizes.keys()).filter((i) => isInShard(id, { index: i + 1, of }));
      const [shard, ...others] = shards;
      assert.deepEqual(others, []);
      sizes[shard!]!++;
    }
    assert.ok(Math.max(...sizes) < (10_000 / of) * 1.2, `${of}: ${Math.max(...sizes)}`);
    assert.ok(Math.min(...sizes) > (10_000 / of) * 0.8, `${of}: ${Math.min(...sizes)}`);
  }
});
