import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { type Message, memory, presets, Swapfold, SwapfoldError, type SwapInput } from '@swapfold/core';
import { CommitView } from '../packages/core/src/live/view.ts';
import { positionId } from '../packages/core/src/queries/trades.ts';

const config = presets.ethereum;
const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
const usdc = presets.ethereum.quote_tokens[0]!.address;
const [coin, other] = [address(0xa1), address(0xa2)] as const;
const [ann, ben] = [address(1), address(2)] as const;
const start = Date.parse('2024-01-05T00:00:00Z') / 1000;

let hashes = 0;
/** A swap in a block whose slot is its time. */
function swap(wallet: string, time: number, given: Partial<SwapInput> = {}): SwapInput {
  return {
    tx_hash: `0x${(++hashes).toString(16).padStart(64, '0')}`,
    swap_index: 0,
    block_time: start + time,
    block_slot: start + time,
    wallet,
    token_in: usdc,
    token_out: coin,
    token_amount_in: 100,
    token_amount_out: 10,
    ...given,
  };
}

const open = (options = {}) => Swapfold.open({ storage: memory(), config, ...options });
const isCode = (code: string) => (error: unknown) => error instanceof SwapfoldError && error.code === code;

/** The next message of each call; a subscription may have none. */
function reader<T>(subscription: AsyncIterable<T>): () => Promise<T> {
  const iterator = subscription[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await iterator.next();
    assert.equal(done, false, 'the subscription has ended');
    return value;
  };
}

test('a commit is one message a subscription, in chain order, with the items of the list', async () => {
  const dex = await open();
  const all = reader(dex.subscribe('swaps'));
  const anns = reader(dex.subscribe('ethereum.dex.trades', { wallets: [ann.toUpperCase().replace('0X', '0x')] }));
  const prices = reader(dex.subscribe('prices', { tokens: [coin] }));
  const candles = reader(dex.subscribe('candles', { token: coin, interval: 60 }));
  await dex.ingest([swap(ben, 61), swap(ann, 0), swap(ann, 30, { token_amount_in: 200 })]);
  const message = await all();
  assert.equal(message.topic, 'ethereum.dex.swaps');
  assert.deepEqual(message.data, [...(await dex.swaps.list()).data].reverse());
  assert.deepEqual((await anns()).data, [...(await dex.trades.list({ wallet: ann })).data].reverse());
  const price = {
    token: coin,
    usd_price: 10,
    block_slot: start + 61,
    block_time: start + 61,
    suspect: false,
    clean_usd_price: 10,
  };
  assert.deepEqual((await prices()).data, [price]);
  assert.deepEqual((await candles()).data, await dex.prices.candles({ token: coin, interval: 60 }));
  await dex.close();
});

test('what subscriptions share of a commit is made again if it failed, such as by a state that was gone', async () => {
  const commit = { kind: 'retraction', rolledBack: { fromSlot: 0, fromTime: 0 }, bytes: 0 } as const;
  const view = new CommitView(commit, { before: '', after: '' }, () => {
    throw new Error('nobody asks');
  });
  const failing = view.once('matches', () => Promise.reject(new Error('stale')));
  const others = view.once('matches', async () => 1);
  for (const one of [failing, others]) await assert.rejects(async () => one, /stale/);
  assert.equal(await view.once('matches', async () => 2), 2);
  assert.equal(await view.once('matches', async () => 3), 2);
});

test('a late swap comes with its own commit, and with it the trades that it changes, whole', async () => {
  const dex = await open();
  const sold = { token_in: coin, token_out: usdc, token_amount_in: 5, token_amount_out: 100 };
  const sale = swap(ann, 100, sold);
  await dex.ingest([swap(ann, 0), sale]);
  const trades = reader(dex.subscribe('trades'));
  await dex.ingest([swap(ann, -50, { token_amount_in: 400 })]);
  const { data } = await trades();
  // The first buy opens the position no more. 100 USD for coins that cost 10 USD each before, and 40 since: first in, first out.
  assert.deepEqual(
    data.map(({ block_time, position_state, realized_pnl_usd }) => [
      block_time - start,
      position_state,
      realized_pnl_usd,
    ]),
    [
      [-50, 'open', null],
      [0, 'trade', null],
      [100, 'trade', -100],
    ],
  );
  assert.deepEqual(data, [...(await dex.trades.list()).data].reverse());
  await dex.close();
});

