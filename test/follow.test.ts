import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FollowResult,
  type Source,
  type SourceItem,
  Swapfold,
  SwapfoldError,
  type SwapInput,
} from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import type { SourceRollback, SourceRows } from '@swapfold/core/host';
import { engines, withFolder } from './support/engines.ts';
import { A, fixtureConfig as config } from './support/fixture.ts';

/** A swap in the block of its number. */
function swap(block: number): SwapInput {
  return {
    tx_hash: `tx${block}`,
    swap_index: 0,
    block_time: A + block,
    block_slot: block,
    wallet: `W${block % 3}`,
    token_in: 'USDC',
    token_out: 'COIN',
    token_amount_in: 10 + block,
    token_amount_out: 1,
  };
}

/** A source whose places are the numbers of its items. `asked` collects the places that it was read from. */
function listed(
  items: readonly (Omit<SourceRows, 'place'> | Omit<SourceRollback, 'place'>)[],
  asked: (string | null)[] = [],
): Source {
  return {
    name: 'list',
    async *read(after) {
      asked.push(after);
      for (let n = after === null ? 0 : Number(after) + 1; n < items.length; n++)
        yield { ...items[n]!, place: String(n) } as SourceItem;
    },
  };
}

async function withStore(storage: StorageAdapter, use: (dex: Swapfold) => Promise<void>): Promise<void> {
  const dex = await Swapfold.open({ storage, config });
  await use(dex);
  await dex.close();
}

const isCode = (code: string) => (error: unknown) => error instanceof SwapfoldError && error.code === code;

for (const engine of ['sqlite', 'duckdb'])
  test(`on ${engine}, a source is read on from the place that is stored with its swaps, also after a reopening`, () =>
    withFolder(async (folder) => {
      const open = engines[engine]!;
      const asked: (string | null)[] = [];
      const items = [{ rows: [swap(1), swap(2)] }, { rows: [swap(3)] }, { rows: [] }, { rows: [swap(4)] }];
      await withStore(open(folder), async (dex) => {
        const { added, place } = await dex.follow(listed(items.slice(0, 2), asked));
        assert.deepEqual({ added, place }, { added: 3, place: '1' });
      });
      await withStore(open(folder), async (dex) => {
        assert.deepEqual(await dex.sources(), [{ name: 'list', place: '1' }]);
        const { added, duplicate, place } = await dex.follow(listed(items, asked));
        assert.deepEqual({ added, duplicate, place }, { added: 1, duplicate: 0, place: '3' });
        assert.deepEqual(await dex.sources(), [{ name: 'list', place: '3' }]);
      });
      assert.deepEqual(asked, [null, '1']);
    }));

test('a source that rolls back leaves the store that never had the blocks given up', () =>
  withFolder(async (folder) => {
    const fork: SwapInput = { ...swap(3), tx_hash: 'fork', token_amount_in: 99 };
    await withStore(engines.sqlite!(folder), async (dex) => {
      const items = [{ rows: [swap(1), swap(2), swap(3)] }, { rollback: { from_block_slot: 3 } }, { rows: [fork] }];
      const { added, rolled_back, place } = await dex.follow(listed(items));
      assert.deepEqual({ added, rolled_back, place }, { added: 4, rolled_back: 1, place: '2' });
      await withStore(engines.sqlite!(folder, 1), async (other) => {
        await other.ingest([swap(1), swap(2), fork]);
        const { data } = await other.swaps.list();
        assert.deepEqual((await dex.swaps.list()).data, data);
        assert.deepEqual(await dex.trades.list(), await other.trades.list());
      });
    });
  }));

test('registry rows come along in the same transaction, those at fault are reported', () =>
  withFolder(async (folder) => {
    await withStore(engines.sqlite!(folder), async (dex) => {
      const tokens = [
        { address: 'COIN', symbol: 'CN' },
        { address: 'BAD', decimals: -1 },
      ];
      const wallets = [{ address: 'W1', name: 'Ann' }];
      const { registered, unregistered } = await dex.follow(listed([{ rows: [swap(1)], tokens, wallets }]));
      assert.equal(registered, 2);
      assert.deepEqual(unregistered, [{ row: 1, field: 'decimals', reason: 'expected a number from 0' }]);
      await dex.refresh();
      assert.equal((await dex.tokens.get({ token: 'COIN' })).metadata?.symbol, 'CN');
      assert.equal((await dex.wallets.get({ wallet: 'W1' })).metadata?.name, 'Ann');
    });
  }));

