import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type PositionProfile, Swapfold, type WalletProfile } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { generateMarket } from '@swapfold/testing';
import { engines, withFolder } from '../../../test/support/engines.ts';
import { ANN, at, BOB, CAT, NOBODY, swaps, T, U, USDC } from '../../server/test/service.ts';
import { type Agent, agentIn } from './agent.ts';

const market = generateMarket({ seed: 41, swaps: 3000 });

async function openSmall(storage: StorageAdapter): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage });
  await dex.ingest([...swaps]);
  await dex.tokens.upsert([{ address: T, symbol: 'TEE', name: 'Tee Token', verified: true, total_supply: 1000 }]);
  await dex.refresh();
  return dex;
}

async function openMarket(storage: StorageAdapter): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage, config: market.config });
  await dex.ingest(market.swaps());
  await dex.refresh();
  return dex;
}

for (const engine of ['sqlite', 'duckdb'] as const)
  describe(engine, () => {
    let small: Agent;
    let large: Agent;
    let dex: Swapfold;
    let end: () => void;
    let ended: Promise<void>;
    before(async () => {
      await new Promise<void>((ready, fail) => {
        ended = withFolder(async (folder) => {
          const stores = [await openSmall(engines[engine]!(folder, 0)), await openMarket(engines[engine]!(folder, 1))];
          dex = stores[1]!;
          [small, large] = await Promise.all([agentIn(stores[0]!), agentIn(dex)]);
          ready();
          await new Promise<void>((resolve) => {
            end = resolve;
          });
          for (const store of stores) await store.close();
        });
        ended.catch(fail);
      });
    });
    after(async () => {
      end();
      await ended;
    });

    test('an agent that starts with store_info learns what there is', async () => {
      const info = await small.ask('store_info');
      assert.equal(info.chain, 'solana');
      assert.equal(info.engine, engine);
      assert.deepEqual([info.swaps, info.wallets], [25, 3]);
      assert.equal(info.last_swap_at, Date.parse(at(9000)) / 1000);
      assert.deepEqual(info.windows.wallets, ['30d', '14d', '7d', '3d', '1d']);
      assert.ok(info.labels.wallets.includes('sniper'));
    });

    test('store_info says what fields mean, by a text, in pages', async () => {
      const about = await small.ask('store_info', { fields_of: 'wallets', containing: 'drawdown' });
      const [field] = about.fields.filter(({ name }: { name: string }) => name === 'max_drawdown');
      assert.equal(field.unit, 'percent');
      assert.match(field.meaning, /fall/);
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await small.ask('store_info', { fields_of: 'tokens', limit: 17, cursor });
        names.push(...page.fields.map(({ name }: { name: string }) => name));
        cursor = page.cursor;
        assert.ok(page.fields.length <= 17);
        if (cursor === undefined) assert.equal(names.length, page.field_count);
      } while (cursor !== undefined);
      assert.equal(new Set(names).size, names.length);
      for (const name of ['volume', 'price', 'age', 'symbol', 'labels']) assert.ok(names.includes(name), name);
    });

    test('find_wallets finds by words what a filter finds', async () => {
      const found = await small.ask('find_wallets', {
        where: [
          { field: 'pnl', is: 'above', value: 10 },
          { field: 'last_trade_at', is: 'at least', value: at(3600) },
        ],
        window: '1d',
        fields: ['pnl', 'winrate'],
      });
      // Ann bought 50 T for 100 USD and sold half of them for 100.
      assert.equal(found.count, 1);
      assert.equal(found.data[0].wallet_address, ANN);
      assert.deepEqual(found.data[0].metrics, { '1d': { pnl: 50, winrate: 100 } });
    });

    const words: readonly (readonly [where: object[], filter: object])[] = [
      [[{ field: 'trade_count', is: 'at most', value: 3 }], { 'metrics.7d.trade_count': { $lte: 3 } }],
      [[{ field: 'pnl', is: 'below', value: 0 }], { 'metrics.7d.pnl': { $lt: 0 } }],
      [[{ field: 'roi', is: 'known' }], { 'metrics.7d.roi': { $exists: true } }],
      [[{ field: 'roi', is: 'unknown' }], { 'metrics.7d.roi': { $exists: false } }],
      [[{ field: 'days_active', is: 'one of', value: [1, 2] }], { 'metrics.7d.days_active': { $in: [1, 2] } }],
      [[{ field: 'days_active', is: 'none of', value: [1, 2] }], { 'metrics.7d.days_active': { $nin: [1, 2] } }],
      [[{ field: 'days_active', is: 'is not', value: 1 }], { 'metrics.7d.days_active': { $ne: 1 } }],
      [[{ field: 'metrics.1d.volume', is: 'above', value: 500 }], { 'metrics.1d.volume': { $gt: 500 } }],
      [
        [
          { field: 'volume', is: 'above', value: 100 },
          { field: 'volume', is: 'below', value: 2000 },
        ],
        { 'metrics.7d.volume': { $gt: 100, $lt: 2000 } },
      ],
    ];
    test('each comparison in words is that of the filter language', async () => {
      for (const [where, filter] of words) {
        const said = await large.ask('find_wallets', { where, limit: 50 });
        const meant = await dex.wallets.search({
          filter,
          sort: { field: 'holding.floor_pnl', direction: 'desc' },
          limit: 50,
        });
        assert.ok(meant.count > 0, JSON.stringify(filter));
        assert.equal(said.count, meant.count, JSON.stringify(where));
        const addresses = (list: readonly WalletProfile[]) => list.map(({ wallet_address }) => wallet_address);
        assert.deepEqual(addresses(said.data), addresses(meant.data));
      }
    });

    test('find_wallets has the order of every leaderboard, and shows it, unless a sort or a name is given', async () => {
      const usual = await large.ask('find_wallets', { limit: 20 });
      const floors = usual.data.map(({ holding }: WalletProfile) => holding!.floor_pnl!);
      assert.deepEqual(
        floors,
        [...floors].sort((a, b) => b - a),
      );
      const byProfit = await large.ask('find_wallets', { limit: 20, sort: { field: 'pnl' }, fields: ['pnl'] });
      const profits = byProfit.data.map(({ metrics }: WalletProfile) => metrics!['7d']!.pnl!);
      assert.deepEqual(
        profits,
        [...profits].sort((a, b) => b - a),
      );
      assert.notDeepEqual(
        usual.data.map((one: WalletProfile) => one.wallet_address),
        byProfit.data.map((one: WalletProfile) => one.wallet_address),
      );
      assert.equal(byProfit.data[0].holding, undefined);
    });

    test('a filter takes what words cannot say, beside them', async () => {
      const filter = { $or: [{ 'metrics.7d.pnl': { $lt: -100 } }, { 'metrics.7d.pnl': { $gt: 100 } }] } as const;
      const where = [{ field: 'trade_count', is: 'above', value: 2 }];
      const said = await large.ask('find_wallets', { where, filter });
      const meant = await dex.wallets.search({
        filter: { $and: [{ 'metrics.7d.trade_count': { $gt: 2 } }, filter] },
        limit: 1,
      });
      assert.ok(meant.count > 0);
      assert.equal(said.count, meant.count);
    });

    test('pages go on to the last wallet, each once', async () => {
      const all: string[] = [];
      const args = { where: [{ field: 'volume', is: 'above', value: 0 }], sort: { field: 'volume' }, limit: 50 };
      let page = await large.ask('find_wallets', args);
      while (true) {
        all.push(...page.data.map((wallet: WalletProfile) => wallet.wallet_address));
        if (page.cursor === undefined) break;
        page = await large.ask('find_wallets', { ...args, cursor: page.cursor });
      }
      assert.ok(all.length > 50);
      assert.equal(all.length, page.count);
      assert.equal(new Set(all).size, all.length);
    });

    test('a mistyped field, comparison, argument, label and tool name the nearest one, and then the question is answered', async () => {
      const field = await small.refused('find_wallets', { where: [{ field: 'pnll', is: 'above', value: 1 }] });
      assert.equal(field.code, 'unknown-field');
      assert.deepEqual(
        field.fields.map(({ path }) => path),
        ['where.0.field'],
      );
      const [, meant] = /Did you mean "(\w+)"\?/.exec(field.error)!;
      assert.equal((await small.ask('find_wallets', { where: [{ field: meant, is: 'above', value: 1 }] })).count, 1);

      const comparison = await small.refused('find_wallets', { where: [{ field: 'pnl', is: 'abov', value: 1 }] });
      assert.equal(comparison.fields[0]!.path, 'where.0.is');
      assert.match(comparison.error, /perhaps "above"/);
      const argument = await small.refused('find_wallets', { wher: [] });
      assert.match(argument.error, /Did you mean "where"\?/);
      const label = await small.refused('find_wallets', { labels: ['snipr'] });
      assert.equal(label.fields[0]!.path, 'labels');
      assert.match(label.error, /Did you mean "sniper"\?/);
      const sort = await small.refused('find_tokens', { sort: { field: 'volum' } });
      assert.deepEqual([sort.fields[0]!.path, /mean "volume"/.test(sort.error)], ['sort.field', true]);
      const metric = await small.refused('find_tokens', { fields: ['volume', 'makers'] });
      assert.equal(metric.fields[0]!.path, 'fields.1');
      await assert.rejects(small.client.callTool({ name: 'find_walets', arguments: {} }), {
        code: -32602,
        message: /Did you mean "find_wallets"\?/,
      });
    });

    test('a wrong value is named where it stands, with what would do, and every fault of a filter at once', async () => {
      const { fields } = await small.refused('find_wallets', {
        where: [
          { field: 'pnl', is: 'above', value: 1 },
          { field: 'pnl', is: 'above', value: 'much' },
          { field: 'roi', is: 'contains', value: 'x' },
        ],
        filter: { 'metrics.7d.volum': 3 },
      });
      assert.deepEqual(
        fields.map(({ path }) => path),
        ['where.1', 'where.2', 'filter.metrics.7d.volum'],
      );
      const missing = await small.refused('find_wallets', { where: [{ field: 'pnl', is: 'above' }] });
      assert.deepEqual(missing.fields, [{ path: 'where.0.value', message: '"above" takes a value' }]);
      const needless = await small.refused('find_wallets', { where: [{ field: 'pnl', is: 'known', value: 1 }] });
      assert.deepEqual(needless.fields, [{ path: 'where.0.value', message: '"known" takes no value' }]);
      const many = await small.refused('find_wallets', { limit: 51 });
      assert.equal(many.error, '"limit": expected a whole number from 1 to 50, received 51.');
      const window = await small.refused('compare', { tokens: [T, U], window: '30d' });
      assert.deepEqual(window.fields[0]!.path, 'window');
    });

    test('an address that is a name leads to the search by name, which finds the address', async () => {
      const { code, fields, remedy } = await small.refused('token_summary', { token: 'TEE' });
      assert.deepEqual([code, fields[0]!.path], ['invalid-request', 'token']);
      assert.match(remedy, /find_tokens/);
      const { data } = await small.ask('find_tokens', { name: 'tee' });
      const { profile, price_stats } = await small.ask('token_summary', { token: data[0].token_address });
      assert.deepEqual([profile.metadata.symbol, profile.market.price, price_stats.usd_price], ['TEE', 4, 4]);
      const unknown = await small.refused('wallet_summary', { wallet: NOBODY });
      assert.equal(unknown.code, 'not-found');
    });

    test('wallet_summary has every metric of one window', async () => {
      const summary = await small.ask('wallet_summary', { wallet: ANN, window: '3d' });
      assert.deepEqual(Object.keys(summary.metrics), ['3d']);
      assert.equal(summary.metrics['3d'].pnl, 50);
      assert.ok(Object.keys(summary.metrics['3d']).length > 60);
    });

    test('positions of a wallet and top traders of a token are the stored positions', async () => {
      const { data, count } = await small.ask('top_traders', { token: T });
      assert.equal(count, 2);
      const made = data.map(({ wallet_address, holding }: PositionProfile) => [wallet_address, holding!.realized_pnl]);
      assert.deepEqual(made, [
        [ANN, 50],
        [BOB, 0],
      ]);
      const bags = await small.ask('top_traders', { token: T, sort: { field: 'unrealized_pnl' } });
      // Bob has 100 T that cost 3 each; the last price is 4.
      assert.deepEqual([bags.data[0].wallet_address, bags.data[0].holding.unrealized_pnl], [BOB, 100]);
      const own = await small.ask('wallet_positions', { wallet: ANN, state: 'open' });
      assert.deepEqual([own.count, own.data[0].token_address, own.data[0].holding.value], [1, T, 100]);
      assert.equal((await small.ask('wallet_positions', { wallet: ANN, state: 'closed' })).count, 0);
    });

    test('first buyers come in chain order, before a time, with what they were at the launch', async () => {
      const first = await small.ask('first_buyers', { token: T, limit: 1 });
      assert.deepEqual(
        [first.data.length, first.launch, first.bundle_count, first.insider_count],
        [1, null, null, null],
      );
      const next = await small.ask('first_buyers', { token: T, limit: 25, cursor: first.cursor });
      assert.equal(first.data.length + next.data.length, first.count);
      const none = await small.ask('first_buyers', { token: T, before: at(-1) });
      assert.deepEqual(none.data, []);
      const { fields } = await small.refused('first_buyers', { token: T, before: 'yesterday' });
      assert.equal(fields[0]!.path, 'before');
    });

    test('portfolio, trades and candles come in pages', async () => {
      const first = await small.ask('portfolio', { wallet: ANN, limit: 1 });
      assert.deepEqual([first.value, first.count, first.tokens.length], [200, 2, 1]);
      const second = await small.ask('portfolio', { wallet: ANN, limit: 1, cursor: first.cursor });
      assert.equal(second.cursor, undefined);
      assert.deepEqual([first.tokens[0].token, second.tokens[0].token].sort(), [USDC, T].sort());
      const trades = await small.ask('trades', { wallet: CAT, limit: 20 });
      assert.deepEqual([trades.count, trades.data.length], [22, 20]);
      assert.equal((await small.ask('trades', { wallet: CAT, limit: 20, cursor: trades.cursor })).data.length, 2);
      const { candles } = await small.ask('candles', { token: T, interval: 3600 });
      assert.deepEqual(
        candles.map(({ open, close, volume }: Record<string, number>) => [open, close, volume]),
        [
          [2, 3, 400],
          [4, 4, 100],
        ],
      );
    });

    test('candles of a long range are the newest 400, and `earlier` leads to those before', async () => {
      const all: number[] = [];
      const [token] = (await dex.tokens.search({ sort: { field: 'metrics.7d.trade_count' }, limit: 1 })).data;
      const info = await dex.info();
      const wide = {
        token: token!.token_address,
        interval: Math.ceil((info.last_swap_at! - info.first_swap_at!) / 3000),
        from: new Date(info.first_swap_at! * 1000).toISOString(),
      };
      const whole = await dex.prices.candles(wide);
      let to: string | undefined;
      do {
        const page = await large.ask('candles', { ...wide, ...(to === undefined ? {} : { to }) });
        assert.ok(page.candles.length <= 400);
        all.unshift(...page.candles.map(({ timestamp }: { timestamp: number }) => timestamp));
        to = page.earlier;
      } while (to !== undefined);
      assert.deepEqual(
        all,
        whole.map(({ timestamp }) => timestamp),
      );
      const both = { token: T, interval: 10, from: at(0), count: 3 };
      assert.equal((await small.refused('candles', both)).code, 'invalid-range');
    });

    test('compare puts wallets side by side and names those that are not there', async () => {
      const { rows, missing } = await small.ask('compare', { wallets: [ANN, BOB, NOBODY], fields: ['pnl', 'volume'] });
      assert.deepEqual(missing, [NOBODY]);
      const metrics = Object.fromEntries(
        rows.map((row: { address: string; metrics: object }) => [row.address, row.metrics]),
      );
      assert.deepEqual(metrics, { [ANN]: { pnl: 50, volume: 200 }, [BOB]: { pnl: 0, volume: 300 } });
      const tokens = await small.ask('compare', { tokens: [T, U], window: '1h', fields: ['trade_count'] });
      assert.deepEqual(tokens.rows.map(({ name }: { name: string }) => name).sort(), ['TEE', null].sort());
      assert.equal(
        (await small.refused('compare', { wallets: [ANN, BOB], tokens: [T, U] })).fields[0]!.path,
        'wallets',
      );
      assert.equal((await small.refused('compare', {})).fields[0]!.path, 'wallets');
    });

    test('explain_number says what a metric of a wallet, a token or a position is made of', async () => {
      const explained = await small.ask('explain_number', { wallet: ANN, metric: 'pnl' });
      assert.deepEqual([explained.value, explained.unit, explained.count], [50, 'USD', 2]);
      assert.equal(
        explained.trades.reduce((sum: number, { part }: { part: number }) => sum + part, 0),
        50,
      );
      assert.equal((await small.ask('explain_number', { token: T, metric: 'volume', window: '1d' })).value, 500);
      const position = await small.ask('explain_number', { wallet: BOB, token: T, metric: 'buy_volume' });
      assert.equal(position.value, 300);
      const held = { wallet: BOB, token: T, metric: 'holding.unrealized_pnl' };
      assert.equal((await small.ask('explain_number', held)).window, null);
      assert.match((await small.refused('explain_number', { ...held, window: '7d' })).error, /leave "window" out/);
      const { fields } = await small.refused('explain_number', { metric: 'pnl' });
      assert.equal(fields[0]!.path, 'wallet');
      assert.match((await small.refused('explain_number', { wallet: ANN, metric: 'pnll' })).error, /mean "pnl"/);
    });

    test('no answer is longer than a model can read: the largest pages of a market have at most 100,000 characters', async () => {
      const [wallet] = (await dex.wallets.search({ sort: { field: 'metrics.7d.trade_count' }, limit: 1 })).data;
      const [token] = (await dex.tokens.search({ sort: { field: 'metrics.7d.trade_count' }, limit: 1 })).data;
      const [w, t] = [wallet!.wallet_address, token!.token_address];
      const calls: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
        ['store_info', { fields_of: 'wallets', limit: 100 }],
        ['find_wallets', { limit: 50 }],
        ['find_tokens', { limit: 50 }],
        ['wallet_summary', { wallet: w }],
        ['token_summary', { token: t }],
        ['wallet_positions', { wallet: w, limit: 50 }],
        ['top_traders', { token: t, limit: 50 }],
        ['first_buyers', { token: t, limit: 25 }],
        ['portfolio', { wallet: w, limit: 100 }],
        ['trades', { limit: 50 }],
        ['candles', { token: t, interval: 60, count: 400 }],
        ['compare', { wallets: [w, w.toLowerCase()] }],
        ['explain_number', { wallet: w, metric: 'sharpe_ratio', limit: 20 }],
        ['simulate_copy', { wallet: w, limit: 50 }],
      ];
      const { tools } = await large.client.listTools();
      assert.deepEqual(calls.map(([name]) => name).sort(), tools.map(({ name }) => name).sort());
      for (const [name, args] of calls) {
        const { texts } = await large.call(name, args);
        assert.ok(texts.join('').length <= 100_000, `${name}: ${texts.join('').length}`);
      }
    });
  });

test('profiles say how many trades have no value, whatever metrics are asked for', async () => {
  const SOL = 'So11111111111111111111111111111111111111112';
  const dex = await Swapfold.open({ storage: engines.memory!('') });
  const swap = { swap_index: 0, wallet: ANN };
  await dex.ingest([
    {
      ...swap,
      tx_hash: 'a',
      block_time: 1_770_000_000,
      token_in: SOL,
      token_out: T,
      token_amount_in: 1,
      token_amount_out: 10,
    },
    {
      ...swap,
      tx_hash: 'b',
      block_time: 1_770_000_060,
      token_in: T,
      token_out: SOL,
      token_amount_in: 10,
      token_amount_out: 3,
    },
  ]);
  await dex.refresh();
  const agent = await agentIn(dex);
  const { data } = await agent.ask('find_wallets', { fields: ['pnl', 'pnl_native'] });
  assert.deepEqual(data[0].metrics, { '7d': { pnl: 0, pnl_native: 2, unvalued_trade_count: 2 } });
  assert.match(agent.client.getInstructions()!, /where unvalued_trade_count is trade_count, it is unknown/);
  await dex.close();
});