test('a late price of the native token sends the swaps again that it values, and so does its rollback', async () => {
  const dex = await open();
  const weth = presets.ethereum.quote_tokens.find(({ kind }) => kind === 'native')!.address;
  const print = (time: number, usd: number, given: Partial<SwapInput> = {}) =>
    swap(ben, time, { token_out: weth, token_amount_in: usd, token_amount_out: 1, ...given });
  const valued = swap(ann, 100, { token_in: weth, token_amount_in: 1 });
  await dex.ingest([print(0, 2000), valued]);
  const swaps = reader(dex.subscribe('swaps'));
  const values = ({ data }: Awaited<ReturnType<typeof swaps>>) =>
    data.map(({ block_time, usd_amount_in }) => [block_time - start, usd_amount_in]);
  // Of the votes 2,000 and 2,400 the newest within a quarter of the lower one counts.
  const orphan = print(50, 2400, { block_slot: start + 1000 });
  await dex.ingest([orphan]);
  assert.deepEqual(values(await swaps()), [
    [50, 2400],
    [100, 2400],
  ]);
  await dex.rollback({ from_block_slot: start + 1000 });
  await swaps();
  assert.deepEqual(values(await swaps()), [[100, 2000]]);
  await dex.close();
});

test('a rollback is told before what takes its place, and both have a cursor of their own', async () => {
  const dex = await open();
  await dex.ingest([swap(ann, 0), swap(ann, 70, { token_amount_in: 300 })]);
  const prices = reader(dex.subscribe('prices', { tokens: [coin] }));
  const swaps = reader(dex.subscribe('swaps'));
  const candles = reader(dex.subscribe('candles', { token: coin, interval: 60 }));
  await dex.rollback({ from_block_slot: start + 70 });
  const retracted = { from_block_slot: start + 70, from_block_time: start + 70 };
  const [first, second] = [await prices(), await prices()];
  assert.deepEqual([first.data, first.retracted], [[], retracted]);
  assert.deepEqual(second.data, [
    { token: coin, usd_price: 10, block_slot: start, block_time: start, suspect: false, clean_usd_price: 10 },
  ]);
  assert.notEqual(first.cursor, second.cursor);
  assert.deepEqual((await candles()).retracted, retracted);
  assert.deepEqual((await swaps()).retracted, retracted);
  const again = reader(dex.subscribe('prices', { tokens: [coin] }, { after: first.cursor }));
  assert.deepEqual(await again(), second);
  await dex.ingest([swap(ben, 80)]);
  assert.deepEqual(
    (await swaps()).data.map(({ wallet }) => wallet),
    [ben],
  );
  await dex.close();
});

test('a filter of profiles tells who begins to match, who changes while matching, and who ceases to', async () => {
  const dex = await open();
  await dex.ingest([swap(ann, 0, { token_amount_in: 50 })]);
  await dex.refresh();
  const filter = { 'metrics.30d.volume': { $gte: 100 } } as const;
  const subscription = dex.subscribe('profiles.wallet', { filter, options: { include_metrics: ['30d'] } });
  await subscription.ready;
  const told = reader(subscription);
  const volumes = ({ data, began, ended, complete }: Message<{ wallet_address: string; metrics?: object }>) => ({
    data: data.map(({ wallet_address, metrics }) => [
      wallet_address,
      (metrics as Record<string, Record<string, number>>)['30d']!.volume,
    ]),
    began,
    ended,
    complete,
  });
  await dex.ingest([swap(ann, 10, { token_amount_in: 60 }), swap(ben, 11, { token_amount_in: 99 })]);
  await dex.refresh();
  const none = { began: undefined, ended: undefined, complete: undefined };
  const began = await told();
  assert.deepEqual(volumes(began), { ...none, data: [[ann, 110]], began: [ann] });
  await dex.ingest([swap(ann, 20, { token_amount_in: 5 })]);
  await dex.refresh();
  assert.deepEqual(volumes(await told()), { ...none, data: [[ann, 115]] });
  await dex.rollback({ from_block_slot: start + 10 });
  assert.deepEqual((await told()).retracted?.from_block_slot, start + 10);
  await dex.refresh();
  assert.deepEqual(volumes(await told()), { ...none, data: [], ended: [ann] });
  const again = reader(dex.subscribe('profiles.wallet', { filter }, { after: began.cursor }));
  assert.deepEqual(volumes(await again()), { ...none, data: [], complete: true });
  await dex.close();
});

