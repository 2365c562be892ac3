import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAUNCH, launchStore } from './support/launches.ts';

/** The case that docs/reference/launches.md works by hand. */
async function caseL() {
  const store = await launchStore();
  await store.dex.ingest([
    store.bought('D', 50_000, { index: 10 }),
    store.bought('B1', 20_000, { index: 11, tx: 'b' }),
    store.bought('B2', 20_000, { index: 11, tx: 'b' }),
    store.bought('B3', 10_000, { index: 12 }),
    store.bought('B4', 10_000, { index: 13 }),
    store.bought('H', 5_000, { index: 900 }),
    store.bought('S', 5_000, { after: 2, slot: 105, index: 7 }),
  ]);
  return store;
}

test('the case by hand has one bundle of four wallets with 6 %, six snipers with 7 %, a dev with 5 %', async () => {
  const store = await caseL();
  const { tx_hash, ...launch } = await store.launch();
  assert.deepEqual(launch, {
    source: 'created_at',
    launched_at: '2023-11-14T22:13:20Z',
    after_creation: 60,
    block_slot: 100,
    sniper_count: 6,
    bundle_count: 1,
    bundler_count: 4,
    // No transfers.
    insider_count: null,
    dev_bought_share: 5,
    dev_held_share: 5,
    dev_pnl: 0,
    sniper_bought_share: 7,
    sniper_held_share: 7,
    sniper_pnl: 0,
    bundler_bought_share: 6,
    bundler_held_share: 6,
    bundler_pnl: 0,
    insider_bought_share: null,
    insider_held_share: null,
    insider_pnl: null,
  });
  assert.deepEqual(await store.roles(), {
    D: 'dev',
    B1: 'sniper bundler',
    B2: 'sniper bundler',
    B3: 'sniper bundler',
    B4: 'sniper bundler',
    H: 'sniper',
    S: 'sniper',
  });
});

test('buyers come in chain order with what they bought, and each role with the transaction that shows it', async () => {
  const store = await caseL();
  await store.dex.ingest([store.sold('B1', 5_000, { after: 60 }), store.bought('B1', 1_000, { after: 70 })]);
  const { count, data, bundles, launch } = await store.dex.tokens.buyers({ token: 'T' });
  assert.equal(count, 7);
  assert.deepEqual(
    data.map(({ rank, wallet, supply_share }) => [rank, wallet, supply_share]),
    [
      [1, 'D', 5],
      [2, 'B1', 2],
      [3, 'B2', 2],
      [4, 'B3', 1],
      [5, 'B4', 1],
      [6, 'H', 0.5],
      [7, 'S', 0.5],
    ],
  );
  const [, first, , , , , last] = data;
  // 20,000 - 5,000 + 1,000
  assert.deepEqual([first!.token_amount, first!.held, first!.sold, first!.made], [20_000, 16_000, 5_000, 0]);
  const place = { block_time: LAUNCH, block_slot: 100, tx_index: 11, tx_hash: 'b', from: null };
  assert.deepEqual(first!.evidence, [
    { role: 'sniper', rule: 'seconds', bundle: null, token_amount: null, steps: null, transactions: [place] },
    { role: 'bundler', rule: 'bundle_neighbours', bundle: 0, token_amount: null, steps: null, transactions: [place] },
  ]);
  assert.deepEqual([last!.seconds_after, last!.slots_after, last!.tx_index], [2, 5, 7]);
  assert.deepEqual(
    bundles!.map(({ rule, wallets, transactions }) => [rule, wallets, transactions.map((one) => one.tx_index)]),
    [['neighbours', ['B1', 'B2', 'B3', 'B4'], [11, 12, 13]]],
  );
  assert.deepEqual([launch!.source, launch!.block_slot, launch!.tx_index, launch!.dev], ['created_at', 100, 10, 'D']);
});

test('buyers before a time, and page by page', async () => {
  const store = await caseL();
  const before = await store.dex.tokens.buyers({ token: 'T', before: '2023-11-14T22:13:22Z' });
  assert.deepEqual([before.count, before.data.at(-1)!.wallet, before.has_more], [6, 'H', false]);
  const wallets: string[] = [];
  for await (const page of store.dex.pages('tokens.buyers', { token: 'T', limit: 3 }))
    wallets.push(page.data.map(({ rank, wallet }) => `${rank}${wallet}`).join(' '));
  assert.deepEqual(wallets, ['1D 2B1 3B2', '4B3 5B4 6H', '7S']);
});

