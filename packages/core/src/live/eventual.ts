/** A value, or a promise of one: what many share is made once, and then there without a turn of the event loop for each. */
export type Eventual<T> = T | Promise<T>;

export function mapped<T, R>(value: Eventual<T>, map: (value: T) => R): Eventual<R> {
  return value instanceof Promise ? value.then(map) : map(value);
}

/** All of them, once the last is there. */
export function allOf<T>(values: readonly Eventual<T>[]): Eventual<readonly T[]> {
  return values.some((value) => value instanceof Promise) ? Promise.all(values) : (values as readonly T[]);
}