test('a wallet whose profile is gone has ended, and one that is not known yet is told once it trades', async () => {
  const dex = await open();
  const told = reader(dex.subscribe('profiles.wallet', { wallets: [ann, ben], options: { include_metadata: true } }));
  await dex.ingest([swap(ann, 0), swap(ann, 1, { token_out: other })]);
  await dex.refresh();
  assert.deepEqual((await told()).data, [await dex.wallets.get({ wallet: ann, options: { include_metadata: true } })]);
  await dex.ingest([swap(ben, 10)]);
  await dex.rollback({ from_block_slot: start });
  await told();
  await dex.ingest([swap(ben, 10)]);
  await dex.refresh();
  const { data, ended } = await told();
  assert.deepEqual([data.map(({ wallet_address }) => wallet_address), ended], [[ben], [ann]]);
  await dex.close();
});

test('a filter that finds more than 1,000 profiles is refused, when it begins and when it comes to that', async () => {
  const dex = await open();
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => swap(address(from + i), from + i));
  await dex.ingest(many(1000, 1000));
  await dex.refresh();
  const filter = { 'metrics.30d.volume': { $gt: 0 } } as const;
  const subscription = dex.subscribe('profiles.wallet', { filter });
  await subscription.ready;
  await dex.ingest(many(3000, 1));
  await dex.refresh();
  await assert.rejects(reader(subscription)(), isCode('too-many-matches'));
  await assert.rejects(dex.subscribe('profiles.wallet', { filter }).ready, isCode('too-many-matches'));
  await dex.close();
});

test('what is wrong with a subscription is said at once, what is wrong with its filter when it begins', async () => {
  const dex = await open();
  const refused = (code: string, subscribe: () => unknown) => assert.throws(subscribe, isCode(code));
  refused('not-found', () => dex.subscribe('swap' as 'swaps'));
  refused('invalid-request', () => dex.subscribe('swaps', { wallets: [] }));
  refused('unknown-field', () => dex.subscribe('swaps', { wallet: ann } as object));
  refused('invalid-request', () => dex.subscribe('trades', { wallets: ['x'] }));
  refused('invalid-request', () => dex.subscribe('candles', { token: coin } as never));
  refused('invalid-request', () => dex.subscribe('profiles.wallet', {} as never));
  refused('invalid-request', () => dex.subscribe('profiles.wallet', { wallets: [ann], filter: {} } as never));
  refused('invalid-cursor', () => dex.subscribe('swaps', {}, { after: 'x' }));
  refused('cursor-expired', () => dex.subscribe('swaps', {}, { after: '0123456789ab.0' }));
  refused('invalid-input', () => dex.subscribe('swaps', {}, { from: 'x' } as object));
  await assert.rejects(
    dex.subscribe('profiles.wallet', { filter: { 'metrics.30d.volum': 1 } as object }).ready,
    isCode('unknown-field'),
  );
  await assert.rejects(
    dex.subscribe('profiles.position', { filter: { 'holding.pric': { $gt: 1 } } as object }).ready,
    isCode('unknown-field'),
  );
  await dex.close();
  refused('closed', () => dex.subscribe('swaps'));
});

