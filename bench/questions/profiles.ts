import assert from 'node:assert/strict';
import type { SearchAnswer, WalletProfile } from '@swapfold/core';
import { pick, searchBounds, searchRequest } from '../samples.ts';
import type { Asked, Question } from './question.ts';

export function profileQuestions({ dex, plain, samples }: Asked): readonly Question[] {
  const where =
    '"metrics.7d.pnl" > ? and "metrics.30d.winrate" >= ? and "metrics.7d.trade_count" >= ? and "metrics.30d.volume" > ?';
  return [
    {
      operation: 'profile search: 4 conditions, sort, count, 20 full profiles',
      most: { duckdb: 6, sqlite: 6 },
      first: 500,
      ours: (i) => dex.wallets.search(searchRequest(i)),
      baseline: async (i) => [
        await plain.query(
          `select * from wallet_profiles where ${where} order by "metrics.7d.pnl" desc, wallet_address limit 20`,
          ...searchBounds(i),
        ),
        await plain.query(`select count(*) from wallet_profiles where ${where}`, ...searchBounds(i)),
      ],
      what: 'select * ... order by ... limit 20, and a count',
      check({ count, data }: SearchAnswer<WalletProfile>, [page, counted]: unknown[][][]) {
        assert.equal(count, Number(counted![0]![0]));
        const addresses = page!.map((row) => row.find((cell) => data.some((p) => p.wallet_address === cell)));
        assert.deepEqual(
          data.map((profile) => profile.wallet_address),
          addresses,
        );
      },
    },
    {
      operation: 'get-profile of a wallet',
      most: { duckdb: 2, sqlite: 0.5 },
      first: 100,
      ours: (i) => dex.wallets.get({ wallet: pick(samples.wallets, i).address }),
      baseline: (i) => plain.query('select * from wallet_profiles where id = ?', pick(samples.wallets, i).id),
      what: 'select * ... where id = ?',
      check(ours: WalletProfile, [row]: unknown[][]) {
        assert.ok(row!.includes(ours.wallet_address));
      },
    },
  ];
}
