import { invalidInput } from '../../errors.ts';
import type { FollowResult } from '../../live/source.ts';
import { show } from '../../nearest.ts';
import { checkCallOptions, type OptionNames } from '../../options.ts';
import type { RefreshResult } from '../../refresh/write.ts';
import type { CallOptions } from '../../storage/abortable.ts';
import { checkMaxAhead, type IngestOptions } from '../write/intake.ts';

/** Options of `dex.follow`. */
export interface FollowOptions
  extends Omit<IngestOptions, 'batchSize' | 'bulk' | 'keepOrder' | 'onSwaps' | 'onSame' | 'onUnordered' | 'skipSame'> {
  /** Called once an item is stored, with what became of all so far. If it throws, `follow` rejects with that error, and the item stays. */
  readonly onItem?: ((result: FollowResult) => void) | undefined;
}

/** Seconds; 0 is never. */
export interface KeepFreshOptions extends CallOptions {
  /** How long after the first new swap the profiles of what was traded are refreshed. Default 2. */
  readonly every?: number | undefined;
  /** How often all profiles are, at the earliest nine times as long after the last time as it took. Default 300. */
  readonly allEvery?: number | undefined;
  /** Called after each refresh. */
  readonly onRefresh?:
    | ((result: RefreshResult, of: { readonly scope: 'all' | 'traded'; readonly seconds: number }) => void)
    | undefined;
  /** Called with what kept a refresh from its end; it is tried again after half a minute. Default: `onError` of `Swapfold.open`, once until a refresh succeeds. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const keepFreshNames: OptionNames<KeepFreshOptions> = {
  every: true,
  allEvery: true,
  onRefresh: true,
  onError: true,
  signal: true,
};

/** Errors: `invalid-input`. */
export function checkKeepFresh(options: KeepFreshOptions): void {
  checkCallOptions('keepFresh', options, keepFreshNames);
  for (const name of ['every', 'allEvery'] as const) {
    const value = options[name];
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue;
    throw invalidInput(`"${name}": expected seconds from 0, received ${show(value)}.`);
  }
}

const followNames: OptionNames<FollowOptions> = {
  maxAhead: true,
  onItem: true,
  onReject: true,
  onConflict: true,
  signal: true,
};

/** Errors: `invalid-input`. */
export function checkFollow(options: FollowOptions): void {
  checkCallOptions('follow', options, followNames);
  checkMaxAhead(options);
}
