import type { GivenConfig, LabelRule } from './config.ts';
import { type ErrorDetail, SwapfoldError } from './errors.ts';
import type { Metric } from './metrics/metric.ts';
import type {
  OwnMetric,
  OwnMetricName,
  PositionMetricName,
  TokenMetricName,
  WalletMetricName,
} from './metrics/names.ts';
import { show } from './nearest.ts';
import { checkBytes, checkCallOptions, checkOptions, type OptionNames } from './options.ts';
import type { PositionFilter, TokenFilter, WalletFilter } from './search/filter-types.ts';
import { type CallOptions, checkSignal } from './storage/abortable.ts';
import type { StorageAdapter } from './storage/adapter.ts';
import type { TimeInput } from './time.ts';

type RulesOf<Filter> = readonly (Omit<Readonly<LabelRule>, 'filter'> & { readonly filter: Filter })[];

/**
 * A configuration as it is given: every field may be absent. The filter of a label rule names fields and windows of its kind of profile, and
 * `Own`, the metrics that are given to `open`, such as `wallets.my_metric`; anything else is a compile error. Cast what is read from JSON:
 * `JSON.parse(text) as ConfigInput`.
 */
export interface ConfigInput<Own extends string = never> extends Omit<GivenConfig, 'labels'> {
  readonly labels?:
    | (Omit<NonNullable<GivenConfig['labels']>, 'tokens' | 'wallets' | 'positions'> & {
        readonly tokens?: RulesOf<TokenFilter<TokenMetricName | OwnMetricName<'tokens', Own>>> | undefined;
        readonly wallets?: RulesOf<WalletFilter<WalletMetricName | OwnMetricName<'wallets', Own>>> | undefined;
        readonly positions?: RulesOf<PositionFilter<PositionMetricName | OwnMetricName<'positions', Own>>> | undefined;
      })
    | undefined;
}

/** Options of `Swapfold.open`. */
export interface OpenOptions<Metrics extends readonly Metric[] = readonly Metric[]> extends CallOptions {
  /** The engine and where its data are: `sqlite('dex.db')`, `duckdb('dex.duckdb')`, `clickhouse({ ... })` or `memory()`. */
  readonly storage: StorageAdapter;
  /**
   * Needed when a store is made, and never again: a store remembers it, but for `api_keys`. Default: the store's own; of a new store, that of
   * Solana. One with nothing but `api_keys` leaves the store its own. Any other is complete: a field that is absent has its default.
   */
  readonly config?: ConfigInput<OwnMetric<Metrics[number]>> | undefined;
  /**
   * Called for each field in which `config` differs from the store's own and which nothing stored depends on, such as `clock`. What is given
   * counts for this handle; one that writes makes it the store's own.
   */
  readonly onDifference?: ((difference: ErrorDetail) => void) | undefined;
  /**
   * Metrics of your own (`defineMetric`), beside the built-in ones: the types of search, sort and profiles know them. Default: those that the store remembers, whose stored values are then
   * served by name; what would have to fold them fails with `store-mismatch`.
   */
  readonly metrics?: Metrics | undefined;
  /**
   * How many days up to the newest swap the store keeps, such as '45d', at least '31d': once a day of block time has passed, an `ingest` or a
   * source forgets what is older, as `prune` does. Default: all.
   */
  readonly keep?: string | undefined;
  /**
   * Called with what the store goes on without. The commit before it holds. What could not take a commit up was dropped, and is read from the
   * store again; work that followed it is tried again after the next one. Each kind is told once until it succeeds.
   * Default: a warning of the process.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Bytes of the store that the process may keep between calls, to answer from and to go on from. Default: a quarter of the memory of the
   * machine, or of its container. With 0 it keeps what it can't do without: at least 28 MB of texts.
   */
  readonly memory?: number | undefined;
  /**
   * What becomes of a store that was folded with other settings: a configuration, label rules or metrics that differ, or an earlier version
   * of Swapfold. 'refuse' (the default) throws `store-mismatch`, which names the differences, and changes nothing. 'refold' folds again what
   * they touch, in one transaction: the profiles for label rules and metrics, swaps and profiles for the rest.
   */
  readonly onMismatch?: 'refuse' | 'refold' | undefined;
  /** Profiles folded so far, and how many there are to fold, where the store is folded again. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Swaps folded so far, before the profiles, where the store is folded again. */
  readonly onSwaps?: ((done: number) => void) | undefined;
}

