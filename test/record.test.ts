import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput, type TransferInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';

/** 2025-01-01T00:00:00Z. */
const A = 1_735_689_600;
const DAY = 86_400;
const config = {
  address_format: 'any',
  quote_tokens: [
    { address: 'USDC', symbol: 'USDC', kind: 'stable' },
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
  ],
} as const;

let hashes = 0;
const swap = (at: number, wallet: string, given: number, of: string, got: number, out: string): SwapInput => ({
  tx_hash: `t${hashes++}`,
  swap_index: 0,
  block_time: A + at,
  block_slot: 1000 + at,
  wallet,
  token_in: of,
  token_out: out,
  token_amount_in: given,
  token_amount_out: got,
});
const transfer = (at: number, from: string, to: string, token: string, token_amount: number): TransferInput => ({
  tx_hash: `m${hashes++}`,
  transfer_index: 0,
  block_time: A + at,
  from,
  to,
  token,
  token_amount,
});

/** X is bought and sold twice, Y is sent away, 60 of Z arrive free, 10 V arrive and are sold. Strangers make the marks: Y 0.05, Z 0.15. */
const swaps = [
  swap(0, 'W', 100, 'USDC', 100, 'X'),
  swap(10, 'W', 50, 'X', 100, 'USDC'),
  swap(20, 'W', 50, 'X', 60, 'USDC'),
  swap(30, 'W', 100, 'USDC', 100, 'Y'),
  swap(40, 'W', 100, 'USDC', 100, 'Z'),
  swap(DAY, 'W', 10, 'V', 40, 'USDC'),
  swap(DAY + 10, 'M', 200, 'Y', 10, 'USDC'),
  swap(DAY + 20, 'M', 200, 'Z', 30, 'USDC'),
];
const transfers = [
  transfer(50, 'W', 'elsewhere', 'Y', 100),
  transfer(60, 'elsewhere', 'W', 'Z', 60),
  transfer(70, 'elsewhere', 'W', 'V', 10),
];

const lifetime = {
  since: '2025-01-01T00:00:00Z',
  first_trade_at: '2025-01-01T00:00:00Z',
  trade_count: 6,
  volume: 500,
  token_count: 4,
  realized_pnl: 60,
  realized_cost: 100,
  realized_roi: 60,
  realized_pnl_native: 0,
  win_count: 2,
  loss_count: 0,
  winrate: 100,
  days_active: 2,
  unmatched_proceeds: 40,
  // 40 of 100 + 60 + 40.
  unmatched_share: 20,
  away_cost: 100,
  // Of 300 bought.
  away_share: (100 / 300) * 100,
  best_token_share: 100,
  // M alone bought none of X.
  thin_share: 100,
  suspect_share: 0,
};
const holding = {
  // 160 Z at 0.15.
  value: 24,
  cost_basis: 100,
  // 100 of them have lots, which cost 100.
  unrealized_pnl: -85,
  total_pnl: -25,
  open_count: 1,
  unknown_count: 0,
  largest_share: 100,
  stale_share: 0,
  sunk_count: 1,
  sunk_loss: -85,
  token_win_count: 1,
  token_loss_count: 2,
  token_winrate: (1 / 3) * 100,
  // 100 Y at 0.05 less 100.
  away_pnl: -95,
  // 60 - 85 - 95.
  floor_pnl: -120,
};

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: the record of a wallet that sold what it never bought and sent a loser away is that of the worked example`, () =>
    withFolder(async (folder) => {
      await using dex = await Swapfold.open({ storage: open(folder), config });
      await dex.transfers.ingest(transfers);
      await dex.ingest(swaps);
      await dex.refresh();
      const profile = await dex.wallets.get({ wallet: 'W' });
      const { quote_value: _, ...held } = profile.holding!;
      assert.deepEqual(profile.lifetime, lifetime);
      assert.deepEqual(held, holding);
    }));
}
