import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConfigInput, memory, presets, Swapfold, type SwapInput } from '@swapfold/core';
import { runCli } from '../packages/cli/test/run-cli.ts';
import { engines, withFolder } from './support/engines.ts';

const ZERO = '0x0000000000000000000000000000000000000000';
const EEEE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const T = `0x${'a'.repeat(40)}`;
const W = `0x${'1'.repeat(40)}`;
const hashOf = (number: number): string => `0x${String(number).padStart(64, '0')}`;

const swap = (number: number, [token_in, token_amount_in]: Side, [token_out, token_amount_out]: Side, usd: number) => ({
  tx_hash: hashOf(number),
  swap_index: 0,
  block_time: 1_704_067_200 + 12 * number,
  wallet: W,
  ...{ token_in, token_amount_in, token_out, token_amount_out, usd_amount_in: usd, usd_amount_out: usd },
});
type Side = readonly [token: string, amount: number];

/** 1 ETH to 100 T at 3,000 USD, and 100 T to 1.5 ETH: bought for 3,000, sold for 4,500. */
const trip = (bought: string, sold: string): SwapInput[] => [
  swap(1, [bought, 1], [T, 100], 3000),
  swap(2, [T, 100], [sold, 1.5], 4500),
];
const right = { trade_count: 2, volume: 7500, pnl: 1500, pnl_native: 0.5 };

async function metricsOf(dex: Swapfold): Promise<Record<string, unknown>> {
  const { metrics } = await dex.wallets.get({ wallet: W, options: { include_metrics: ['30d'] } });
  const all = metrics!['30d'] as unknown as Record<string, unknown>;
  return Object.fromEntries(Object.keys(right).map((name) => [name, all[name]]));
}

for (const [engine, open] of Object.entries(engines)) {
  for (const way of ['objects', 'bulk', 'one by one'] as const)
    test(`${engine}, ${way}: native ETH under its names is WETH, in trades and in what is asked`, () =>
      withFolder(async (folder) => {
        const dex = await Swapfold.open({ storage: open(folder), config: { preset: 'ethereum' } });
        const wrap = swap(3, [ZERO, 1], [WETH, 1], 3000);
        // A token for itself under its own address is listed, and no trade.
        const itself = swap(4, [T, 1], [T, 1], 1);
        const result = await dex.ingest([...trip(ZERO, EEEE), wrap, itself], {
          bulk: way === 'bulk',
          batchSize: way === 'one by one' ? 1 : 10,
        });
        assert.deepEqual([result.added, result.passed_over, result.rejected], [3, 1, 0]);
        await dex.tokens.upsert([{ address: ZERO, name: 'Ether' }]);
        await dex.refresh();
        assert.deepEqual(await metricsOf(dex), right);
        for (const token of [ZERO, EEEE, WETH]) {
          const profile = await dex.tokens.get({ token });
          assert.equal(profile.token_address, WETH, token);
          assert.equal(profile.metadata?.name, 'Ether', token);
          assert.equal((await dex.swaps.list({ token })).data.length, 2, token);
          assert.equal((await dex.prices.latest({ tokens: [token] }))[0]!.token, WETH, token);
          assert.equal((await dex.tokens.search({ filter: { token_address: token } })).count, 1, token);
          assert.equal((await dex.tokens.search({ filter: { token_address: { $in: [token, T] } } })).count, 2, token);
          assert.equal((await dex.tokens.search({ query: { text: token } })).count, 1, token);
        }
        assert.equal((await dex.wallets.search({ filter: { wallet_address: ZERO } })).count, 0);
        assert.deepEqual((await dex.verify()).differences, []);
        await dex.close();
      }));

  if (engine === 'memory') continue;
  test(`${engine}: a store that holds an alias as a token of its own gives the right numbers once it is folded again`, () =>
    withFolder(async (folder) => {
      const stable = { address: USDC, symbol: 'USDC', kind: 'stable' } as const;
      const weth = { address: WETH, symbol: 'WETH', kind: 'native' } as const;
      const apart: ConfigInput = {
        preset: 'ethereum',
        quote_tokens: [stable, { ...weth, aliases: [] }, { address: ZERO, symbol: 'ETH', kind: 'reference' }],
      };
      const together: ConfigInput = { preset: 'ethereum', quote_tokens: [stable, weth] };
      const storage = open(folder);
      const fill = async (dex: Swapfold): Promise<void> => {
        await dex.ingest([...trip(ZERO, WETH), swap(3, [WETH, 2], [USDC, 9000], 9000)]);
        await dex.tokens.upsert([
          { address: ZERO, name: 'Ether', twitter: 'ethereum' },
          { address: WETH, name: 'Wrapped Ether' },
        ]);
        await dex.prices.upsert([
          { token: ZERO, time: 1_704_067_000, usd_price: 2900 },
          { token: WETH, time: 1_704_067_000, usd_price: 3000 },
          { token: ZERO, time: 1_704_067_220, usd_price: 3100 },
        ]);
      };
      const first = await Swapfold.open({ storage, config: apart });
      await fill(first);
      await first.close();
      await assert.rejects(Swapfold.open({ storage: open(folder), config: together }), {
        code: 'store-mismatch',
        message: /quote_tokens/,
      });
      const again = await Swapfold.open({ storage: open(folder), config: together, onMismatch: 'refold' });
      await again.refresh();
      assert.deepEqual(await metricsOf(again), right);
      const { metadata } = await again.tokens.get({ token: ZERO, options: { include_metadata: true } });
      assert.deepEqual([metadata?.name, metadata?.twitter], ['Wrapped Ether', 'ethereum']);
      assert.deepEqual((await again.verify()).differences, []);
      // What came by its other name at a time of no price is the quote token's, and its own price of a time stays.
      const anew = await Swapfold.open({ storage: memory(), config: together });
      await anew.ingest([...trip(WETH, WETH), swap(3, [WETH, 2], [USDC, 9000], 9000)]);
      await anew.tokens.upsert([{ address: WETH, name: 'Wrapped Ether', twitter: 'ethereum' }]);
      await anew.prices.upsert([
        { token: WETH, time: 1_704_067_000, usd_price: 3000 },
        { token: EEEE, time: 1_704_067_220, usd_price: 3100 },
      ]);
      await anew.refresh();
      const answers = async (dex: Swapfold): Promise<unknown> => [
        (await dex.swaps.list({ limit: 10 })).data,
        (await dex.trades.list({ limit: 10 })).data,
        (await dex.tokens.search({})).data.map(({ synced_at: _, ...rest }) => rest),
      ];
      assert.deepEqual(await answers(again), await answers(anew));
      await again.close();
      await anew.close();
    }));
}