test('1,000 buyers are ranked, and the answer says that there are more', async () => {
  const store = await launchStore();
  const swaps = Array.from({ length: 1001 }, (_, i) => store.bought(`W${i}`, 1, { after: i * 10 }));
  await store.dex.ingest(swaps.slice(0, 1000));
  const most = await store.dex.tokens.buyers({ token: 'T', limit: 100 });
  assert.deepEqual([most.count, most.has_more], [1000, false]);
  await store.dex.ingest(swaps.slice(1000));
  const more = await store.dex.tokens.buyers({ token: 'T', limit: 1 });
  assert.deepEqual([more.count, more.has_more], [1000, true]);
});

test('an unknown token has no buyers and no launch', async () => {
  const { dex } = await caseL();
  assert.deepEqual(await dex.tokens.buyers({ token: 'X' }), {
    count: 0,
    data: [],
    has_more: false,
    launch: null,
    bundles: null,
    insiders: null,
  });
});

test('the launch: of a token with created_at its first swap, which says when the creation came later', async () => {
  for (const [created_at, source, after] of [
    [LAUNCH - 10, 'created_at', 10],
    [LAUNCH, 'created_at', 0],
    [LAUNCH + 1, 'first_swap', -1],
  ] as const) {
    const store = await launchStore({ registered: { created_at } });
    await store.buy('A', 10);
    const { source: found, after_creation } = await store.launch();
    assert.deepEqual([found, after_creation], [source, after]);
  }
});

test('the launch: without created_at it takes a store that begins an hour before, and five buyers within the hour', async () => {
  const opened = async (before: number, buyers: number, last = 3600) => {
    const store = await launchStore({ registered: null });
    await store.dex.ingest([
      store.bought('Z', 1, { after: -before, slot: 1 }, 'OTHER'),
      ...Array.from({ length: buyers }, (_, i) =>
        store.bought(`W${i}`, 10, { after: i === buyers - 1 ? last : i * 20 }),
      ),
    ]);
    return (await store.launch()).source;
  };
  assert.equal(await opened(3600, 5), 'activity');
  assert.equal(await opened(3599, 5), null);
  assert.equal(await opened(3600, 4), null);
  assert.equal(await opened(3600, 5, 3601), null);
});

test('the launch: none of a quote token, and of none nobody has a role, a rank or a number', async () => {
  const store = await caseL();
  await store.dex.tokens.upsert([{ address: 'USDC', created_at: LAUNCH - 60, total_supply: 1 }]);
  assert.deepEqual(new Set(Object.values(await store.launch('USDC'))), new Set([null]));
  const unknown = await launchStore({ registered: null });
  await unknown.buy('A', 10);
  const { data, launch } = await unknown.dex.tokens.buyers({ token: 'T' });
  assert.equal(launch, null);
  assert.deepEqual(
    data.map(({ rank, seconds_after, slots_after, roles }) => ({ rank, seconds_after, slots_after, roles })),
    [{ rank: null, seconds_after: null, slots_after: null, roles: [] }],
  );
});

test('a sniper buys first within five seconds, or in the launch block or the next one', async () => {
  const store = await launchStore();
  await store.dex.ingest([
    store.bought('A', 10, { slot: 100 }),
    store.bought('B', 10, { after: 5, slot: 110 }),
    store.bought('C', 10, { after: 6, slot: 111 }),
    store.bought('D', 10, { after: 1, slot: 102 }),
  ]);
  assert.deepEqual(await store.roles(), { A: 'sniper', B: 'sniper', D: 'dev' });
  // Blocks of twelve seconds: the next one is the launch, too, the one after is not.
  const slow = await launchStore();
  await slow.dex.ingest([
    slow.bought('A', 10, { slot: 100 }),
    slow.bought('B', 10, { after: 12, slot: 101 }),
    slow.bought('C', 10, { after: 24, slot: 102 }),
  ]);
  assert.deepEqual(await slow.roles(), { A: 'sniper', B: 'sniper' });
  assert.equal((await slow.dex.tokens.buyers({ token: 'T' })).data[1]!.evidence[0]!.rule, 'block');
});

test('a wallet that sells first is no sniper', async () => {
  const store = await launchStore();
  await store.dex.ingest([
    store.bought('A', 10),
    store.sold('B', 10, { after: 1 }),
    store.bought('B', 10, { after: 2 }),
  ]);
  assert.deepEqual(await store.roles(), { A: 'sniper' });
});

