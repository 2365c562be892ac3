import type { Config } from '../../config.ts';
import { parseHorizon } from '../../ingest/carried.ts';
import type { Dictionary } from '../../ingest/dictionary.ts';
import { type IngestState, newIngestState } from '../../ingest/transactions.ts';
import { type Roles, rolesOf } from '../../ledger/roles.ts';
import { timeOf } from '../../records/chain-order.ts';
import { referencePricesTable, swapsTable, transactionsTable, transfersTable } from '../../records/tables.ts';
import type { Reader } from '../../storage/adapter.ts';
import { type Meta, readMeta } from '../../storage/meta.ts';

/** What a process remembers of a committed state of the store. */
export interface Remembered {
  readonly ingest: IngestState;
  readonly roles: Roles;
  readonly profilesAsOf: number | null;
  /** The last refresh of all profiles: as of when, and when it stored them. `null` before the first, or if an earlier version made it. */
  readonly allAsOf: number | null;
  readonly allAt: number | null;
  /** Whether the stored profiles hide swaps that are later than they. */
  readonly areProfilesPartial: boolean;
  readonly meta: Partial<Meta>;
  /** `Reader.version` of the state. */
  readonly version: number | undefined;
}

/** Reads it from one state. `bytes`: what the state of the ingest may take. */
export async function readRemembered(
  reader: Reader,
  { config, dictionary, bytes }: { readonly config: Config; readonly dictionary: Dictionary; readonly bytes: number },
): Promise<Remembered> {
  const addresses = quoteAddresses(config);
  const ids = await dictionary.find(reader, addresses);
  const seq = await reader.max(swapsTable, 'seq');
  const tx = await reader.max(transactionsTable, 'tx');
  const meta = await readMeta(reader);
  const prices = await reader.read({ table: referencePricesTable, columns: ['token'], limit: 1 });
  const idOf = new Map(addresses.map((address, i) => [address, ids[i]!]));
  return {
    ingest: newIngestState(
      {
        lastTime: seq === null ? null : timeOf(seq),
        transactions: (tx ?? -1) + 1,
        nextTransfer: ((await reader.max(transfersTable, 'transfer')) ?? -1) + 1,
        lastTransfer: await reader.max(transfersTable, 'block_time'),
        hasReferencePrices: prices.length > 0,
        horizon: parseHorizon(meta.horizon).time,
      },
      bytes,
    ),
    roles: rolesOf(config.quote_tokens, (address) => idOf.get(address)),
    profilesAsOf: numberOrNull(meta.profiles_as_of),
    allAsOf: numberOrNull(meta.profiles_all_as_of),
    allAt: numberOrNull(meta.profiles_all_at),
    areProfilesPartial: Number(meta.profiles_last_time ?? 0) > Number(meta.profiles_as_of ?? 0),
    meta,
    version: await reader.version?.(),
  };
}

const numberOrNull = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

export function quoteAddresses(config: Config): string[] {
  return config.quote_tokens.map((token) => token.address);
}
