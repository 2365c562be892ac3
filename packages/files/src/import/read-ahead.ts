/** The items, each handed out while the next is being read. An error comes after the items before it. */
export async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let next = begun(iterator);
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = begun(iterator);
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

function begun<T>(iterator: AsyncIterator<T>): Promise<IteratorResult<T>> {
  const next = iterator.next();
  // It is thrown where the item is waited for, which may be later, or never after an interruption.
  next.catch(() => undefined);
  return next;
}