for (const [what, quote_tokens, native] of [
  ['the preset', undefined, WETH],
  ['a native token of its own', [{ address: WETH, symbol: 'WETH', kind: 'native' }], WETH],
  ['another native token', [{ address: T, symbol: 'WX', kind: 'native' }], T],
] as const)
  test(`with ${what} the zero address is the native token`, async () => {
    const config = { preset: 'ethereum', ...(quote_tokens === undefined ? {} : { quote_tokens }) } as const;
    const dex = await Swapfold.open({ storage: memory(), config });
    await dex.ingest([swap(1, [ZERO, 1], [USDC, 3000], 3000)]);
    assert.equal((await dex.swaps.list({})).data[0]!.token_in, native);
    await dex.close();
  });

test('an empty list of aliases takes the default ones away, and a store remembers that', () =>
  withFolder(async (folder) => {
    const config: ConfigInput = {
      preset: 'ethereum',
      quote_tokens: [{ address: WETH, symbol: 'WETH', kind: 'native', aliases: [] }],
    };
    for (const given of [config, undefined]) {
      const dex = await Swapfold.open({ storage: engines.sqlite!(folder), ...(given && { config: given }) });
      await dex.ingest([swap(1, [ZERO, 1], [USDC, 3000], 3000)]);
      assert.equal((await dex.swaps.list({})).data[0]!.token_in, ZERO);
      await dex.close();
    }
  }));

test('each preset names the native token of its chain', () => {
  const aliasesOf = (name: keyof typeof presets) =>
    presets[name].quote_tokens.flatMap((token) => ('aliases' in token ? [...token.aliases] : []));
  const evm = [ZERO, EEEE.toLowerCase()];
  assert.deepEqual(aliasesOf('solana'), ['11111111111111111111111111111111']);
  for (const name of ['ethereum', 'base', 'arbitrum', 'bnb', 'avalanche'] as const)
    assert.deepEqual(aliasesOf(name), evm, name);
  assert.deepEqual(aliasesOf('polygon'), [...evm, '0x0000000000000000000000000000000000001010']);
});