test('three wallets side by side are no bundle, and four with a gap between them are none', async () => {
  for (const [indexes, bundlers] of [
    [[10, 11, 12], 0],
    [[10, 11, 12, 14], 0],
    [[10, 11, 12, 13], 4],
    [[10, 11, 13, 14, 15, 16], 4],
  ] as const) {
    const store = await launchStore();
    await store.dex.ingest(indexes.map((index) => store.bought(`W${index}`, 10, { index })));
    assert.equal((await store.launch()).bundler_count, bundlers, indexes.join(' '));
  }
});

test('neighbours of a block are side by side by their index, whatever time a feed gives each', async () => {
  const store = await launchStore();
  await store.dex.ingest([
    store.bought('A', 10, { index: 13 }),
    store.bought('B', 10, { index: 20 }),
    ...[10, 11, 12].map((index, i) => store.bought(`W${i}`, 10, { after: 1, slot: 100, index })),
  ]);
  const [bundle] = (await store.dex.tokens.buyers({ token: 'T' })).bundles!;
  assert.deepEqual(bundle!.wallets.toSorted(), ['A', 'W0', 'W1', 'W2']);
});

test('the dev between others closes the gap and does not count', async () => {
  const store = await launchStore();
  await store.dex.ingest([
    ...[10, 11, 13, 14].map((index) => store.bought(`W${index}`, 10, { index })),
    store.bought('D', 10, { index: 12 }),
  ]);
  assert.equal((await store.launch()).bundler_count, 4);
  const three = await launchStore();
  await three.dex.ingest([
    ...[10, 11, 13].map((index) => three.bought(`W${index}`, 10, { index })),
    three.bought('D', 10, { index: 12 }),
  ]);
  assert.equal((await three.launch()).bundler_count, 0);
});

test('two wallets that buy in one transaction are a bundle, and the dev is one of the two but no bundler', async () => {
  const store = await launchStore();
  await store.dex.ingest([
    store.bought('A', 10, { index: 1, tx: 'a' }),
    store.bought('D', 10, { index: 1, tx: 'a' }),
    store.bought('B', 10, { after: 3, index: 5, tx: 'b' }),
    store.bought('C', 10, { after: 3, index: 5, tx: 'b' }),
    store.bought('E', 10, { after: 30, index: 5, tx: 'c' }),
    store.bought('F', 10, { after: 30, index: 5, tx: 'c' }),
  ]);
  assert.deepEqual(await store.roles(), { A: 'sniper bundler', B: 'sniper bundler', C: 'sniper bundler', D: 'dev' });
});

test('without tx_index four in the launch block are a bundle where blocks are short, and elsewhere nobody knows', async () => {
  const bundlersOf = async (wallets: number, launch: object, chain = 'solana') => {
    const store = await launchStore({ config: { launch, chain } });
    await store.dex.ingest(Array.from({ length: wallets }, (_, i) => store.bought(`W${i}`, 10)));
    return (await store.launch()).bundler_count;
  };
  assert.equal(await bundlersOf(4, { block_seconds: 0.4 }), 4);
  assert.equal(await bundlersOf(3, { block_seconds: 0.4 }), 0);
  assert.equal(await bundlersOf(4, { block_seconds: 1 }), null);
  // The preset says how long blocks of Solana take, and nothing of a chain of one's own.
  assert.equal(await bundlersOf(4, {}), 4);
  assert.equal(await bundlersOf(4, {}, 'mine'), null);
});

test('without block slots nobody knows the bundles, and seconds alone make snipers', async () => {
  const store = await launchStore();
  await store.dex.ingest([
    store.bought('A', 10, { slot: null, index: 3 }),
    store.bought('B', 10, { slot: null, after: 6 }),
  ]);
  const { bundler_count, sniper_count, bundler_bought_share, sniper_bought_share } = await store.launch();
  assert.deepEqual([bundler_count, bundler_bought_share], [null, null]);
  assert.deepEqual([sniper_count, sniper_bought_share], [1, 0.001]);
});

test('without a supply there are counts and results, and no shares and insiders', async () => {
  const store = await launchStore({ registered: { total_supply: undefined } });
  await store.dex.ingest([store.bought('A', 100, { index: 1 }), store.sold('A', 50, { after: 9 })]);
  await store.sent('D', 'X', 5_000);
  const { sniper_count, sniper_pnl, sniper_bought_share, insider_count } = await store.launch();
  assert.deepEqual([sniper_count, sniper_pnl, sniper_bought_share, insider_count], [1, 0, null, null]);
  assert.equal((await store.dex.tokens.buyers({ token: 'T' })).data[0]!.supply_share, null);
});

