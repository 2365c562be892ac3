import type { Config, Swapfold } from '@swapfold/core';

/** A store that is made once there is something to store; without `open`, nothing is stored, and the import says what would be. */
export interface NewStore {
  readonly config: Config;
  readonly open?: (() => Promise<Swapfold>) | undefined;
}

/** Where an import goes. */
export interface Target extends NewStore {
  readonly isNew: boolean;
}
