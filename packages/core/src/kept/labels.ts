import type { Changes } from '../ingest/changes.ts';
import type { KeptPart } from './kept.ts';

/** The labels that the registry of wallets gives, until the registry changes. */
export class KeptLabels implements KeptPart {
  #names: ReadonlySet<string> | undefined;

  /** `undefined` until they are read. */
  get names(): ReadonlySet<string> | undefined {
    return this.#names;
  }

  set(names: ReadonlySet<string>): void {
    this.#names = names;
  }

  commit({ hasRegistryChanged }: Changes): void {
    if (hasRegistryChanged) this.clear();
  }

  clear(): void {
    this.#names = undefined;
  }
}
