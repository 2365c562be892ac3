import { SwapfoldError } from '../../errors.ts';
import { beginFolding, isFolding, newChanges } from '../../ingest/changes.ts';
import { machineMemory } from '../../memory-limit.ts';
import { requireFunctions } from '../../metrics/metric.ts';
import { foldStale } from '../../refresh/refresh.ts';
import { isAging } from '../../refresh/stale.ts';
import {
  type FoldMessage,
  type Refreshed,
  type RefreshResult,
  settleProfiles,
  storeProfiles,
} from '../../refresh/write.ts';
import { untilAborted } from '../../storage/abortable.ts';
import type { Reader, Writer } from '../../storage/adapter.ts';
import { readMeta } from '../../storage/meta.ts';
import { pinSnapshot } from '../../storage/snapshots.ts';
import type { RefreshOptions } from '../../swapfold-options.ts';
import { wallClock } from '../../time.ts';
import type { Remembered } from '../open/remembered.ts';
import type { StoreSession, WriteCall } from '../open/session.ts';

/** What folded profiles may take before they are stored; beyond it the rest is folded while the write runs. */
const MOST_BYTES = machineMemory() / 8;

/**
 * As `refreshStore`, beside other writes: folds from a snapshot, and takes the writer's place to store alone. The store is then as if the
 * refresh had run at the snapshot: what changed since stays dirty.
 */
export async function refreshBeside(session: StoreSession, call: RefreshOptions): Promise<RefreshResult> {
  requireFunctions(session.metrics, 'A refresh');
  const { signal } = call;
  await session.write({ signal, changes: newChanges() }, beginFolding);
  const { registryChanges } = session.state;
  const snapshot = await pinSnapshot((read) => session.storage.snapshot(read, 'scan'));
  try {
    return await foldAndStore(session, untilAborted(snapshot.reader, signal), { ...call, registryChanges });
  } finally {
    await snapshot.end();
  }
}

async function foldAndStore(
  session: StoreSession,
  reader: Reader,
  { registryChanges, ...call }: RefreshOptions & { readonly registryChanges: number },
): Promise<RefreshResult> {
  const state = await session.rememberedOf(reader);
  const context = session.context(reader, { asOf: call.asOf, signal: call.signal }, { state });
  const { profilesAsOf, areProfilesPartial } = state;
  const isFull = profilesAsOf === null || context.asOf < profilesAsOf || areProfilesPartial;
  const { refreshCache: cached } = session;
  const folding = foldStale(context, { syncedAt: wallClock(), isFull, isAging: isAging(call.scope), cached });
  // What is stored beside other writes need not wait in memory.
  const folded = session.storage.writeAside === undefined ? await gathered(folding) : folding;
  const before = state.meta.profiles_refresh;
  const changes = newChanges();
  const { result } = await writeAside(
    session,
    { signal: call.signal, changes },
    {
      fill: (writer) =>
        storeProfiles(writer, context, folded, { isFull, isAging: isAging(call.scope), onProgress: call.onProgress }),
      async change(writer, stored) {
        const { profiles_refresh: now } = await readMeta(writer);
        if (now !== undefined && now !== before)
          throw new SwapfoldError('store-failed', 'Another process has refreshed the profiles meanwhile.');
        // A row of a registry that came meanwhile has changed what trades are worth. A write aside does not see it.
        const isCacheCurrent = now === before && session.state.registryChanges === registryChanges;
        const how = { settled: isFolding, isNamed: isCacheCurrent };
        const refreshed = await settleProfiles(writer, context, stored, how);
        changes.profiles = refreshed.changed;
        if (isCacheCurrent) changes.refreshed = refreshed.name;
        return refreshed;
      },
      remember({ result, all }: Refreshed) {
        return { profilesAsOf: result.as_of, ...all, areProfilesPartial: result.as_of < (context.lastTime ?? 0) };
      },
    },
  );
  return result;
}

/** The messages, folded before they are asked for as far as memory allows. */
async function gathered(folding: AsyncGenerator<FoldMessage>): Promise<AsyncIterable<FoldMessage>> {
  const messages: FoldMessage[] = [];
  let bytes = 0;
  while (bytes < MOST_BYTES) {
    const { done, value } = await folding.next();
    if (done) break;
    messages.push(value);
    if (value.kind !== 'found') bytes += value.rows.length * Object.keys(value.rows.columns).length * 8;
  }
  return (async function* () {
    yield* messages.splice(0);
    yield* folding;
  })();
}

/** A write of profiles: `fill` writes their rows, `change` says that they count. */
interface AsideWrite<F, R> {
  readonly fill: (writer: Writer) => Promise<F>;
  readonly change: (writer: Writer, filled: F) => Promise<R>;
  readonly remember: (answer: R) => Partial<Remembered>;
}

/** As `StoreSession.write`. Other writes wait for `change` alone, if the engine has transactions beside each other. */
async function writeAside<F, R>(
  session: StoreSession,
  call: WriteCall,
  { fill, change, remember }: AsideWrite<F, R>,
): Promise<R> {
  const { storage, shapes } = session;
  if (storage.writeAside === undefined)
    return session.write(call, async (writer) => change(writer, await fill(writer)), remember);
  const tables = Object.values(shapes).map(({ table }) => table);
  return storage.writeAside(tables, async (writer, end) => {
    const { changes } = call;
    const watched = session.profiles.beginAside(changes, writer);
    let filled: F;
    try {
      filled = await fill(watched);
    } catch (error) {
      session.profiles.fail(changes);
      throw error;
    }
    return session.write({ ...call, storage: end, isAside: true }, (own) => change(own, filled), remember);
  });
}
