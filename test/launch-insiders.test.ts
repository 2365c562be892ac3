import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAUNCH, type LaunchStoreOptions, launchStore } from './support/launches.ts';

/** A launch by D with a bundle of B1 to B4; an insider got at least 1,000 of the 1,000,000. */
async function bundled(options?: LaunchStoreOptions) {
  const store = await launchStore(options);
  await store.dex.ingest([
    store.bought('D', 50_000, { index: 10 }),
    ...[1, 2, 3, 4].map((i) => store.bought(`B${i}`, 10_000, { index: 10 + i })),
  ]);
  return store;
}

type Store = Awaited<ReturnType<typeof bundled>>;

/** The insiders, each with what it got, in how many steps. */
async function insidersOf({ dex }: Store): Promise<Readonly<Record<string, string>>> {
  const { insiders } = await dex.tokens.buyers({ token: 'T' });
  return Object.fromEntries(
    insiders!.map(({ wallet, evidence }) => {
      const { token_amount, steps } = evidence.find(({ role }) => role === 'insider')!;
      return [wallet, `${token_amount} in ${steps}`];
    }),
  );
}

test('who got 0.1 % of the supply from the dev and sold some is an insider, with the transfers that show it', async () => {
  const store = await bundled();
  await store.sent('D', 'X', 600, { after: 10, slot: 130, index: 4, tx: 'first' });
  await store.sent('D', 'X', 400, { after: 11, tx: 'second' });
  await store.sell('X', 100, { after: 20 });
  const { insiders } = await store.dex.tokens.buyers({ token: 'T' });
  assert.deepEqual(insiders, [
    {
      wallet: 'X',
      held: 900,
      sold: 100,
      // What it sold had no cost.
      made: 0,
      roles: ['insider'],
      evidence: [
        {
          role: 'insider',
          rule: 'transfers',
          bundle: null,
          token_amount: 1000,
          steps: 1,
          transactions: [
            { block_time: LAUNCH + 10, block_slot: 130, tx_index: 4, tx_hash: 'first', from: 'D' },
            { block_time: LAUNCH + 11, block_slot: null, tx_index: null, tx_hash: 'second', from: 'D' },
          ],
        },
      ],
    },
  ]);
  const { insider_count, insider_bought_share, insider_held_share, insider_pnl } = await store.launch();
  assert.deepEqual([insider_count, insider_bought_share, insider_held_share, insider_pnl], [1, 0, 0.09, 0]);
});

test('a little less, or without a sell, is no insider: nobody is framed by dust', async () => {
  const store = await bundled();
  await store.sent('D', 'LESS', 999, { after: 10 });
  await store.sent('D', 'KEEPS', 20_000, { after: 10 });
  await store.sell('LESS', 100, { after: 20 });
  assert.deepEqual(await insidersOf(store), {});
});

test('what comes after the first sell does not count, and what comes in its transaction does', async () => {
  const store = await bundled();
  await store.sent('D', 'AFTER', 999, { after: 10 });
  await store.sent('D', 'AFTER', 5_000, { after: 21 });
  await store.sell('AFTER', 100, { after: 20 });
  await store.sent('D', 'WITH', 1_000, { after: 30, slot: 175, tx: 'both' });
  await store.sell('WITH', 100, { after: 30, tx: 'both' });
  assert.deepEqual(await insidersOf(store), { WITH: '1000 in 1' });
});

test('a bundler passes tokens on from its buy on, the dev at any time, a stranger never', async () => {
  const store = await bundled();
  await store.sent('B1', 'EARLY', 2_000, { after: -30 });
  await store.sent('B1', 'X', 2_000, { after: 30 });
  await store.sent('D', 'BEFORE', 3_000, { after: -3600 });
  await store.sent('STRANGER', 'Y', 3_000, { after: 30 });
  for (const wallet of ['EARLY', 'X', 'BEFORE', 'Y']) await store.sell(wallet, 10, { after: 60 });
  assert.deepEqual(await insidersOf(store), { BEFORE: '3000 in 1', X: '2000 in 1' });
});

