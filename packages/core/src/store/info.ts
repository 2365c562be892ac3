import { timeOf } from '../records/chain-order.ts';
import { swapsTable, tradesTable, transactionsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { SCHEMA_VERSION } from './open-store.ts';
import type { StoreSession } from './session.ts';

/** What a store holds. */
export interface StoreInfo {
  readonly engine: string;
  /** The layout of its tables. */
  readonly schema_version: number;
  /** Block times of its first and its newest swap, Unix seconds; `null` without a swap. */
  readonly first_swap_at: number | null;
  readonly last_swap_at: number | null;
  readonly transactions: number;
  readonly swaps: number;
  readonly trades: number;
  /** As-of time of the stored profiles, Unix seconds; `null` before the first refresh. */
  readonly profiles_as_of: number | null;
  /** Stored profiles. */
  readonly wallets: number;
  readonly tokens: number;
  readonly positions: number;
}

/** What a store says of itself. */
export interface Informing {
  /**
   * What the store holds: how much, from when to when, and as of when its profiles are. Its configuration is `config`.
   *
   * - Cost: the engine counts its rows. DuckDB and ClickHouse know their counts; SQLite reads an index of each table.
   */
  info(): Promise<StoreInfo>;
}

export function informingOf(session: StoreSession, refuseWhenClosed: () => void): Informing {
  return {
    async info() {
      refuseWhenClosed();
      await session.reloadIfChanged();
      return storeInfo(session);
    },
  };
}

function storeInfo(session: StoreSession): Promise<StoreInfo> {
  const { shapes, storage } = session;
  return storage.snapshot(async (reader) => ({
    engine: storage.engine,
    schema_version: SCHEMA_VERSION,
    first_swap_at: await firstSwapAt(reader),
    last_swap_at: timeOrNull(await reader.max(swapsTable, 'seq')),
    transactions: await reader.count(transactionsTable),
    swaps: await reader.count(swapsTable),
    trades: await reader.count(tradesTable),
    profiles_as_of: (await session.rememberedOf(reader)).profilesAsOf,
    wallets: await reader.count(shapes.wallets.table),
    tokens: await reader.count(shapes.tokens.table),
    positions: await reader.count(shapes.positions.table),
  }));
}

async function firstSwapAt(reader: Reader): Promise<number | null> {
  const order = [{ column: 'seq', direction: 'asc' }] as const;
  const { columns } = await reader.read({ table: swapsTable, columns: ['seq'], order, limit: 1 });
  return timeOrNull(columns.seq[0] ?? null);
}

const timeOrNull = (seq: number | null): number | null => (seq === null ? null : timeOf(seq));