test('what a role made is what its wallets realised, and their lots at the mark', async () => {
  const store = await launchStore();
  await store.dex.ingest([
    store.bought('A', 100, { index: 1 }),
    // At 3 USD each: 40 sold make 80, 60 left make 120.
    { ...store.sold('A', 40, { after: 600 }), token_amount_out: 120 },
  ]);
  const { sniper_pnl, sniper_held_share } = await store.launch();
  assert.deepEqual([sniper_pnl, sniper_held_share], [200, 0.006]);
  const position = await store.dex.positions.get({ wallet: 'A', token: 'T' });
  assert.equal(position.holding!.realized_pnl! + position.holding!.unrealized_pnl!, 200);
});

test('as of an instant the launch is as if nothing later had come', async () => {
  const store = await caseL();
  await store.sell('B1', 20_000, { after: 3600 });
  const options = { include_launch: true };
  const now = (await store.dex.at(LAUNCH + 3600).tokens.get({ token: 'T', options })).launch!;
  const then = (await store.dex.at(LAUNCH + 1).tokens.get({ token: 'T', options })).launch!;
  assert.deepEqual([now.sniper_count, now.bundler_held_share], [6, 4]);
  assert.deepEqual([then.sniper_count, then.bundler_held_share], [5, 6]);
});

test('a swap that comes late moves the launch at once, and a rollback takes it back', async () => {
  const store = await caseL();
  await store.launch();
  // Eight seconds before: none of the others is within the span any more.
  await store.buy('EARLY', 10, { after: -8, slot: 80, index: 1 });
  assert.deepEqual(await store.roles(), { EARLY: 'sniper', D: 'dev' });
  await store.dex.rollback({ from_block_slot: 100 });
  await store.buy('LATE', 10, { after: 2, slot: 105, index: 1 });
  assert.deepEqual(await store.roles(), { EARLY: 'sniper' });
});

test('another creator, supply or creation time counts at once', async () => {
  const store = await caseL();
  await store.launch();
  await store.dex.tokens.upsert([{ address: 'T', creator_address: 'B1', total_supply: 500_000 }]);
  const { dev_bought_share, bundler_count } = (
    await store.dex.tokens.get({ token: 'T', options: { include_launch: true } })
  ).launch!;
  // D, B2, B3 and B4 are side by side at 10 to 13.
  assert.deepEqual([dev_bought_share, bundler_count], [4, 4]);
});

test('behind the horizon nobody knows a launch, and nobody has a rank', async () => {
  const store = await caseL();
  await store.dex.ingest([
    store.bought('N', 10, { after: 50 * 86_400, index: 1 }),
    store.bought('N', 10, { after: 50 * 86_400, index: 1 }, 'NEW'),
  ]);
  await store.dex.tokens.upsert([{ address: 'NEW', created_at: LAUNCH + 50 * 86_400, total_supply: 100 }]);
  await store.dex.prune({ keep: '40d' });
  assert.deepEqual(new Set(Object.values(await store.launch())), new Set([null]));
  const { data, launch } = await store.dex.tokens.buyers({ token: 'T' });
  assert.deepEqual([launch, data.map(({ rank, roles }) => [rank, roles])], [null, [[null, []]]]);
  assert.equal((await store.launch('NEW')).sniper_bought_share, 10);
});

test('a position says on request what its wallet was at the launch', async () => {
  const store = await caseL();
  await store.dex.refresh();
  const options = { include_launch: true };
  const get = (wallet: string) => store.dex.positions.get({ wallet, token: 'T', options });
  assert.deepEqual((await get('B1')).metadata, { roles: ['sniper', 'bundler'] });
  assert.deepEqual((await get('D')).metadata?.roles, ['dev']);
  const both = await store.dex.positions.get({
    wallet: 'H',
    token: 'T',
    options: { ...options, include_metadata: true },
  });
  assert.deepEqual([both.metadata!.state, both.metadata!.roles], ['open', ['sniper']]);
  assert.equal('roles' in (await store.dex.positions.get({ wallet: 'H', token: 'T' })).metadata!, false);
  const { data } = await store.dex.positions.search({ filter: { token_address: 'T' }, options });
  const found = data.map(({ wallet_address: wallet, metadata }) => [wallet, metadata!.roles!.join(' ')]);
  assert.deepEqual(Object.fromEntries(found), await store.roles());
});