test('a wallet between the dev and the seller hides nothing, two of them do', async () => {
  const store = await bundled();
  await store.sent('D', 'ONE', 5_000, { after: 10 });
  await store.sent('ONE', 'TWO', 4_000, { after: 20 });
  await store.sent('TWO', 'THREE', 3_000, { after: 30 });
  for (const wallet of ['TWO', 'THREE']) await store.sell(wallet, 10, { after: 60 });
  assert.deepEqual(await insidersOf(store), { TWO: '4000 in 2' });
  const three = await bundled({ config: { launch: { insider_steps: 3 } } });
  await three.sent('D', 'ONE', 5_000, { after: 10 });
  await three.sent('ONE', 'TWO', 4_000, { after: 20 });
  await three.sent('TWO', 'THREE', 3_000, { after: 30 });
  for (const wallet of ['TWO', 'THREE']) await three.sell(wallet, 10, { after: 60 });
  assert.deepEqual(await insidersOf(three), { TWO: '4000 in 2', THREE: '3000 in 3' });
});

test('who had not got enough yet passes nothing on', async () => {
  const store = await bundled();
  await store.sent('ONE', 'TWO', 4_000, { after: 5 });
  await store.sent('D', 'ONE', 5_000, { after: 10 });
  for (const wallet of ['ONE', 'TWO']) await store.sell(wallet, 10, { after: 60 });
  assert.deepEqual(await insidersOf(store), { ONE: '5000 in 1' });
});

test('a pool that the dev fills is no insider, and passes nothing on', async () => {
  const store = await bundled();
  await store.dex.ingest([{ ...store.bought('A', 10, { after: 9 }), pool: 'POOL' }]);
  await store.sent('D', 'POOL', 500_000, { after: 10 });
  await store.sent('POOL', 'Y', 50_000, { after: 20 });
  for (const wallet of ['POOL', 'Y']) await store.sell(wallet, 10, { after: 60 });
  assert.deepEqual(await insidersOf(store), {});
});

test('a movement of a swap that a transfer lists is none: who buys of the dev is no insider', async () => {
  const store = await bundled();
  await store.buy('Y', 5_000, { after: 10, tx: 'swap' });
  await store.sent('D', 'Y', 5_000, { after: 10, tx: 'swap' }, { includes_swaps: true });
  await store.sent('D', 'Z', 5_000, { after: 10, tx: 'plain' }, { includes_swaps: true });
  for (const wallet of ['Y', 'Z']) await store.sell(wallet, 10, { after: 60 });
  assert.deepEqual(await insidersOf(store), { Z: '5000 in 1' });
});

test('as of an instant before the sell nobody is an insider', async () => {
  const store = await bundled();
  await store.sent('D', 'X', 5_000, { after: 10 });
  await store.sell('X', 10, { after: 60 });
  const insidersAt = async (after: number) =>
    (await store.dex.at(LAUNCH + after).tokens.buyers({ token: 'T' })).insiders;
  assert.deepEqual(await insidersAt(59), []);
  assert.equal((await insidersAt(60))!.length, 1);
});

test('a creator that is in no swap passes tokens on, and what it holds is unknown', async () => {
  const store = await bundled({ registered: { creator_address: 'C' } });
  await store.sent('C', 'X', 5_000, { after: 10 });
  await store.sell('X', 10, { after: 60 });
  assert.deepEqual(await insidersOf(store), { X: '5000 in 1' });
  const { dev_bought_share, dev_held_share, dev_pnl } = await store.launch();
  assert.deepEqual([dev_bought_share, dev_held_share, dev_pnl], [0, null, null]);
});

test('without a creator the dev is null, and bundlers pass tokens on', async () => {
  const store = await bundled({ registered: { creator_address: undefined } });
  await store.sent('B2', 'X', 5_000, { after: 10 });
  await store.sell('X', 10, { after: 60 });
  assert.deepEqual(await insidersOf(store), { X: '5000 in 1' });
  const { dev_bought_share, insider_count } = await store.launch();
  assert.deepEqual([dev_bought_share, insider_count], [null, 1]);
});

test('insiders are unknown if the dev sent the token more than 50,000 times', async () => {
  const store = await bundled();
  const send = (from: number, to: number) =>
    store.dex.transfers.ingest(
      Array.from({ length: to - from }, (_, i) => ({
        tx_hash: `sent${from + i}`,
        transfer_index: 0,
        block_time: LAUNCH + 10,
        token: 'T',
        token_amount: 0.1,
        from: 'D',
        to: 'X',
      })),
    );
  await send(0, 50_000);
  await store.sell('X', 1, { after: 20 });
  const { insider_count } = await store.launch();
  assert.equal(insider_count, 1);
  await send(50_000, 50_001);
  assert.equal((await store.dex.tokens.buyers({ token: 'T' })).insiders, null);
  assert.equal((await store.launch()).insider_count, null);
});