test('a commit of 2,500 swaps comes in three messages, and only the last goes on after it', async () => {
  const dex = await open();
  const subscription = dex.subscribe('swaps');
  const { cursor } = subscription;
  const next = reader(subscription);
  await dex.ingest(Array.from({ length: 2500 }, (_, i) => swap(ann, i)));
  const messages = [await next(), await next(), await next()];
  assert.deepEqual(
    messages.map(({ data, cursor: at }) => [data.length, at === cursor]),
    [
      [1000, true],
      [1000, true],
      [500, false],
    ],
  );
  const times = messages.flatMap(({ data }) => data.map(({ block_time }) => block_time - start));
  assert.deepEqual(times, [...Array(2500).keys()]);
  await dex.close();
});

test('a reader that is too far behind is told, a quiet one is kept up by empty messages', async () => {
  const dex = await open({ memory: 320_000 });
  const slow = reader(dex.subscribe('swaps'));
  const quiet = dex.subscribe('swaps', { wallets: [ben] });
  const cursors: string[] = [];
  const reading = (async () => {
    for await (const { cursor, data } of quiet) {
      assert.deepEqual(data, []);
      cursors.push(cursor);
    }
  })();
  for (let i = 0; i < 40; i++) {
    await dex.ingest([swap(ann, i)]);
    await nextTurn();
  }
  await assert.rejects(slow(), isCode('cursor-expired'));
  assert.ok(cursors.length > 0 && cursors.length < 40);
  dex.subscribe('swaps', { wallets: [ben] }, { after: cursors.at(-1) });
  await dex.close();
  await reading;
});

test('a rebuild, of which nobody knows what it changes, expires every cursor', async () => {
  const dex = await open();
  const next = reader(dex.subscribe('swaps'));
  await dex.ingest([swap(ann, 0)]);
  const { cursor } = await next();
  await dex.rebuild();
  await assert.rejects(next(), isCode('cursor-expired'));
  assert.throws(() => dex.subscribe('swaps', {}, { after: cursor }), isCode('cursor-expired'));
  await dex.close();
});

test('a subscription ends without an error when its signal aborts', async () => {
  const dex = await open();
  const controller = new AbortController();
  const seen: Message[] = [];
  const reading = (async () => {
    for await (const message of dex.subscribe('swaps', {}, { signal: controller.signal })) seen.push(message);
  })();
  controller.abort();
  await reading;
  assert.deepEqual(seen, []);
  await dex.close();
});

test('topics of a stream share a cursor: the messages of a commit come together', async () => {
  const dex = await open();
  const next = reader(
    dex.stream([{ topic: 'swaps' }, { topic: 'trades', params: { wallets: [ben] } }, { topic: 'prices' }]),
  );
  await dex.ingest([swap(ann, 0)]);
  const messages = await next();
  assert.deepEqual(
    messages.map(({ topic }) => topic),
    ['ethereum.dex.swaps', 'ethereum.dex.prices'],
  );
  assert.equal(new Set(messages.map(({ cursor }) => cursor)).size, 1);
  await dex.close();
});

test('a late swap that makes a later print suspect, or clears it, is told to who follows candles and prices', async () => {
  const dex = await open();
  const bought = (time: number, usd: number, price: number) =>
    swap(address(1000 + time), time, { token_amount_in: usd, token_amount_out: usd / price });
  await dex.ingest([0, 60, 120].map((time) => bought(time, 100, 1)));
  await dex.ingest([bought(600, 100, 10)]);
  const listed = () => dex.prices.candles({ token: coin, interval: 60 });
  assert.deepEqual((await listed()).at(-1)!.suspect_count, 1);
  const held = new Map((await listed()).map((candle) => [candle.timestamp, candle]));
  const candles = reader(dex.subscribe('candles', { token: coin, interval: 60 }));
  const prices = reader(dex.subscribe('prices', { tokens: [coin] }));
  // Of ten votes with the print, three at 1 are fewer than a third, and weigh less than seven at 10.
  await dex.ingest([300, 301, 302, 303, 304, 305].map((time) => bought(time, 100, 10)));
  for (const candle of (await candles()).data) held.set(candle.timestamp, candle);
  assert.deepEqual(
    [...held.values()].sort((a, b) => a.timestamp - b.timestamp),
    await listed(),
  );
  assert.deepEqual((await listed()).at(-1)!.suspect_count, 0);
  assert.deepEqual((await prices()).data, await dex.prices.latest({ tokens: [coin] }));
  await dex.close();
});

