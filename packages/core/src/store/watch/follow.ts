import { invalidInput, SwapfoldError } from '../../errors.ts';
import { isColumns, readable } from '../../ingest/batches.ts';
import type { Changes } from '../../ingest/changes.ts';
import { unstorable } from '../../ingest/field-rules.ts';
import type { Reject } from '../../ingest-result.ts';
import type {
  FollowResult,
  Source,
  SourceItem,
  SourcePlace,
  SourceRollback,
  SourceRows,
  StoreStatus,
} from '../../live/source.ts';
import { show } from '../../nearest.ts';
import { upsertRegistry } from '../../registry/registry.ts';
import { type CallOptions, orAborted, throwIfAborted } from '../../storage/abortable.ts';
import type { Writer } from '../../storage/adapter.ts';
import { readPlace, readPlaces, writePlace } from '../../storage/meta.ts';
import { checkCall } from '../../swapfold-options.ts';
import type { StoreSession } from '../open/session.ts';
import { ingestBatch } from '../write/ingest-store.ts';
import { newIngestResult } from '../write/intake.ts';
import { rollbackStore } from '../write/rollback.ts';
import { checkFollow, checkKeepFresh, type FollowOptions, type KeepFreshOptions } from './follow-options.ts';
import { itemTransfers } from './item-transfers.ts';
import { keepFresh } from './keep-fresh.ts';

/** Sources of swaps of one's own. */
export interface Following {
  /**
   * Stores what a source gives, swaps and rollbacks, and goes on from the place that the store remembers of it.
   *
   * - Each item is one transaction with its place: after a crash the source is read on exactly behind what is stored.
   * - Shape: counts as of `ingest`, once the source has ended.
   * - Errors: `invalid-input` for what is no source, or one that is being followed; `source-failed` if it throws, with that as `cause`;
   *   `aborted`, `closed`; the errors of `ingest` and `rollback`. Each has `result`: what was stored before.
   */
  follow(source: Source, options?: FollowOptions): Promise<FollowResult>;
  /** The places that the store remembers of the sources that were followed, by name. */
  sources(call?: CallOptions): Promise<readonly SourcePlace[]>;
  /**
   * Refreshes the profiles by itself as swaps come, until the signal aborts or the store closes: those of what was traded soon, all of them
   * now and then. Each refresh folds beside other writes.
   */
  keepFresh(options?: KeepFreshOptions): Promise<void>;
  /** How up to date the store is, from memory. */
  status(options?: CallOptions): Promise<StoreStatus>;
}

/** `closing` aborts once the store is closed. */
export function followingOf(session: StoreSession, refuseWhenClosed: () => void, closing: AbortSignal): Following {
  return {
    async follow(source, options = {}) {
      refuseWhenClosed();
      checkFollow(options);
      return followSource(session, source, options, closing);
    },
    async sources(call = {}) {
      refuseWhenClosed();
      checkCall.sources(call);
      return orAborted(call.signal, session.storage.snapshot(readPlaces, 'point'));
    },
    async keepFresh(options = {}) {
      refuseWhenClosed();
      checkKeepFresh(options);
      await keepFresh(session, options, closing);
    },
    async status(options = {}) {
      refuseWhenClosed();
      checkCall.status(options);
      throwIfAborted(options.signal);
      await orAborted(options.signal, Promise.resolve(session.reloadIfChanged()));
      const { ingest, profilesAsOf, allAsOf, allAt } = session.remembered;
      return {
        newest_block_time: ingest.lastTime,
        profiles_as_of: profilesAsOf,
        all_profiles_as_of: allAsOf,
        all_refreshed_at: allAt,
        sources: Array.from(session.upkeep.following, ([name, { result, source }]) => ({
          name,
          rows: result.added + result.duplicate + result.conflicting + result.rejected,
          undecoded: { ...source.undecoded },
        })),
      };
    },
  };
}

/** Registry rows at fault that a result lists. */
const MOST_ROWS = 1000;

const MOST_NAME = 1000;
const MOST_PLACE = 1_000_000;

/**
 * Stores what a source gives, item by item, a transaction each with its place. An error says what was stored before it.
 */
async function followSource(
  session: StoreSession,
  source: Source,
  options: FollowOptions,
  closing: AbortSignal,
): Promise<FollowResult> {
  checkSource(source);
  const result: FollowResult = {
    ...newIngestResult(),
    registered: 0,
    unregistered: [],
    transfers: { ...newIngestResult(), conflicts: [] },
    rolled_back: 0,
    place: null,
  };
  const { following } = session.upkeep;
  if (following.has(source.name)) throw invalidInput(`The source ${show(source.name)} is being followed already.`);
  following.set(source.name, { result, source });
  try {
    result.place = await session.storage.snapshot((reader) => readPlace(reader, source.name), 'point');
    await followItems(session, source, result, { ...options, closing });
    return result;
  } catch (error) {
    if (error instanceof SwapfoldError) error.result ??= result;
    throw error;
  } finally {
    following.delete(source.name);
    session.upkeep.setBehind(source.name, false);
  }
}

