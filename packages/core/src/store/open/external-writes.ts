import type { StorageAdapter } from '../../storage/adapter.ts';

/** Notices that another process has written to the store: the engine's version is another one than that which was followed last. */
export class ExternalWrites {
  readonly #storage: StorageAdapter;
  #followed: number | undefined;
  #hasLooked = false;
  #isUncertain = false;
  #following: Promise<void> | undefined;

  constructor(storage: StorageAdapter) {
    this.#storage = storage;
  }

  /** A commit of this process failed, and may have been made all the same: as if another process had written. */
  suspect(): void {
    this.#isUncertain = true;
  }

  /** Whether another process has written since `follow`. */
  get arePending(): boolean {
    return this.#isUncertain || this.#storage.externalVersion?.() !== this.#followed;
  }

  /**
   * Has what others have written taken up by `follow`: `undefined` if there is nothing. Until it has ended every caller gets the same
   * promise, because the process remembers less than the engine has.
   */
  takeUp(follow: () => Promise<void>): Promise<void> | undefined {
    if (this.#look()) {
      const following = follow().finally(() => {
        if (this.#following === following) this.#following = undefined;
      });
      this.#following = following;
    }
    return this.#following;
  }

  /** As `arePending`, but looks once a turn of the event loop only: else false. */
  #look(): boolean {
    if (this.#hasLooked || (this.#storage.externalVersion === undefined && !this.#isUncertain)) return false;
    this.#hasLooked = true;
    setImmediate(() => {
      this.#hasLooked = false;
    });
    return this.arePending;
  }

  /** Takes what others have written by now as known. Gives a function that undoes it. */
  follow(): () => void {
    const before = this.#followed;
    const wasUncertain = this.#isUncertain;
    const version = this.#storage.externalVersion?.();
    this.#followed = version;
    this.#isUncertain = false;
    return () => {
      if (this.#followed === version) this.#followed = before;
      this.#isUncertain ||= wasUncertain;
    };
  }
}
