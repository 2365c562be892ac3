import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PositionProfile, Swapfold } from '@swapfold/core';
import { questions } from '@swapfold/core/host';
import { serve } from '@swapfold/server';
import { allAnswers } from './support/answers.ts';
import { engines, withFolder } from './support/engines.ts';
import { transfersBeside } from './support/transfers.ts';
import { longestCases, readUniswapDay, uniswapCases } from './support/uniswap.ts';
import { cases, isWhole } from './support/whole.ts';

const from = '2024-01-05T00:00:00Z';
const to = '2024-01-06T00:00:00Z';

/** Requests of every operation: lists and profiles of some wallets, everything of every token, and some positions. */
function requestsOf(
  tokens: readonly string[],
  wallets: readonly string[],
  positions: readonly Pick<PositionProfile, 'wallet_address' | 'token_address'>[],
): (readonly [operation: string, body: object])[] {
  return [
    ['tokens.search', {}],
    [
      'wallets.search',
      {
        limit: 100,
        explain: true,
        filter: { 'metrics.1d.pnl': { $gt: 0 } },
        dynamic_labels: { busy: { 'metrics.1d.trade_count': { $gte: 10 } } },
      },
    ],
    ['positions.search', { limit: 100, explain: true, options: { include_holding: true, include_metrics: ['7d'] } }],
    ['prices.latest', { tokens }],
    ['prices.stats', { tokens }],
    ['prices.history', { tokens, from, to, interval: 3600 }],
    ['swaps.list', { limit: 100 }],
    ['trades.list', { limit: 100 }],
    ['transfers.list', { limit: 100 }],
    ...tokens.flatMap((token) => [
      ['tokens.get', { token }] as const,
      ['tokens.buyers', { token, limit: 5 }] as const,
      ['tokens.history', { token, from, to, interval: 3600 }] as const,
      ['tokens.explain', { token, metric: 'volume', window: '1d' }] as const,
      ['swaps.list', { token }] as const,
      ['trades.list', { token }] as const,
      ...[60, 300, 3600, 86_400].map((interval) => ['prices.candles', { token, interval, from, to }] as const),
    ]),
    ...wallets.flatMap((wallet) => [
      ['wallets.get', { wallet }] as const,
      ['wallets.history', { wallet, from, to, interval: 3600 }] as const,
      ['wallets.explain', { wallet, metric: 'pnl', window: '30d' }] as const,
      ['portfolios.get', { wallet }] as const,
      ['wallets.simulate', { wallet, limit: 5 }] as const,
      ['swaps.list', { wallet }] as const,
      ['trades.list', { wallet }] as const,
      ['transfers.list', { wallet }] as const,
    ]),
    ...positions.flatMap(({ wallet_address: wallet, token_address: token }) => [
      ['positions.get', { wallet, token }] as const,
      ['positions.explain', { wallet, token, metric: 'profit_factor', window: '1d' }] as const,
    ]),
  ];
}

// The recorded day and the other configurations are compared in uniswap-day, on memory and a file.
for (const { day, title, config } of isWhole ? longestCases : uniswapCases.slice(0, 1)) {
  test(`${title}: SQLite and DuckDB answer alike to the byte, and HTTP as in-process`, async () => {
    const swaps = readUniswapDay(day);
    const tokens = [...new Set(swaps.flatMap((swap) => [swap.token_in, swap.token_out]))];
    const wallets = [...new Set(swaps.map((swap) => swap.wallet))].filter((_, i) => i % cases(40, 120) === 0);
    const answers: string[] = [];
    for (const engine of ['sqlite', 'duckdb']) {
      await withFolder(async (folder) => {
        const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
        await dex.ingest(swaps);
        await dex.transfers.ingest(transfersBeside(swaps, 200, 5));
        await dex.refresh();
        const { data } = await dex.positions.search({});
        const requests = requestsOf(tokens, wallets, data.slice(0, cases(data.length, 10)));
        assert.deepEqual(
          questions.map(({ name }) => name).filter((name) => !requests.some(([asked]) => asked === name)),
          [],
        );
        const server = await serve(dex, { port: 0, keys: ['a-key-for-the-test'] });
        try {
          for (const [name, body] of requests) {
            const { path } = questions.find((operation) => operation.name === name)!;
            const response = await fetch(`${server.url}/v1/ethereum${path}`, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json', 'X-Api-Key': 'a-key-for-the-test' },
              body: JSON.stringify(body),
            });
            assert.equal(await response.text(), JSON.stringify(await dex.call(name, body)), `${engine} ${name}`);
          }
          answers.push(await allAnswers(dex));
        } finally {
          await server.close();
          await dex.close();
        }
      });
    }
    assert.ok(answers[0] === answers[1], 'SQLite and DuckDB differ');
  });
}
