/** Things to use one at a time each, `size` of them, made when first needed; those who wait are served in the order of their calls. */
export interface Pool<T> {
  /** Waits for one that is given back where `size` are in use; one more is made where the caller may not wait. */
  take(mayWait: boolean): Promise<T>;
  release(item: T): void;
  /** Forgets one that was taken, instead of giving it back. */
  forget(): void;
  /** All that were made. Call it when none is in use. */
  drain(): readonly T[];
}

export function createPool<T>(size: number, make: () => Promise<T>): Pool<T> {
  const idle: T[] = [];
  /** Each is given an item, or nothing: then it makes one. */
  const waiting: ((item?: T) => void)[] = [];
  let made = 0;

  function makeRoom(): void {
    const next = waiting.shift();
    if (next === undefined) made--;
    else next();
  }

  /** One that counts as made already. */
  async function makeOne(): Promise<T> {
    try {
      return await make();
    } catch (error) {
      makeRoom();
      throw error;
    }
  }

  return {
    async take(mayWait) {
      const idled = idle.pop();
      if (idled !== undefined) return idled;
      if (mayWait && made >= size) {
        const given = await new Promise<T | undefined>((resolve) => waiting.push(resolve));
        if (given !== undefined) return given;
      } else made++;
      return makeOne();
    },

    release(item) {
      const next = waiting.shift();
      if (next === undefined) idle.push(item);
      else next(item);
    },

    forget: makeRoom,

    drain() {
      made -= idle.length;
      return idle.splice(0);
    },
  };
}
