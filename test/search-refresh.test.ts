import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type WalletSearch } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { cases } from './support/whole.ts';

interface WalletProfile {
  readonly wallet_address: string;
  readonly metadata: { readonly last_trade_at: string | null };
  readonly metrics: { readonly '30d': { readonly pnl: number | null; readonly volume: number | null } };
}

const sorts = [
  [{ field: 'metrics.30d.pnl', direction: 'desc' }],
  [
    { field: 'metadata.last_trade_at', direction: 'asc' },
    { field: 'metrics.30d.volume', direction: 'desc' },
  ],
] as const;

/** What a wallet is sorted by, in all of `sorts`. */
function sortValues({ metadata, metrics }: WalletProfile): string {
  return JSON.stringify([metrics['30d'].pnl, metrics['30d'].volume, metadata.last_trade_at]);
}

for (const engine of Object.keys(engines)) {
  test(`${engine}: wallets that no refresh changes come once and in order, while swaps are ingested and refreshed between pages`, async () => {
    const { swaps, config } = smallMarket({ swaps: cases(6000, 1600), seed: 11 });
    const first = swaps.length - 500;
    for (const sort of sorts) {
      await withFolder(async (folder) => {
        const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
        await dex.ingest(swaps.slice(0, first));
        await dex.refresh();
        const before = await everyWallet(dex, sort);
        const values = new Map(before.map((wallet) => [wallet.wallet_address, sortValues(wallet)]));

        const seen: string[] = [];
        let cursor: string | undefined;
        let fed = first;
        do {
          const page = await dex.wallets.search({ sort, limit: 25, ...(cursor && { cursor }) });
          seen.push(...page.data.map((wallet) => wallet.wallet_address as string));
          cursor = page.cursor;
          await dex.ingest(swaps.slice(fed, fed + 20));
          fed += 20;
          await dex.refresh();
          for (const wallet of await everyWallet(dex, sort)) {
            if (values.get(wallet.wallet_address) !== sortValues(wallet)) values.delete(wallet.wallet_address);
          }
        } while (cursor !== undefined);

        const unchanged = before.map((wallet) => wallet.wallet_address).filter((address) => values.has(address));
        assert.deepEqual(
          seen.filter((address) => values.has(address)),
          unchanged,
        );
        assert.ok(
          unchanged.length >= 20 && unchanged.length < before.length,
          `${unchanged.length} of ${before.length}`,
        );
        await dex.close();
      });
    }
  });
}

type WalletSort = NonNullable<WalletSearch['sort']>;

async function everyWallet(dex: Swapfold, sort: unknown): Promise<WalletProfile[]> {
  const wallets: WalletProfile[] = [];
  let cursor: string | undefined;
  do {
    const page = await dex.wallets.search({ sort: sort as WalletSort, limit: 100, ...(cursor && { cursor }) });
    wallets.push(...(page.data as unknown as WalletProfile[]));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return wallets;
}
