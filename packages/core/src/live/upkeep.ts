import type { ProcessMemory } from '../cache/process-memory.ts';
import type { Changes } from '../ingest/changes.ts';
import type { FollowResult, Source } from './source.ts';

/** What runs in the background of a store: sources that are followed, and refreshes, one after the other. */
export class Upkeep {
  readonly following = new Map<string, { readonly result: FollowResult; readonly source: Source }>();
  readonly #memory: Pick<ProcessMemory, 'onCommit'>;
  /** Sources that have more to give already, by name. */
  readonly #behind = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #inWrite: Promise<unknown> = Promise.resolve();
  #beside: Promise<unknown> = Promise.resolve();
  #besides = 0;

  /** `memory` says what is committed. */
  constructor(memory: Pick<ProcessMemory, 'onCommit'>) {
    this.#memory = memory;
  }

  /** Runs a refresh beside writes once the refreshes before it have ended: they share what is cached from one to the next. */
  async refreshBeside<R>(run: () => Promise<R>): Promise<R> {
    this.#besides++;
    const result = Promise.all([this.#inWrite, this.#beside]).then(run);
    this.#beside = result.catch(() => undefined);
    return result.finally(() => this.#besides--);
  }

  /** Runs a refresh that is a write, once those beside writes have ended. Writes have an order of their own. */
  async refreshInWrite<R>(run: () => Promise<R>): Promise<R> {
    const result = this.#besides === 0 ? run() : this.#beside.then(run);
    this.#inWrite = Promise.allSettled([this.#inWrite, result]);
    return result;
  }

  /** Calls `listen` after each commit that leaves profiles outdated, until the function that is returned is called. */
  onChange(listen: () => void): () => void {
    return this.#memory.onCommit((changes) => {
      if (leavesOutdated(changes)) listen();
    });
  }

  get isBehind(): boolean {
    return this.#behind.size > 0;
  }

  setBehind(source: string, isBehind: boolean): void {
    if (isBehind) this.#behind.add(source);
    else if (this.#behind.delete(source) && !this.isBehind) for (const listen of this.#waiting) listen();
  }

  /** Calls `listen` when the last source that had more to give has caught up, until the function that is returned is called. */
  onCaughtUp(listen: () => void): () => void {
    this.#waiting.add(listen);
    return () => this.#waiting.delete(listen);
  }
}

/** Whether profiles that are stored no longer hold. */
function leavesOutdated({ appended, touched, hasRegistryChanged, isEverything }: Changes): boolean {
  const { wallets, tokens } = touched;
  return appended.length > 0 || wallets.size > 0 || tokens.size > 0 || hasRegistryChanged || isEverything;
}