test('a source that throws ends with source-failed; the items before stay, with their place and the result', () =>
  withFolder(async (folder) => {
    const cause = new Error('the queue is gone');
    const source: Source = {
      name: 'queue',
      async *read() {
        yield { rows: [swap(1)], place: 'one' };
        throw cause;
      },
    };
    await withStore(engines.sqlite!(folder), async (dex) => {
      const failure = await dex.follow(source).catch((error: unknown) => error);
      assert.ok(failure instanceof SwapfoldError && failure.code === 'source-failed' && failure.cause === cause);
      assert.deepEqual([failure.result?.added, (failure.result as FollowResult).place], [1, 'one']);
      assert.deepEqual(await dex.sources(), [{ name: 'queue', place: 'one' }]);
    });
  }));

test('an item whose write fails leaves neither its swaps nor its place', () =>
  withFolder(async (folder) => {
    await withStore(engines.sqlite!(folder), async (dex) => {
      const unslotted = { ...swap(2), block_slot: null };
      const items = [{ rows: [swap(1), unslotted] }, { rollback: { from_block_slot: 1 } }];
      await assert.rejects(dex.follow(listed(items)), isCode('invalid-input'));
      assert.deepEqual(await dex.sources(), [{ name: 'list', place: '0' }]);
      const { count } = await dex.swaps.list();
      assert.equal(count, 2);
    });
  }));

/** A source that waits for ever once its swaps are read; `ended` says when its iteration was ended. */
function waiting(): { readonly source: Source; readonly ended: Promise<unknown> } {
  let end: (value: unknown) => void = () => undefined;
  const ended = new Promise((resolve) => {
    end = resolve;
  });
  const source: Source = {
    name: 'waiting',
    async *read(_, { signal }) {
      signal.addEventListener('abort', end);
      yield { rows: [swap(1)], place: '' };
      await ended;
    },
  };
  return { source, ended };
}

test('a follow ends by its signal with aborted, and by close with closed; the source hears of both', () =>
  withFolder(async (folder) => {
    await withStore(engines.sqlite!(folder), async (dex) => {
      const stop = new AbortController();
      const first = waiting();
      await assert.rejects(
        dex.follow(first.source, { signal: stop.signal, onItem: () => stop.abort() }),
        (error) => isCode('aborted')(error) && (error as SwapfoldError).result?.added === 1,
      );
      await first.ended;
      const second = waiting();
      let stored: (value: unknown) => void = () => undefined;
      const isStored = new Promise((resolve) => {
        stored = resolve;
      });
      const following = dex.follow(second.source, { onItem: stored });
      const refused = assert.rejects(following, isCode('closed'));
      await isStored;
      await assert.rejects(dex.follow(waiting().source), /is being followed already/);
      await dex.close();
      await refused;
      await second.ended;
    });
  }));

test('what is no source, and what is no item, is refused by its fault', () =>
  withFolder(async (folder) => {
    await withStore(engines.sqlite!(folder), async (dex) => {
      const cases: readonly (readonly [source: unknown, message: RegExp])[] = [
        [
          undefined,
          /name of a source must be a text of 1 to 1000 characters without NUL and lone surrogates, not undefined/,
        ],
        [{ name: '', read: () => [] }, /must be a text of 1 to 1000 characters .*, not ""/],
        [{ name: 'x' }, /"x" has no method "read"/],
        [listed([null as never]), /needs "rows", an array or a column batch, or "rollback"/],
        [
          {
            name: 'x',
            read: async function* () {
              yield { rows: [] };
            },
          },
          /needs "place", a text/,
        ],
        [
          listed([{ rows: [], rollback: { from_block_slot: 1 } } as never]),
          /has "rows" and "rollback": give two items/,
        ],
        [listed([{ rows: [], tokens: {} } as never]), /has "tokens" that is no array/],
        [listed([{ rollback: {} } as never]), /"from_block_slot" must be a whole number from 0, not undefined/],
      ];
      for (const [source, message] of cases)
        await assert.rejects(
          dex.follow(source as Source),
          (error) => isCode('invalid-input')(error) && message.test((error as Error).message),
        );
      await assert.rejects(dex.follow(listed([]), { onitem: () => undefined } as never), /Did you mean "onItem"/);
      assert.deepEqual(await dex.sources(), []);
    });
  }));
