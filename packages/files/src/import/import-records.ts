import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Config, memory, Swapfold, type TokenInput, type WalletInput } from '@swapfold/core';
import type { ColumnMap, FieldKind } from '../fields.ts';
import { type RecordBatch, readRecords } from '../read-records.ts';
import type { Books } from './books.ts';
import type { Input } from './inputs.ts';
import { readInputs } from './read-inputs.ts';
import type { Target } from './target.ts';

/** How what is known of tokens or wallets is imported. */
export interface RecordImportOptions {
  readonly batchRows?: number | undefined;
  readonly map?: ColumnMap | undefined;
}

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

type RecordKind = keyof typeof fieldKinds;

/** Stores the records of registry files, batch by batch. */
export async function importRecords(
  { config, open, isNew }: Target,
  inputs: readonly Input[],
  options: RecordImportOptions & {
    readonly kind: RecordKind;
    readonly signal?: AbortSignal | undefined;
  },
  books: Books,
): Promise<void> {
  const { kind, map, batchRows = 50_000, signal } = options;
  const read = { map, batchRows, fields: fieldKinds[kind], needed: ['address'] };
  const batches = readInputs(inputs, ({ from }) => readRecords(from, read), books);
  try {
    let next = await batches.next();
    books.open(inputs);
    let dex = isNew ? undefined : await open!();
    for (; next !== undefined; next = await batches.next()) {
      const { of, found: batch } = next;
      const { records, rowNumbers, unused, isZoneless, bytesRead, bytesTotal } = batch;
      books.begin(of.file, { unused, isZoneless });
      let stored = dex === undefined ? await checked(batch, kind, config) : await upsert(dex, kind, batch);
      if (dex === undefined && open !== undefined && stored.upserted > 0) {
        dex = await open();
        stored = await upsert(dex, kind, batch);
      }
      const rejects = [...batch.rejects, ...stored.rejects.map((one) => ({ ...one, row: rowNumbers[one.row]! }))];
      const fraction = Number.isNaN(bytesTotal) ? 0 : bytesRead / bytesTotal;
      const rows = records.length + batch.rejects.length;
      books.add(of.file, { rows, rejects, counts: { upserted: stored.upserted }, fraction });
      await nextTurn();
      if (signal?.aborted) break;
    }
  } finally {
    books.endFile();
    await batches.end();
  }
}

/** The registry checks every field by itself. */
const upsert = (dex: Swapfold, kind: RecordKind, { records }: RecordBatch) => dex[kind].upsert(records as never);

/** What storing the records into an empty store would give. */
async function checked(batch: RecordBatch, kind: RecordKind, { address_format, quote_tokens }: Config) {
  const dex = await Swapfold.open({ storage: memory(), config: { address_format, quote_tokens } });
  return upsert(dex, kind, batch).finally(() => dex.close());
}