for (const [what, tokens, message] of [
  [
    'the address of another quote token',
    [
      { address: WETH, symbol: 'WETH', kind: 'native', aliases: [ZERO, USDC.toUpperCase().replace('0X', '0x')] },
      { address: USDC, symbol: 'USDC', kind: 'stable' },
    ],
    /"quote_tokens\.0\.aliases\.1": .* is the address of the quote token USDC; an alias may name no quote token/,
  ],
  [
    'an alias of another quote token',
    [
      { address: WETH, symbol: 'WETH', kind: 'native', aliases: [ZERO] },
      { address: USDC, symbol: 'USDC', kind: 'stable', aliases: [ZERO] },
    ],
    /"quote_tokens\.1\.aliases\.0": .* is an alias that is named already/,
  ],
  [
    'what is no address',
    [{ address: WETH, symbol: 'WETH', kind: 'native', aliases: ['eth'] }],
    /"quote_tokens\.0\.aliases\.0": expected an address/,
  ],
] as const)
  test(`an alias that is ${what} is refused`, () =>
    assert.rejects(Swapfold.open({ storage: memory(), config: { preset: 'ethereum', quote_tokens: tokens } }), {
      code: 'invalid-config',
      message,
    }));

test('of two native tokens the error says how a second address of one is written', () =>
  assert.rejects(
    Swapfold.open({
      storage: memory(),
      config: {
        preset: 'ethereum',
        quote_tokens: [
          { address: WETH, symbol: 'WETH', kind: 'native' },
          { address: ZERO, symbol: 'ETH', kind: 'native' },
        ],
      },
    }),
    { code: 'invalid-config', message: /"aliases" of one: .*"aliases": \["0x0{40}"\]/ },
  ));

const digits = 'ab'.repeat(32);
const forms = [`0x${digits}`, digits, digits.toUpperCase(), `0x${digits.toUpperCase()}`, `0X${digits}`];

for (const engine of ['sqlite', 'duckdb'])
  test(`${engine}: a hash of an EVM chain is one in every form, in files of every format, and others are counted`, () =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, 'eth.json'), '{"preset":"ethereum"}');
      const rows = forms.map((tx_hash) => ({ ...trip(WETH, WETH)[0]!, tx_hash }));
      const odd = ['0xABC', `${digits}0`, 'Name'].map((tx_hash) => ({ ...trip(WETH, WETH)[0]!, tx_hash }));
      const all = [...rows, ...odd, { ...rows[0]!, token_in: ZERO, token_out: EEEE, swap_index: 1 }];
      const fields = Object.keys(rows[0]!) as (keyof SwapInput)[];
      writeFileSync(join(folder, 'all.ndjson'), all.map((row) => JSON.stringify(row)).join('\n'));
      writeFileSync(
        join(folder, 'all.csv'),
        [fields.join(','), ...all.map((row) => fields.map((name) => row[name as never]).join(',')), ''].join('\n'),
      );
      const args = ['--db', `${engine}:${join(folder, 'store')}`, '--config', join(folder, 'eth.json'), '--no-refresh'];
      // As columns of a file that an engine reads by itself, and then as rows that the store has.
      for (const [file, added, duplicate] of [
        ['all.csv', 4, 4],
        ['all.ndjson', 0, 8],
      ] as const) {
        const { stdout, stderr, code } = await runCli(['import', 'swaps', join(folder, file), ...args]);
        assert.equal(code, 0, stderr);
        assert.match(stdout, new RegExp(` added +${added}\n +duplicate +${duplicate}\n`));
        assert.match(stdout, / passed over 1\n[\s\S]*1: the same token under two names/);
        assert.match(stdout, /3 rows have hashes that no EVM chain has/);
      }
      const { stdout } = await runCli(['query', 'swaps.list', '{}', ...args.slice(0, 2)]);
      const { data } = JSON.parse(stdout) as { data: { tx_hash: string }[] };
      assert.deepEqual(
        data.map(({ tx_hash }) => tx_hash).sort(),
        [`0x${digits}`, '0xabc', 'Name', `${digits}0`].sort(),
      );
    }));