test('a candle and a price that a late swap takes the value from are taken back', async () => {
  const dex = await open();
  const weth = presets.ethereum.quote_tokens.find(({ kind }) => kind === 'native')!.address;
  const native = (time: number, usd: number) =>
    swap(ben, time, { token_in: weth, token_out: usdc, token_amount_in: 1, token_amount_out: usd });
  // Worth 0.11 USD, and 0.099 once ETH is known to be cheaper: less than that is dust, which makes no price.
  const small = swap(ann, 120, { token_in: weth, token_amount_in: 0.0011 });
  await dex.ingest([native(0, 100), small]);
  assert.equal((await dex.prices.latest({ tokens: [coin] })).length, 1);
  const candles = reader(dex.subscribe('candles', { token: coin, interval: 60 }));
  const prices = reader(dex.subscribe('prices', { tokens: [coin] }));
  await dex.ingest([native(60, 90)]);
  assert.deepEqual(await dex.prices.latest({ tokens: [coin] }), []);
  const [candle, price] = [await candles(), await prices()];
  assert.deepEqual([candle.data, candle.retracted], [[], { timestamps: [start + 120] }]);
  assert.deepEqual([price.data, price.retracted], [[], { tokens: [coin] }]);
  await dex.close();
});

test('an address that never had a profile has not ended, and one that has ended is told of once', async () => {
  const dex = await open();
  // The coin is known by its swaps, but is no wallet.
  await dex.ingest([swap(ann, 0), swap(ben, 5)]);
  const told = reader(dex.subscribe('profiles.wallet', { wallets: [ann, ben, coin] }));
  await dex.refresh();
  assert.equal((await told()).ended, undefined);
  await dex.rollback({ from_block_slot: start + 5 });
  await told();
  await dex.refresh();
  assert.deepEqual((await told()).ended, [ben]);
  await dex.ingest([swap(ann, 10)]);
  await dex.refresh({ asOf: start + 10 });
  assert.equal((await told()).ended, undefined);
  await dex.close();
});

/** A store in memory whose reads take 2 ms, as those of a larger one do. */
function slowly() {
  const waits = new Set(['read', 'count', 'latest', 'max']);
  const slow = <T extends object>(of: T, wrap: (name: string, call: (...args: never[]) => unknown) => unknown): T =>
    new Proxy(of, {
      get(target, name) {
        const value = target[name as keyof T];
        return typeof value === 'function' ? wrap(String(name), value.bind(target)) : value;
      },
    });
  return slow(memory(), (name, call) => {
    if (name !== 'snapshot') return call;
    return (read: (reader: object) => unknown, use: unknown) =>
      call(
        ((reader: object) =>
          read(
            slow(reader, (of, ask) => (waits.has(of) ? (...args: never[]) => pause(2).then(() => ask(...args)) : ask)),
          )) as never,
        use as never,
      );
  });
}

test('subscriptions that share a filter know who matches, also where a commit comes while they read', async () => {
  const dex = await Swapfold.open({ storage: slowly(), config });
  const wallets = Array.from({ length: 6 }, (_, i) => address(100 + i));
  await dex.ingest(wallets.map((wallet, i) => swap(wallet, i)));
  await dex.refresh();
  const filter = { token_address: coin, 'holding.bought_usd': { $gt: 5000 } };
  const end = new AbortController();
  const members = await Promise.all(
    [1, 2, 3].map(async () => {
      const stream = dex.stream([{ topic: 'profiles.position', params: { filter } }], { signal: end.signal });
      await stream.ready;
      const known = new Set<string>();
      void stream.listen((messages) => {
        for (const { began = [], ended = [] } of messages) {
          for (const one of began) known.add(one);
          for (const one of ended) known.delete(one);
        }
        return true;
      });
      return known;
    }),
  );
  for (const [i, wallet] of wallets.entries()) {
    await dex.ingest([swap(wallet, 100 + 10 * i, { token_amount_in: 6000 })]);
    await dex.refresh({ scope: 'traded' });
    for (let n = 0; n < 3; n++) {
      await pause(3);
      await dex.ingest([swap(ben, 101 + 10 * i + n)]);
    }
    await pause(60);
  }
  assert.equal((await dex.positions.search({ filter })).count, 6);
  const all = wallets.map((wallet) => positionId(wallet, coin)).sort();
  // A busy machine tells late; what is lost never comes.
  for (let n = 0; n < 500 && members.some((known) => known.size < all.length); n++) await pause(10);
  for (const known of members) assert.deepEqual([...known].sort(), all);
  end.abort();
  await dex.close();
});

