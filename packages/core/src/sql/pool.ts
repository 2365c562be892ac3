/** Things to use one at a time each, `size` of them, made when first needed. */
export interface Pool<T> {
  /** Waits for one that is given back where `size` are in use; one more is made where the caller may not wait. */
  take(mayWait: boolean): Promise<T>;
  giveBack(item: T): void;
  /** Forgets one that was taken, instead of giving it back. */
  forget(): void;
  /** All that were made. Call it when none is in use. */
  drain(): readonly T[];
}

export function createPool<T>(size: number, make: () => Promise<T>): Pool<T> {
  const idle: T[] = [];
  const waiting: (() => void)[] = [];
  let made = 0;

  function makeRoom(): void {
    made--;
    waiting.shift()?.();
  }

  async function makeOne(): Promise<T> {
    made++;
    try {
      return await make();
    } catch (error) {
      makeRoom();
      throw error;
    }
  }

  return {
    async take(mayWait) {
      for (;;) {
        const item = idle.pop();
        if (item !== undefined) return item;
        if (!mayWait || made < size) return makeOne();
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },

    giveBack(item) {
      idle.push(item);
      waiting.shift()?.();
    },

    forget: makeRoom,

    drain() {
      made -= idle.length;
      return idle.splice(0);
    },
  };
}
