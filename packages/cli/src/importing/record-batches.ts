import { memory, Swapfold, type TokenInput, type WalletInput } from '@swapfold/core';
import type { EntityKind } from '@swapfold/core/host';
import { type FieldKind, type RecordOptions, readRecords, type StreamSource } from '@swapfold/files';
import type { FileBatch, Outcome } from './file-batch.ts';

/** What the columns of a registry file are read as. */
const fieldKinds = {
  tokens: {
    address: 'hex',
    symbol: 'text',
    name: 'text',
    decimals: 'number',
    image: 'text',
    verified: 'boolean',
    creator_address: 'hex',
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
    address: 'hex',
    name: 'text',
    twitter_username: 'text',
    telegram_username: 'text',
    labels: 'list',
  } satisfies Record<keyof WalletInput, FieldKind>,
} as const;

/** The batches of a registry file or stream. */
export async function* recordBatches(
  from: string | StreamSource,
  options: Omit<RecordOptions, 'fields' | 'needed'> & { readonly kind: EntityKind },
): AsyncGenerator<FileBatch> {
  const { kind, ...reading } = options;
  const batches = readRecords(from, { ...reading, fields: fieldKinds[kind], needed: ['address'] });
  for await (const { records, rowNumbers, rejects, unused, isZoneless, bytesRead, bytesTotal } of batches) {
    async function store(dex: Swapfold, most = records.length): Promise<Outcome> {
      // The registry checks every field by itself.
      const { upserted, ...refused } = await dex[kind].upsert(records.slice(0, most) as never);
      const all = [...rejects, ...refused.rejects.map((reject) => ({ ...reject, row: rowNumbers[reject.row]! }))];
      return { counts: { upserted }, rejects: all.sort((a, b) => a.row - b.row), conflicts: [] };
    }
    yield {
      unused,
      passed: new Map(),
      isZoneless,
      rows: records.length + rejects.length,
      fraction: Number.isNaN(bytesTotal) ? 0 : bytesRead / bytesTotal,
      store: (dex) => store(dex),
      async check(config, most): Promise<Outcome> {
        const { address_format, quote_tokens } = config;
        const dex = await Swapfold.open({ storage: memory(), config: { address_format, quote_tokens } });
        return store(dex, most).finally(() => dex.close());
      },
    };
  }
}
