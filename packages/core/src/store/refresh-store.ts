import { randomUUID } from 'node:crypto';
import { requireFunctions } from '../metrics/declaration.ts';
import type { FoldContext } from '../refresh/context.ts';
import { cannotFoldInWorkers, foldInWorkers } from '../refresh/fold-in-workers.ts';
import type { FoldMessage, RefreshWorker } from '../refresh/fold-task.ts';
import { foldStale, type RefreshOptions } from '../refresh/refresh.ts';
import { isAging } from '../refresh/stale.ts';
import { type RefreshResult, writeProfiles } from '../refresh/write.ts';
import type { Writer } from '../storage/adapter.ts';
import { type TimeInput, wallClock } from '../time.ts';
import { readMeta, writeMeta } from './meta.ts';
import { rederive } from './rebuild.ts';
import type { StoreSession } from './session.ts';

/** What is to be brought up to date: see `RefreshCall`. */
export interface StoreRefresh {
  readonly asOf?: TimeInput | undefined;
  readonly scope?: Parameters<typeof isAging>[0];
  readonly workers?: readonly RefreshWorker[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A refresh that was made in a transaction, by a name of its own; it counts once that is committed. */
export interface Refreshed {
  readonly result: RefreshResult;
  readonly name: string;
}

/** Brings the stored profiles up to date; all of them anew where `isFull`, or where what is stored cannot be continued. */
export async function refreshStore(
  session: StoreSession,
  writer: Writer,
  call: StoreRefresh,
  isFull = false,
): Promise<Refreshed> {
  requireFunctions(session.metrics, 'A refresh');
  const context = session.context(writer, { asOf: call.asOf });
  const isBehind = session.profilesAsOf === null || context.asOf < session.profilesAsOf;
  const options: RefreshOptions = {
    syncedAt: wallClock(),
    isFull: isFull || isBehind || session.areProfilesPartial,
    isAging: isAging(call.scope),
  };
  const name = randomUUID();
  const folded = await (call.workers?.length ? foldWithWorkers : foldHere)(session, context, options, call);
  const result = await writeProfiles(writer, context, folded, { isFull: options.isFull, onProgress: call.onProgress });
  await writeMeta(writer, {
    profiles_as_of: String(context.asOf),
    profiles_last_time: String(context.lastTime ?? 0),
    profiles_refresh: name,
  });
  return { result, name };
}

async function foldHere(
  session: StoreSession,
  context: FoldContext,
  options: RefreshOptions,
): Promise<AsyncIterable<FoldMessage>> {
  const before = (await readMeta(context.reader)).profiles_refresh;
  return foldStale(context, { ...options, cached: { entities: session.refreshCache, before } });
}

/** Workers cache nothing from refresh to refresh, and what this process cached is outdated by what they fold. */
async function foldWithWorkers(
  session: StoreSession,
  { reader, asOf }: FoldContext,
  { syncedAt, isFull, isAging }: RefreshOptions,
  { workers = [], signal }: StoreRefresh,
): Promise<AsyncIterable<FoldMessage>> {
  const version = await reader.version?.();
  if (version === undefined) throw cannotFoldInWorkers(session.storage.engine);
  session.refreshCache.clear();
  const { nextTx: transactions, lastTime: last_time } = session.state;
  const held = { version, transactions, last_time };
  const how = { as_of: asOf, synced_at: syncedAt, is_full: isFull, is_aging: isAging };
  return foldInWorkers(workers, { ...held, ...how }, signal);
}

/** Derives everything from the stored swaps again, and all profiles. */
export async function rebuildStore(
  session: StoreSession,
  writer: Writer,
  call: StoreRefresh & { readonly onSwaps?: ((done: number) => void) | undefined },
): Promise<Refreshed & { readonly swaps: number }> {
  requireFunctions(session.metrics, 'A rebuild');
  const swaps = await rederive(writer, session.applyContext(), call.onSwaps);
  return { swaps, ...(await refreshStore(session, writer, call, true)) };
}

/** Remembers a refresh that was committed. */
export function noteRefreshed(session: StoreSession, { result, name }: Refreshed): void {
  session.refreshCache.settle(name);
  session.profilesAsOf = result.as_of;
  session.areProfilesPartial = result.as_of < (session.state.lastTime ?? 0);
}
