import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SwapInput } from '../src/ingest/columns.ts';
import { memory } from '../src/memory/memory.ts';
import { shapesOf } from '../src/profiles/shape.ts';
import { swapsTable } from '../src/records/tables.ts';
import type { Reader, StorageAdapter, Writer } from '../src/storage/adapter.ts';
import { Swapfold } from '../src/swapfold.ts';
import type { ConfigInput } from '../src/swapfold-options.ts';

const config: ConfigInput = {
  address_format: 'any',
  quote_tokens: [
    { address: 'USDC', symbol: 'USDC', kind: 'stable' },
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
  ],
};
const START = 1_700_000_000;
const DAY = 86_400;

let swapped = 0;

/** A swap of wallet W at so many seconds after the start; a transaction of its own unless one is named. */
function swap(after: number, given: [number, string], received: [number, string], tx?: string): SwapInput {
  swapped++;
  return {
    tx_hash: tx ?? `tx${swapped}`,
    swap_index: swapped,
    block_time: START + after,
    block_slot: after,
    wallet: 'W',
    token_in: given[1],
    token_out: received[1],
    token_amount_in: given[0],
    token_amount_out: received[0],
  };
}

const bought = (after: number, amount: number, usd: number): SwapInput => swap(after, [usd, 'USDC'], [amount, 'T']);
const sold = (after: number, amount: number, usd: number): SwapInput => swap(after, [amount, 'T'], [usd, 'USDC']);

/** Opened with 10 for 100, sold out at a win of 20 and a loss of 30, opened again with 5 for 50. */
const story = [bought(0, 10, 100), sold(100, 4, 60), sold(200, 6, 30), bought(300, 5, 50)];

interface Opened {
  readonly dex: Swapfold;
  readonly storage: StorageAdapter;
}

async function withStore(use: (opened: Opened) => Promise<void>, storage = memory()): Promise<void> {
  const dex = await Swapfold.open({ storage, config });
  await use({ dex, storage });
  assert.deepEqual((await dex.verify()).differences, []);
  await dex.close();
}

/** A store that counts reads of swaps by wallet and token. */
function watchingSwaps(): { storage: StorageAdapter; found: () => number } {
  const storage = memory();
  let found = 0;
  const watch = <R extends Reader>(reader: R): R => ({
    ...reader,
    stream: (scan: Parameters<Reader['stream']>[0]) => {
      if (scan.table === swapsTable && JSON.stringify(scan.where ?? {}).includes('token_in')) found++;
      return reader.stream(scan);
    },
  });
  return {
    storage: {
      ...storage,
      snapshot: (read, use) => storage.snapshot((reader) => read(watch(reader)), use),
      write: <R>(change: (writer: Writer) => Promise<R>) => storage.write((writer) => change(watch(writer))),
    },
    found: () => found,
  };
}

/** The stored position of wallet W in a token, `undefined` if there is none; times since the start. */
async function positionOf({ dex, storage }: Opened, token: string): Promise<Record<string, unknown> | undefined> {
  const { table } = shapesOf(dex.metrics).positions;
  const columns = Object.keys(table.columns);
  const { columns: c } = await storage.snapshot((reader) => reader.read({ table, columns }));
  const row = (c.token_address as (string | null)[]).indexOf(token);
  if (row < 0) return undefined;
  const value = (name: string): unknown => {
    const cell = c[name]![row]!;
    if (Number.isNaN(cell)) return null;
    return typeof cell === 'number' && /_at$|_until$/.test(name) ? cell - START : cell;
  };
  return Object.fromEntries(columns.map((name) => [name, value(name)]));
}

async function assertPosition(of: Opened, token: string, expected: Record<string, unknown>): Promise<void> {
  const position = await positionOf(of, token);
  assert.ok(position !== undefined, `a position in ${token}`);
  for (const [name, value] of Object.entries(expected)) assert.equal(position[name], value, name);
}

const ofStory = {
  updated_at: 300,
  'metadata.first_trade_at': 0,
  'metadata.last_trade_at': 300,
  'metadata.opened_at': 300,
  'metadata.closed_at': null,
  'metadata.held': null,
  'metadata.state': 'open',
  'holding.balance': 5,
  'holding.cost_basis': 50,
  'holding.avg_entry_price': 10,
  'holding.realized_pnl': -10,
  'holding.realized_roi': -10,
  'holding.bought_usd': 150,
  'holding.sold_usd': 90,
  'holding.buy_count': 2,
  'holding.sell_count': 2,
  lot_amount: 5,
  matched_cost: 100,
  fresh_until: DAY - 1,
  'metrics.1d.trade_count': 4,
  'metrics.1d.volume': 240,
  'metrics.1d.pnl': -10,
  'metrics.1d.roi': -10,
  'metrics.1d.winrate': 50,
};

for (const [title, batches] of [
  ['at once', [story]],
  ['swap by swap', story.map((one) => [one])],
  ['with the first two late', [story.slice(2), story.slice(0, 2)]],
] as const) {
  test(`a position that was opened twice has the sums of both, and the times of the second: ${title}`, () =>
    withStore(async (opened) => {
      for (const batch of batches) {
        await opened.dex.ingest(batch);
        const { positions } = await opened.dex.refresh();
        assert.equal(positions, 1);
      }
      await assertPosition(opened, 'T', ofStory);
    }));
}

