import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { after, test } from 'node:test';
import threads from 'node:worker_threads';
import { random } from '../../../test/support/killable.ts';
import { chainOf } from '../../../test/support/solana-chain.ts';
import { StandInNode } from '../../../test/support/solana-node.ts';
import { chainInWorker } from '../src/sources/chain-in-worker.ts';

const FROM = 700;
const chain = chainOf({ from: FROM, slots: 12, swaps: 5, next: random(3) });
const node = await StandInNode.start(chain);
after(() => node.stop());

const { Worker } = threads;

/** The ways in which a thread can't run. */
const kinds: Readonly<Record<string, unknown>> = {
  'cannot be started': class {
    constructor() {
      throw new Error('Worker initialization failure: EAGAIN');
    }
  },
  'throws before it reads': class extends Worker {
    constructor() {
      super('throw new Error("no such file")', { eval: true });
    }
  },
  'ends at once': class extends Worker {
    constructor() {
      super('process.exit(0)', { eval: true });
    }
  },
};

const options = { url: node.url, from_slot: FROM, to_slot: FROM + 11 };

/** How many swaps the chain gives, read twice, and what was said meanwhile. */
async function readTwice(): Promise<{ readonly rows: readonly number[]; readonly told: readonly string[] }> {
  const told: string[] = [];
  const rows: number[] = [];
  const source = await chainInWorker({ chain: 'solana', options }, (message) => told.push(message));
  for (let i = 0; i < 2; i++) {
    let read = 0;
    for await (const item of source.read(null, { signal: new AbortController().signal }))
      read += 'rows' in item ? (item.rows?.length ?? 0) : 0;
    rows.push(read);
  }
  return { rows, told };
}

test('a thread of its own reads a chain, and nothing is said', async () => {
  const { rows, told } = await readTwice();
  assert.ok(rows[0]! > 12, `${rows}`);
  assert.deepEqual([rows[1], told], [rows[0], []]);
});

for (const [kind, fake] of Object.entries(kinds))
  test(`where the thread of a chain ${kind}, the calling thread reads as much, twice, and says so once`, async () => {
    const { rows } = await readTwice();
    threads.Worker = fake as typeof Worker;
    syncBuiltinESMExports();
    try {
      const found = await readTwice();
      assert.deepEqual(found.rows, rows);
      assert.equal(found.told.length, 1, found.told.join('\n'));
      assert.match(found.told[0]!, /^No thread can run beside this one/);
    } finally {
      threads.Worker = Worker;
      syncBuiltinESMExports();
    }
  });
