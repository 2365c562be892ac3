import { everything, newChanges } from '../../ingest/changes.ts';
import { requireFunctions } from '../../metrics/metric.ts';
import { foldStale } from '../../refresh/refresh.ts';
import { isAging } from '../../refresh/stale.ts';
import { type Refreshed, type RefreshResult, writeProfiles } from '../../refresh/write.ts';
import type { Writer } from '../../storage/adapter.ts';
import type { RebuildOptions, RefreshOptions } from '../../swapfold-options.ts';
import { wallClock } from '../../time.ts';
import type { Remembered } from '../open/remembered.ts';
import type { StoreSession } from '../open/session.ts';
import { rederive } from './rebuild.ts';
import { refreshBeside } from './refresh-beside.ts';

/** As `Swapfold.refresh`. */
export function refreshStore(session: StoreSession, call: RefreshOptions): Promise<RefreshResult> {
  if (call.beside !== true) return session.upkeep.refreshInWrite(() => refreshInWrite(session, call));
  return session.upkeep.refreshBeside(() => refreshBeside(session, call));
}

/** Refreshes in one transaction, which other writes wait for. */
async function refreshInWrite(session: StoreSession, call: RefreshOptions): Promise<RefreshResult> {
  const changes = newChanges();
  const { result } = await session.write(
    { signal: call.signal, changes },
    async (writer) => {
      const refreshed = await refreshProfiles(session, writer, call);
      changes.profiles = refreshed.changed;
      changes.refreshed = refreshed.name;
      return refreshed;
    },
    (refreshed) => noteRefreshed(session, refreshed),
  );
  return result;
}

/** As `Swapfold.rebuild`. */
export function rebuildStore(session: StoreSession, call: RebuildOptions): Promise<{ swaps: number } & RefreshResult> {
  return session.upkeep.refreshInWrite(() => rebuildInWrite(session, call));
}

async function rebuildInWrite(session: StoreSession, call: RebuildOptions): Promise<{ swaps: number } & RefreshResult> {
  const changes = everything();
  const { swaps, result } = await session.write(
    { signal: call.signal, changes },
    async (writer) => {
      const rebuilt = await rebuildAll(session, writer, call);
      changes.refreshed = rebuilt.name;
      return rebuilt;
    },
    // What a rebuild mends must not come back with a checkpoint from before.
    (rebuilt) => ({ ...noteRefreshed(session, rebuilt), ingest: { ...session.remembered.ingest, checkpoints: [] } }),
  );
  return { swaps, ...result };
}

/** Brings the stored profiles up to date; all of them anew where `isFull`, or where what is stored cannot be continued. */
export async function refreshProfiles(
  session: StoreSession,
  writer: Writer,
  call: RefreshOptions,
  isFull = false,
): Promise<Refreshed> {
  requireFunctions(session.metrics, 'A refresh');
  const context = session.context(writer, { asOf: call.asOf });
  const { profilesAsOf, areProfilesPartial } = session.remembered;
  const isAnew = profilesAsOf === null || context.asOf < profilesAsOf || areProfilesPartial;
  const options = { syncedAt: wallClock(), isFull: isFull || isAnew, isAging: isAging(call.scope) };
  const folded = foldStale(context, { ...options, cached: session.refreshCache });
  return writeProfiles(writer, context, folded, { ...options, onProgress: call.onProgress });
}

/** Derives everything from the stored swaps again, and all profiles. */
export async function rebuildAll(
  session: StoreSession,
  writer: Writer,
  call: RebuildOptions,
): Promise<Refreshed & { readonly swaps: number }> {
  requireFunctions(session.metrics, 'A rebuild');
  const context = session.applyContext();
  const swaps = await rederive(writer, context, call.onSwaps);
  context.state.votes.clear();
  return { swaps, ...(await refreshProfiles(session, writer, call, true)) };
}

/** What a refresh that was committed leaves. */
function noteRefreshed(session: StoreSession, { result, all }: Refreshed): Partial<Remembered> {
  return {
    profilesAsOf: result.as_of,
    ...all,
    areProfilesPartial: result.as_of < (session.remembered.ingest.lastTime ?? 0),
  };
}