test('a subscription ends without an error when its store closes while something is read for it', async () => {
  for (let round = 0; round < 12; round++) {
    const dex = await Swapfold.open({ storage: slowly(), config });
    await dex.ingest([swap(ann, 0)]);
    await dex.refresh();
    const filter = { token_address: coin, 'holding.bought_usd': { $gt: 5 } };
    const streams = [1, 2].map(() => dex.stream([{ topic: 'profiles.position', params: { filter } }]));
    await Promise.all(streams.map(({ ready }) => ready));
    const listening = streams[0]!.listen(() => true);
    const looping = (async () => {
      for await (const _ of streams[1]!);
    })();
    await dex.ingest([swap(ben, 1)]);
    await dex.refresh();
    await pause(round);
    await dex.close();
    await listening;
    await looping;
  }
});

test('by the clock on the wall, a swap that is a little ahead is told of at once, as nothing would later', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { ...config, clock: 'wall' } });
  const ahead = Math.floor(Date.now() / 1000) + 120;
  const prices = reader(dex.subscribe('prices', { tokens: [coin] }));
  const candles = reader(dex.subscribe('candles', { token: coin, interval: 60 }));
  await dex.ingest([swap(ann, 0, { block_time: ahead, token_amount_in: 200 })]);
  const [price] = (await prices()).data;
  assert.deepEqual([price!.usd_price, price!.block_time], [20, ahead]);
  assert.deepEqual(
    (await candles()).data.map(({ timestamp, close }) => [timestamp, close]),
    [[Math.floor(ahead / 60) * 60, 20]],
  );
  await dex.close();
});

test('what has been ended hears nothing more, whatever is being read for it', async () => {
  const dex = await open();
  await dex.ingest([swap(ann, 0)]);
  for (let round = 1; round <= 40; round++) {
    const end = new AbortController();
    const topics = [{ topic: 'candles', params: { token: coin, interval: 60 } }];
    const stream = dex.stream(topics, { signal: end.signal });
    await stream.ready;
    const listening = stream.listen(() => {
      assert.equal(end.signal.aborted, false, `round ${round}`);
      return true;
    });
    await dex.ingest([swap(ann, round)]);
    for (let turn = 0; turn < round; turn++) await Promise.resolve();
    end.abort();
    await listening;
  }
  await dex.close();
});

test('who leaves a large commit half way goes on with the rest of it, by the loop and by the cursor', async () => {
  const dex = await open();
  const subscription = dex.subscribe('swaps');
  await subscription.ready;
  await dex.ingest(Array.from({ length: 2500 }, (_, i) => swap(ann, i)));
  const counts: number[] = [];
  for await (const { data } of subscription) {
    counts.push(data.length);
    break;
  }
  const { cursor } = subscription;
  for await (const { data } of subscription) {
    counts.push(data.length);
    if (counts.length === 3) break;
  }
  assert.deepEqual(counts, [1000, 1000, 500]);
  // A cursor stands between commits: with part of one the place is before it.
  let again = 0;
  for await (const { data } of dex.subscribe('swaps', {}, { after: cursor })) {
    again += data.length;
    if (again >= 2500) break;
  }
  assert.equal(again, 2500);
  const last = subscription.cursor;
  await dex.ingest([swap(ben, 3000)]);
  const only = await reader(dex.subscribe('swaps', {}, { after: last }))();
  assert.equal(only.data.length, 1);
  await dex.close();
});
