/** Milliseconds: how old the state may be that a read of another process's writes sees. */
export const LOOK = 1000;

/** Milliseconds between two times that the watch asks whether to look. */
export const BETWEEN = LOOK / 4;

/** Notices the writes of other processes. */
export interface ForeignWrites {
  /** The last write of another process that was seen. */
  readonly last: number;
  /** A write was seen; one that is newer than any known is another process's. */
  seen(write: number): void;
  /** A write of this process was committed. */
  own(write: number): void;
  /** Asks for a look from now on, four times a second. The next read throws what a look failed with. */
  watch(look: () => Promise<void>): void;
  /** Ends the watch, after a look that is running. */
  end(): Promise<void>;
}

export function createForeignWrites(): ForeignWrites {
  let newest = 0;
  let last = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  function seen(write: number): void {
    if (write <= newest) return;
    newest = write;
    last = write;
  }

  return {
    seen,

    get last() {
      return last;
    },

    own(write) {
      newest = Math.max(newest, write);
    },

    watch(look) {
      timer ??= setInterval(() => {
        looking ??= look()
          .catch(() => undefined)
          .finally(() => {
            looking = undefined;
          });
      }, BETWEEN).unref();
    },

    async end() {
      clearInterval(timer);
      await looking;
    },
  };
}