async function followItems(
  session: StoreSession,
  source: Source,
  result: FollowResult,
  { closing, ...options }: FollowOptions & { readonly closing: AbortSignal },
): Promise<void> {
  const ended = new AbortController();
  const { signal } = options;
  const stop = signal === undefined ? closing : AbortSignal.any([signal, closing]);
  const reading = { signal: AbortSignal.any([stop, ended.signal]) };
  const items = readable(() => source.read(result.place, reading), `The source ${show(source.name)}`);
  let row = 0;
  try {
    for (;;) {
      const { done, value: item } = await orAborted(stop, items.next());
      if (done) return;
      checkItem(source, item);
      if (item.more === true) session.upkeep.setBehind(source.name, true);
      row += await takeItem(session, { source, item, firstRow: row }, result, options);
      result.place = item.place;
      if (item.more !== true) session.upkeep.setBehind(source.name, false);
      options.onItem?.(result);
    }
  } catch (error) {
    if (closing.aborted && !signal?.aborted)
      throw new SwapfoldError('closed', 'The store is closed.', { cause: error });
    throw error;
  } finally {
    ended.abort();
    const over = items.return(undefined).catch(() => undefined);
    // A source that does not answer, which may be why the call is aborted, does not end either.
    if (!stop.aborted) await over;
  }
}

interface Taken<Item extends SourceItem = SourceItem> {
  readonly source: Source;
  readonly item: Item;
  readonly firstRow: number;
}

/** Stores an item. Shape: how many rows it had. */
async function takeItem(
  session: StoreSession,
  { source, item, firstRow }: Taken,
  result: FollowResult,
  options: FollowOptions,
): Promise<number> {
  const place = (writer: Writer): Promise<void> => writePlace(writer, source.name, item.place);
  if (item.rollback === undefined) return takeRows(session, { source, item, firstRow }, result, options);
  const call = { from_block_slot: item.rollback.from_block_slot, signal: options.signal };
  result.rolled_back += (await rollbackStore(session, call, place)).swaps;
  return 0;
}

async function takeRows(
  session: StoreSession,
  { source, item, firstRow }: Taken<SourceRows>,
  result: FollowResult,
  options: FollowOptions,
): Promise<number> {
  let registered = 0;
  const transfers = itemTransfers(session, item, options);
  const unregistered: Reject[] = [];
  async function beside(writer: Writer, changes: Changes): Promise<void> {
    registered = 0;
    unregistered.length = 0;
    for (const kind of ['tokens', 'wallets'] as const) {
      const rows = item[kind] ?? [];
      if (rows.length === 0) continue;
      changes.hasRegistryChanged = true;
      const upserted = await upsertRegistry(writer, session.dictionary, session.config, kind, rows);
      registered += upserted.upserted;
      unregistered.push(...upserted.rejects);
    }
    await transfers?.check(writer);
    await writePlace(writer, source.name, item.place);
  }
  await ingestBatch(session, { batch: item.rows, firstRow, beside, behind: transfers?.store }, result, options);
  transfers?.note(result.transfers);
  result.registered += registered;
  result.unregistered.push(...unregistered.slice(0, MOST_ROWS - result.unregistered.length));
  return item.rows.length;
}

/** Whether engines store it, and give it back unchanged. */
function isText(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most && !unstorable.test(value);
}

/** Errors: `invalid-input` for what is no source. */
function checkSource(source: Source): void {
  const { name, read } = Object(source) as Partial<Source>;
  if (!isText(name, MOST_NAME) || name === '')
    throw invalidInput(
      `The name of a source must be a text of 1 to ${MOST_NAME} characters without NUL and lone surrogates, not ${show(name)}.`,
    );
  if (typeof read !== 'function') throw invalidInput(`The source ${show(name)} has no method "read".`);
}

/** Errors: `invalid-input` for what is no item. */
function checkItem(source: Source, item: SourceItem): void {
  const { rows, rollback, place } = Object(item) as Partial<SourceRows> & Partial<SourceRollback>;
  const of = `An item of the source ${show(source.name)}`;
  if (!isText(place, MOST_PLACE))
    throw invalidInput(
      `${of} needs "place", a text of at most ${MOST_PLACE} characters without NUL and lone surrogates, not ${show(place)}.`,
    );
  if (rollback === undefined && !Array.isArray(rows) && !isColumns(rows))
    throw invalidInput(`${of} needs "rows", an array or a column batch, or "rollback".`);
  if (rollback !== undefined && rows !== undefined)
    throw invalidInput(`${of} has "rows" and "rollback": give two items.`);
  const { transfers } = Object(item) as Partial<SourceRows>;
  if (transfers !== undefined && !Array.isArray(transfers) && !isColumns(transfers))
    throw invalidInput(`${of} has "transfers" that is no array and no column batch: ${show(transfers)}.`);
  for (const kind of ['tokens', 'wallets'] as const) {
    const given = (Object(item) as Partial<SourceRows>)[kind];
    if (given !== undefined && !Array.isArray(given))
      throw invalidInput(`${of} has "${kind}" that is no array: ${show(given)}.`);
  }
}
