import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput, type WalletFilter } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';

const config = {
  address_format: 'any',
  quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }],
} as const;

const buy = (n: number, wallet: string): SwapInput => ({
  tx_hash: `tx-${n}`,
  swap_index: 0,
  block_time: 1_704_412_800 + n,
  wallet,
  token_in: 'USD',
  token_amount_in: 10,
  token_out: 'T',
  token_amount_out: 5,
});

const nobody = { name: null, twitter_username: null, telegram_username: null };
const ann = { name: 'Ann Example', twitter_username: 'ann_x', telegram_username: null };
const cat = { name: 'cat', twitter_username: null, telegram_username: 'cat_t' };

/** Ann and Bob trade; the registry knows Ann and Cat. */
async function openStore(storage: Parameters<typeof Swapfold.open>[0]['storage']): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage, config });
  await dex.ingest([buy(1, 'ANN'), buy(2, 'BOB')]);
  await dex.wallets.upsert([
    { address: 'ANN', ...ann },
    { address: 'CAT', ...cat },
  ]);
  await dex.refresh();
  return dex;
}

const only = { include_identity: true } as const;

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: the identity of a wallet is what the registry says of it, beside its metadata`, () =>
    withFolder(async (folder) => {
      const dex = await openStore(open(folder));
      const known = [
        ['ANN', ann],
        ['BOB', nobody],
        ['CAT', cat],
      ] as const;
      for (const [wallet, identity] of known) {
        const profile = await dex.wallets.get({ wallet });
        assert.deepEqual(profile.identity, identity);
        const { name, twitter_username, telegram_username } = profile.metadata!;
        assert.deepEqual({ name, twitter_username, telegram_username }, identity);
        const { synced_at } = profile;
        const updated_at = wallet === 'CAT' ? null : profile.updated_at;
        assert.deepEqual(await dex.wallets.get({ wallet, options: only }), {
          updated_at,
          synced_at,
          wallet_address: wallet,
          identity,
        });
      }
      assert.equal((await dex.wallets.get({ wallet: 'ANN', options: { include_metadata: true } })).identity, undefined);
      assert.equal((await dex.wallets.get({ wallet: 'ANN', options: {} })).identity, undefined);
      assert.deepEqual(
        (await dex.at('2024-01-05T00:00:01Z').wallets.get({ wallet: 'ANN', options: only })).identity,
        ann,
      );
      await dex.close();
    }));

  test(`${engine}: filters, sorts and text queries take the fields of an identity as those of the metadata`, () =>
    withFolder(async (folder) => {
      const dex = await openStore(open(folder));
      const filters: readonly (readonly [filter: WalletFilter, found: readonly string[]])[] = [
        [{ 'identity.name': 'Ann Example' }, ['ANN']],
        [{ 'identity.twitter_username': { $startsWith: 'ANN' } }, ['ANN']],
        [{ 'identity.telegram_username': null }, ['ANN', 'BOB']],
        [{ 'identity.name': { $exists: true } }, ['ANN', 'CAT']],
        [{ 'identity.name': { $ne: 'cat' }, 'metadata.name': { $exists: true } }, ['ANN']],
      ];
      const sort = { field: 'wallet_address', direction: 'asc' } as const;
      for (const [filter, found] of filters) {
        const { data } = await dex.wallets.search({ filter, sort, options: {} });
        const asked = JSON.stringify(filter);
        assert.deepEqual(
          data.map((profile) => profile.wallet_address),
          found,
          asked,
        );
      }
      const sorted = await dex.wallets.search({ sort: { field: 'identity.name', direction: 'desc' }, options: only });
      assert.deepEqual(
        sorted.data.map((profile) => profile.identity),
        [cat, ann, nobody],
      );
      const texts = [
        [{ text: 'ann_x', fields: ['identity.twitter_username'] }, ['ANN']],
        [{ text: 'ann', fields: ['identity.name', 'metadata.name'] }, ['ANN']],
        [{ text: 'exmaple', fields: ['identity.name'], fuzzy: true }, ['ANN']],
        [{ text: 'cat_t', fields: ['identity.name'] }, []],
        [{ text: 'cat_t' }, ['CAT']],
      ] as const;
      for (const [query, found] of texts) {
        const { data, count } = await dex.wallets.search({ query, options: {} });
        assert.deepEqual(
          data.map((profile) => profile.wallet_address),
          found,
          JSON.stringify(query),
        );
        assert.equal(count, found.length);
      }
      await dex.close();
    }));

  test(`${engine}: a change of the registry reaches the identity at the next refresh`, () =>
    withFolder(async (folder) => {
      const dex = await openStore(open(folder));
      await dex.wallets.upsert([{ address: 'ANN', telegram_username: 'ann_t' }]);
      assert.deepEqual((await dex.wallets.get({ wallet: 'ANN', options: only })).identity, ann);
      await dex.refresh();
      const changed = { ...ann, telegram_username: 'ann_t' };
      assert.deepEqual((await dex.wallets.get({ wallet: 'ANN', options: only })).identity, changed);
      const { data } = await dex.wallets.search({ filter: { 'identity.telegram_username': 'ann_t' }, explain: true });
      assert.deepEqual(data[0]?.explain?.filter, {
        path: 'identity.telegram_username',
        operator: '$eq',
        operand: 'ann_t',
        actual: 'ann_t',
        held: true,
      });
      await dex.close();
    }));
}

test('tokens have no identity, and an unknown one of wallets gets the nearest name', async () => {
  const dex = await openStore(engines.memory!(''));
  const wrong: readonly (readonly [operation: string, body: object, says: RegExp])[] = [
    ['tokens.get', { token: 'T', options: { include_identity: true } }, /"include_identity" in options/],
    ['tokens.search', { filter: { 'identity.name': 'a' } }, /"identity.name" in filter/],
    ['tokens.search', { query: { text: 'a', fields: ['identity.name'] } }, /"identity.name" in query.fields/],
    ['wallets.search', { filter: { 'identity.nam': 'a' } }, /Did you mean "identity.name"\?/],
    [
      'wallets.search',
      { query: { text: 'a', fields: ['identity.twiter_username'] } },
      /Did you mean "identity.twitter_/,
    ],
    ['wallets.get', { wallet: 'ANN', options: { include_identity: 'yes' } }, /options.include_identity.*boolean/],
  ];
  for (const [operation, body, says] of wrong)
    await assert.rejects(dex.call(operation, body), { status: 400, message: says }, operation);
  await dex.close();
});

test('the types of options are those of the kind of profile', async () => {
  const dex = await openStore(engines.memory!(''));
  // @ts-expect-error: tokens have no identity
  await assert.rejects(dex.tokens.get({ token: 'T', options: { include_identity: true } }), { status: 400 });
  // @ts-expect-error: wallets have no market
  await assert.rejects(dex.wallets.get({ wallet: 'ANN', options: { include_market: true } }), { status: 400 });
  await dex.close();
});
