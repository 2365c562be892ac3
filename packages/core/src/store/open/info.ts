import { type Horizon, readHorizon } from '../../ingest/carried.ts';
import { timeOf } from '../../records/chain-order.ts';
import { swapsTable, tradesTable, transactionsTable, transfersTable } from '../../records/tables.ts';
import { type CallOptions, orAborted, throwIfAborted, untilAborted } from '../../storage/abortable.ts';
import type { Reader } from '../../storage/adapter.ts';
import { checkCall } from '../../swapfold-options.ts';
import { ledgerOf, type StoreLedger } from './ledger-info.ts';
import { HORIZON_VERSION, SCHEMA_VERSION } from './open-store.ts';
import type { StoreSession } from './session.ts';
import { type StoreValuation, valuationOf } from './valuation.ts';

/** What a store holds. */
export interface StoreInfo {
  readonly engine: string;
  /** The layout of its tables: 11 where it has a horizon, which earlier versions do not know. */
  readonly schema_version: number;
  /** Where the store begins, Unix seconds: it has forgotten the swaps before. `null` if it has forgotten nothing. */
  readonly horizon: number | null;
  /** Block times of its first and its newest swap, Unix seconds; `null` without a swap. */
  readonly first_swap_at: number | null;
  readonly last_swap_at: number | null;
  readonly transactions: number;
  readonly swaps: number;
  readonly trades: number;
  readonly transfers: number;
  /** As-of time of the last refresh, be it of the profiles of what was traded alone; Unix seconds, `null` before the first. `status` has that of the last one of all. */
  readonly profiles_as_of: number | null;
  /** Stored profiles. */
  readonly wallets: number;
  readonly tokens: number;
  readonly positions: number;
  readonly valuation: StoreValuation;
  readonly ledger: StoreLedger;
}

/** What a store says of itself. */
export interface Informing {
  /**
   * What the store holds: how much, from when to when, and as of when its profiles are. Its configuration is `config`.
   *
   * - Cost: the engine counts its rows. DuckDB and ClickHouse know their counts; SQLite reads an index of each table. Stored positions are read for `ledger`.
   */
  info(options?: CallOptions): Promise<StoreInfo>;
}

export function informingOf(session: StoreSession, refuseWhenClosed: () => void): Informing {
  return {
    async info(options = {}) {
      refuseWhenClosed();
      checkCall.info(options);
      throwIfAborted(options.signal);
      await orAborted(options.signal, Promise.resolve(session.reloadIfChanged()));
      return orAborted(options.signal, storeInfo(session, options.signal));
    },
  };
}

function storeInfo(session: StoreSession, signal: AbortSignal | undefined): Promise<StoreInfo> {
  return session.storage.snapshot((stored) => infoFrom(session, untilAborted(stored, signal)));
}

async function infoFrom(session: StoreSession, reader: Reader): Promise<StoreInfo> {
  const { shapes, storage } = session;
  return {
    engine: storage.engine,
    ...layoutOf(await readHorizon(reader)),
    first_swap_at: await firstSwapAt(reader),
    last_swap_at: timeOrNull(await reader.max(swapsTable, 'seq')),
    transactions: await reader.count(transactionsTable),
    swaps: await reader.count(swapsTable),
    trades: await reader.count(tradesTable),
    transfers: await reader.count(transfersTable),
    profiles_as_of: (await session.rememberedOf(reader)).profilesAsOf,
    wallets: await reader.count(shapes.wallets.table),
    tokens: await reader.count(shapes.tokens.table),
    positions: await reader.count(shapes.positions.table),
    valuation: await valuationOf(session, reader),
    ledger: await ledgerOf(session, reader),
  };
}

const layoutOf = ({ time }: Horizon): Pick<StoreInfo, 'schema_version' | 'horizon'> =>
  time === 0 ? { schema_version: SCHEMA_VERSION, horizon: null } : { schema_version: HORIZON_VERSION, horizon: time };

async function firstSwapAt(reader: Reader): Promise<number | null> {
  const order = [{ column: 'seq', direction: 'asc' }] as const;
  const { columns } = await reader.read({ table: swapsTable, columns: ['seq'], order, limit: 1 });
  return timeOrNull(columns.seq[0] ?? null);
}

const timeOrNull = (seq: number | null): number | null => (seq === null ? null : timeOf(seq));