test('swaps of a pair are looked for among all where the newest one is not known, as after a rollback', () => {
  const { storage, found } = watchingSwaps();
  return withStore(async (opened) => {
    await opened.dex.ingest(story.slice(0, 3));
    await opened.dex.refresh();
    await opened.dex.ingest([bought(200, 1, 10), bought(300, 2, 20)]);
    await opened.dex.refresh();
    assert.equal(found(), 0, 'in the second of the last swap, and later');
    await assertPosition(opened, 'T', { updated_at: 300, 'holding.buy_count': 3, 'holding.balance': 3 });
    await opened.dex.rollback({ from_block_slot: 300 });
    await opened.dex.ingest([swap(300, [20, 'USDC'], [2, 'U'])]);
    await opened.dex.refresh();
    assert.equal(found(), 1, 'its swap at 300 is of another token now');
    await assertPosition(opened, 'T', { updated_at: 200, 'holding.buy_count': 2, 'holding.balance': 1 });
  }, storage);
});

test('a closed position says when it was closed and how long it was held, and has no cost and no entry price', () =>
  withStore(async (opened) => {
    await opened.dex.ingest(story.slice(0, 3));
    await opened.dex.refresh();
    await assertPosition(opened, 'T', {
      'metadata.opened_at': 0,
      'metadata.closed_at': 200,
      'metadata.held': 200,
      'metadata.state': 'closed',
      'holding.balance': 0,
      'holding.cost_basis': null,
      'holding.avg_entry_price': null,
      lot_amount: null,
    });
  }));

test('a trade a day old has left the day; the other windows have it, and the next to leave says until when that holds', () =>
  withStore(async (opened) => {
    await opened.dex.ingest(story);
    await opened.dex.refresh();
    await opened.dex.refresh({ asOf: START + DAY - 1 });
    await assertPosition(opened, 'T', ofStory);
    const { positions } = await opened.dex.refresh({ asOf: START + DAY });
    assert.equal(positions, 1);
    await assertPosition(opened, 'T', {
      'metrics.1d.trade_count': 3,
      'metrics.1d.volume': 140,
      'metrics.3d.trade_count': 4,
      fresh_until: 100 + DAY - 1,
    });
    await opened.dex.refresh({ asOf: START + 300 + 30 * DAY });
    await assertPosition(opened, 'T', {
      'metrics.30d.trade_count': 0,
      'metrics.30d.volume': 0,
      'metrics.30d.roi': null,
      fresh_until: 2 ** 52 - START,
      'holding.sell_count': 2,
    });
  }));

test('what was sold and never bought is unknown: results of nothing', () =>
  withStore(async (opened) => {
    await opened.dex.ingest([sold(0, 4, 60)]);
    await opened.dex.refresh();
    await assertPosition(opened, 'T', {
      'metadata.state': 'unknown',
      'metadata.opened_at': null,
      'holding.realized_pnl': 0,
      'holding.realized_roi': null,
      'holding.sold_usd': 60,
      'holding.bought_usd': 0,
    });
  }));

test('lots of unknown cost are no part of the cost and the entry price', () =>
  withStore(async (opened) => {
    await opened.dex.ingest([swap(0, [3, 'X'], [7, 'T']), bought(100, 10, 100)]);
    await opened.dex.refresh();
    await assertPosition(opened, 'T', {
      'holding.balance': 17,
      'holding.cost_basis': 100,
      'holding.avg_entry_price': 10,
      'holding.bought_usd': 100,
      'holding.buy_count': 2,
      lot_amount: 10,
    });
  }));

test('quote tokens for each other are a position, though not a trade of the wallet, and it ages with the others', () =>
  withStore(async (opened) => {
    const { dex } = opened;
    const changes = [0, 50, 100].map((after) => swap(after, [100, 'USDC'], [1, 'SOL']));
    for (const change of changes) {
      await dex.ingest([change]);
      await dex.refresh();
    }
    await assertPosition(opened, 'SOL', { 'metrics.1d.trade_count': 3, 'holding.bought_usd': 300, lot_amount: 3 });
    assert.equal((await dex.wallets.get({ wallet: 'W' })).metrics?.['1d']?.trade_count, 0);
    await dex.refresh({ asOf: START + DAY, scope: 'traded' });
    await assertPosition(opened, 'SOL', { 'metrics.1d.trade_count': 3, fresh_until: DAY - 1 });
    await dex.refresh({ asOf: START + DAY });
    await assertPosition(opened, 'SOL', { 'metrics.1d.trade_count': 2, fresh_until: DAY + 49 });
  }));

test('swaps that net to nothing touch a position and trade nothing, and make none', () =>
  withStore(async (opened) => {
    await opened.dex.ingest([bought(0, 10, 100)]);
    await opened.dex.refresh();
    const there = (token: string): SwapInput => swap(500, [10, 'USDC'], [1, token], `both-${token}`);
    const back = (token: string): SwapInput => swap(500, [1, token], [10, 'USDC'], `both-${token}`);
    await opened.dex.ingest([there('T'), back('T'), there('N'), back('N')]);
    await opened.dex.refresh();
    await assertPosition(opened, 'T', { updated_at: 500, 'metadata.last_trade_at': 0, 'holding.buy_count': 1 });
    assert.equal(await positionOf(opened, 'N'), undefined);
  }));

test('a rollback takes back the newest trades of a position, and a position that began with them', () =>
  withStore(async (opened) => {
    const { dex } = opened;
    await dex.ingest([...story, swap(300, [50, 'USDC'], [5, 'U'])]);
    await dex.refresh();
    assert.ok((await positionOf(opened, 'U')) !== undefined);
    await dex.rollback({ from_block_slot: 300 });
    await dex.refresh({ asOf: START + 300 });
    assert.equal(await positionOf(opened, 'U'), undefined);
    await assertPosition(opened, 'T', { updated_at: 200, 'metadata.state': 'closed', 'holding.buy_count': 1 });
  }));
