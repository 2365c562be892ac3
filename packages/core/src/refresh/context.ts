import type { Config } from '../config.ts';
import type { Dictionary } from '../ingest/dictionary.ts';
import type { Roles } from '../ledger/roles.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import type { Reader } from '../storage/adapter.ts';

/** What profiles are folded from: one consistent state of the store, and the as-of time. */
export interface FoldContext {
  readonly config: Config;
  readonly reader: Reader;
  readonly dictionary: Dictionary;
  readonly roles: Roles;
  /** All metrics, built-in ones included. */
  readonly metrics: readonly Metric[];
  readonly shapes: Readonly<Record<ProfileKind, ProfileShape>>;
  /** Unix seconds; the profiles are as if nothing later had been ingested. */
  readonly asOf: number;
  /** Block time of the newest stored swap, `null` in an empty store. */
  readonly lastTime: number | null;
  /** Where the store begins (`ingest/carried.ts`), Unix seconds; 0 if it has forgotten nothing. */
  readonly horizon: number;
  /** Whether the store has any: without them none are looked for. */
  readonly hasReferencePrices: boolean;
  readonly hasTransfers: boolean;
}