test('a wallet says on request how many launches it sniped in each window', async () => {
  const store = await caseL();
  await store.dex.tokens.upsert([{ address: 'U', created_at: LAUNCH + 5 * 86_400 }]);
  const five = 5 * 86_400;
  await store.dex.ingest([
    store.bought('A', 10, { after: five }, 'U'),
    store.bought('B1', 10, { after: five + 5 }, 'U'),
    store.bought('H', 10, { after: five + 6 }, 'U'),
    store.bought('B2', 10, { after: five + 1 }, 'T'),
  ]);
  await store.dex.refresh();
  const options = { include_launch: true, include_metrics: ['1d', '7d'] as const };
  const counts = async (wallet: string) => {
    const { metrics } = await store.dex.wallets.get({ wallet, options });
    return [metrics!['1d']!.sniper_entry_count, metrics!['7d']!.sniper_entry_count];
  };
  assert.deepEqual(await counts('B1'), [1, 2]);
  assert.deepEqual(await counts('B2'), [0, 1]);
  assert.deepEqual(await counts('H'), [0, 1]);
  // The dev snipes nothing of its own.
  assert.deepEqual(await counts('D'), [0, 0]);
  const alone = await store.dex.wallets.get({ wallet: 'B1', options: { include_launch: true } });
  assert.deepEqual(alone.metrics!['30d'], { sniper_entry_count: 2 });
});

test('sniper entries are unknown in a window in which the wallet traded over 5,000 tokens, and only there', async () => {
  const countsAfter = async (old: number) => {
    const { dex, bought } = await caseL();
    const created = LAUNCH + 2 * 86_400;
    await dex.tokens.upsert([{ address: 'NEW', created_at: created }]);
    const swaps = Array.from({ length: old }, (_, i) => bought('S', 1, { after: 3600 }, `old${i}`));
    await dex.ingest([...swaps, bought('S', 1, { after: 2 * 86_400 }, 'NEW')]);
    await dex.refresh();
    const options = { include_launch: true, include_metrics: ['1d', '7d'] as const };
    const { metrics } = await dex.wallets.get({ wallet: 'S', options });
    return [metrics!['1d']!.sniper_entry_count, metrics!['7d']!.sniper_entry_count];
  };
  // Beside the old ones S sniped T two days ago, and NEW.
  assert.deepEqual(await countsAfter(4998), [1, 2]);
  assert.deepEqual(await countsAfter(4999), [1, null]);
});

test('a page with launches has at most 20 profiles, and the error says so', async () => {
  const { dex } = await caseL();
  await dex.refresh();
  const options = { include_launch: true };
  const { data } = await dex.tokens.search({ options });
  assert.equal(data.find(({ token_address }) => token_address === 'T')!.launch!.sniper_count, 6);
  await assert.rejects(dex.tokens.search({ options, limit: 21 }), {
    code: 'invalid-request',
    message: '"options.include_launch" is computed when it is asked for: "limit" may be at most 20 with it, and is 21.',
  });
});

test('a filter or a sort by what a launch says is refused with the way to get it', async () => {
  const { dex } = await caseL();
  await dex.refresh();
  const how =
    'It is computed for profiles whose request has "options.include_launch": no search can filter or sort by it.';
  await assert.rejects(dex.call('tokens.search', { filter: { 'launch.sniper_count': 1 } as never }), {
    code: 'unknown-field',
    message: `Unknown field "launch.sniper_count" in filter. ${how}`,
  });
  await assert.rejects(dex.call('wallets.search', { sort: { field: 'metrics.7d.sniper_entry_count' as never } }), {
    code: 'unknown-field',
    message: `Unknown field "metrics.7d.sniper_entry_count" in sort. ${how}`,
  });
  await assert.rejects(dex.call('positions.search', { filter: { 'metadata.roles': 'dev' } as never }), {
    code: 'unknown-field',
    message: `Unknown field "metadata.roles" in filter. ${how}`,
  });
});

test('a threshold that cannot be names itself, what came and what would do', async () => {
  for (const [launch, message] of [
    [{ bundle_wallets: 1 }, /"launch.bundle_wallets".*received 1/],
    [{ insider_share: 0 }, /"launch.insider_share": expected a number above 0 \(received 0\)/],
    [{ sniper_second: 5 }, /"launch.sniper_second": unknown field. Did you mean "sniper_seconds"/],
    [{ block_seconds: 'fast' }, /"launch.block_seconds".*received "fast"/],
  ] as const)
    await assert.rejects(launchStore({ config: { launch: launch as object } }), { code: 'invalid-config', message });
});
