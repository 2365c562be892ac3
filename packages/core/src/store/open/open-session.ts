import { budgetOf } from '../../cache/budget.ts';
import { type Config, parseConfig } from '../../config.ts';
import { SwapfoldError } from '../../errors.ts';
import { allMetrics } from '../../metrics/built-in.ts';
import type { Metric } from '../../metrics/metric.ts';
import { checkRules } from '../../refresh/labels.ts';
import type { StorageAdapter } from '../../storage/adapter.ts';
import type { OpenOptions } from '../../swapfold-options.ts';
import { parseKeep } from '../write/prune.ts';
import { rebuildAll, refreshProfiles } from '../write/refresh-store.ts';
import { rememberedMetrics } from './folding.ts';
import { findStore, openStore } from './open-store.ts';
import { configDifferences, configFor } from './remembered-config.ts';
import { StoreSession } from './session.ts';
import { viewSourceOf } from './view-source.ts';

/** Adapters that were given to a store, and whether it has closed them. */
const used = new WeakMap<StorageAdapter, 'open' | 'closed'>();

/** As `Swapfold.open`, of options that were checked. If it fails, the storage is closed. */
export async function openSession(options: OpenOptions): Promise<StoreSession> {
  const { storage, metrics } = options;
  // At fault before the storage is opened.
  newSession(options, parseConfig(options.config), metrics);
  const keep = options.keep === undefined ? undefined : parseKeep(options.keep, 'invalid-config');
  refuseUsed(storage);
  used.set(storage, 'open');
  try {
    const found = await findStore(storage, options.onError ?? warn);
    const config = configFor(found, options.config);
    const opened = newSession(options, config, metrics ?? rememberedMetrics(found));
    await openStore(storage, {
      found,
      config,
      shapes: opened.shapes,
      folding: opened.folding,
      views: storage.views?.(viewSourceOf(opened.config, opened.shapes)) ?? [],
      onMismatch: options.onMismatch ?? 'refuse',
      signal: options.signal,
      async fold(writer, refold) {
        const { onProgress, onSwaps } = options;
        await opened.begin(writer);
        if (refold === 'all') await rebuildAll(opened, writer, { onProgress, onSwaps });
        // Without a refresh there were none.
        else if (refold === 'profiles' && found.profiles_as_of !== undefined)
          await refreshProfiles(opened, writer, { onProgress }, true);
      },
    });
    await opened.start();
    opened.keep = keep;
    for (const difference of configDifferences(found, config)) options.onDifference?.(difference);
    return opened;
  } catch (error) {
    used.set(storage, 'closed');
    await storage.close();
    throw error;
  }
}

/** Waits for what is running, and closes the storage. */
export async function closeSession({ storage, memory, live }: StoreSession): Promise<void> {
  const failure = await storage.close().then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof SwapfoldError && failure.code === 'nested-call') throw failure;
  live.log.close();
  used.set(storage, 'closed');
  memory.drop();
  if (failure !== undefined) throw failure;
}

/** Errors: `invalid-config`. A label rule at fault is one if the metrics are known, because it may ask for those that the store remembers. */
function newSession(
  { storage, memory, onError = warn }: OpenOptions,
  config: Config,
  own: readonly Metric[] | undefined,
): StoreSession {
  const session = new StoreSession({
    config,
    storage,
    metrics: allMetrics(own ?? []),
    budget: budgetOf(memory),
    onError,
  });
  if (own !== undefined) checkRules(session);
  return session;
}

/** Errors: `store-locked`, `closed`. */
function refuseUsed(storage: StorageAdapter): void {
  if (used.get(storage) === 'open')
    throw new SwapfoldError(
      'store-locked',
      'This storage adapter is open already; make another, or use the store that has it.',
    );
  if (used.get(storage) === 'closed')
    throw new SwapfoldError(
      'closed',
      'This storage adapter was closed with its store; make another, such as sqlite(path).',
    );
}

function warn(error: unknown): void {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.emitWarning(
    `Something failed that the store goes on without; what was committed holds: ${message}`,
    'SwapfoldWarning',
  );
}