/** Options of `dex.refresh`. */
export interface RefreshOptions extends CallOptions {
  /**
   * Which profiles to bring up to date: `all` (the default), or only those `traded` since the last refresh (or with another registry
   * row). The others stay as of the refresh before, and say so (`as_of`) where time has changed them since.
   */
  readonly scope?: 'all' | 'traded' | undefined;
  /**
   * Folds beside other writes, from a snapshot, and makes them wait only while it stores: what changes meanwhile is for the next refresh.
   * Folded profiles are in memory until then. Default false: one transaction, after which the profiles hold.
   */
  readonly beside?: boolean | undefined;
  /** Profiles as if no later swap had happened. */
  readonly asOf?: TimeInput | undefined;
  /** Profiles folded so far, and how many there are to fold. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Options of `dex.rebuild`. */
export interface RebuildOptions extends Omit<RefreshOptions, 'beside'> {
  /** Swaps folded so far, before the profiles. */
  readonly onSwaps?: ((done: number) => void) | undefined;
}

/** Argument of `dex.rollback`. */
export interface RollbackOptions extends CallOptions {
  /** The first orphaned block slot: swaps of it and of all later ones are removed. */
  readonly from_block_slot: number;
}

/** Argument of `dex.prune`: either `before` or `keep`. */
export interface PruneOptions extends CallOptions {
  /** The day that holds this time is the first to be kept: whole days of block time, UTC, are forgotten. */
  readonly before?: TimeInput | undefined;
  /** Days up to the newest swap that are kept, such as '45d', and the rest of the day before. */
  readonly keep?: string | undefined;
  /** Swaps forgotten so far. */
  readonly onSwaps?: ((done: number) => void) | undefined;
}

/** Options of `dex.copyFrom`. */
export interface CopyOptions extends CallOptions {
  /** Rows copied so far, of all tables. */
  readonly onRows?: ((done: number) => void) | undefined;
}

const openNames: OptionNames<OpenOptions> = {
  storage: true,
  config: true,
  onDifference: true,
  metrics: true,
  keep: true,
  onError: true,
  memory: true,
  onMismatch: true,
  onProgress: true,
  onSwaps: true,
  signal: true,
};
/** Errors: `invalid-config` for an option that does not exist or has a wrong value, no storage adapter, or bytes that are no number from 0. */
export function checkOpenOptions(options: OpenOptions): void {
  checkOptions('Swapfold.open', options, openNames);
  checkSignal(options.signal);
  if (typeof (options.storage as Partial<StorageAdapter> | undefined)?.snapshot !== 'function')
    throw new SwapfoldError(
      'invalid-config',
      `"storage": expected a storage adapter, such as sqlite('dex.db') of @swapfold/sqlite, received ${show(options.storage)}.`,
    );
  const { onMismatch } = options;
  if (onMismatch !== undefined && onMismatch !== 'refuse' && onMismatch !== 'refold')
    throw new SwapfoldError(
      'invalid-config',
      `"onMismatch": expected "refuse" or "refold", received ${show(onMismatch)}.`,
    );
  checkBytes('memory', options.memory);
}

function checking<T extends CallOptions>(of: string, names: OptionNames<T>): (call: T) => void {
  return (call) => checkCallOptions(of, call, names);
}

/** Errors: `invalid-input` for an option that does not exist, or a signal that is none. */
export const checkCall = {
  refresh: checking<RefreshOptions>('refresh', {
    scope: true,
    beside: true,
    asOf: true,
    onProgress: true,
    signal: true,
  }),
  rebuild: checking<RebuildOptions>('rebuild', {
    scope: true,
    asOf: true,
    onProgress: true,
    onSwaps: true,
    signal: true,
  }),
  rollback: checking<RollbackOptions>('rollback', { from_block_slot: true, signal: true }),
  prune: checking<PruneOptions>('prune', { before: true, keep: true, onSwaps: true, signal: true }),
  copyFrom: checking<CopyOptions>('copyFrom', { onRows: true, signal: true }),
  upsert: checking('upsert', { signal: true }),
  backup: checking('backup', { signal: true }),
  sources: checking('sources', { signal: true }),
  status: checking('status', { signal: true }),
  info: checking('info', { signal: true }),
  verify: checking('verify', { signal: true }),
} as const;
