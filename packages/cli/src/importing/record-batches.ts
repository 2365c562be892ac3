import type { EntityKind, Swapfold, TokenInput, WalletInput } from '@swapfold/core';
import type { FieldKind } from '../files/fields.ts';
import { readRecords } from '../files/read-records.ts';
import type { ReadOptions } from '../files/read-table.ts';
import type { FileBatch, Outcome } from './file-batch.ts';

/** What the columns of a registry file are read as. */
const fieldKinds = {
  tokens: {
    address: 'text',
    symbol: 'text',
    name: 'text',
    decimals: 'number',
    image: 'text',
    verified: 'boolean',
    creator_address: 'text',
    created_at: 'time',
    twitter: 'text',
    discord: 'text',
    website: 'text',
    telegram: 'text',
    total_supply: 'number',
    circulating_supply: 'number',
    liquidity: 'number',
    holders: 'number',
  } satisfies Record<keyof TokenInput, FieldKind>,
  wallets: {
    address: 'text',
    name: 'text',
    twitter_username: 'text',
    telegram_username: 'text',
    labels: 'list',
  } satisfies Record<keyof WalletInput, FieldKind>,
} as const;

/** The batches of a registry file, to be stored in the store that `dex` gives. */
export async function* recordBatches(
  dex: () => Swapfold,
  path: string,
  options: ReadOptions & { readonly kind: EntityKind },
): AsyncGenerator<FileBatch> {
  const { kind, ...reading } = options;
  const batches = readRecords(path, { ...reading, fields: fieldKinds[kind], needed: ['address'] });
  for await (const { records, rowNumbers, rejects, unused, bytesRead, bytesTotal } of batches) {
    yield {
      unused,
      rows: records.length + rejects.length,
      fraction: bytesRead / bytesTotal,
      async store(): Promise<Outcome> {
        // The registry checks every field by itself.
        const { upserted, ...refused } = await dex()[kind].upsert(records as never);
        const all = [...rejects, ...refused.rejects.map((reject) => ({ ...reject, row: rowNumbers[reject.row]! }))];
        return { counts: { upserted }, rejects: all.sort((a, b) => a.row - b.row), conflicts: [] };
      },
    };
  }
}
