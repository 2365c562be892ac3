import type { Config } from '../config.ts';
import type { Roles } from '../ledger/roles.ts';
import type { Changes } from './changes.ts';
import type { Dictionary } from './dictionary.ts';
import type { Reject, SameSwap } from './result.ts';
import type { IngestState } from './transactions.ts';

/** What a write of swaps works with. */
export interface ApplyContext {
  readonly config: Config;
  readonly roles: Roles;
  readonly dictionary: Dictionary;
  readonly state: IngestState;
  readonly changes?: Changes | undefined;
  /** Called for each new swap that the store has under another index; whether it is left out. */
  readonly leavesOutSame?: ((same: SameSwap) => boolean) | undefined;
  /** Leaves out the swaps of full seconds and calls this for each; without it a full second is an error. */
  readonly rejectFull?: ((reject: Reject) => void) | undefined;
}
