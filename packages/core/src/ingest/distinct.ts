import { KeyIndex } from './key-index.ts';

/** The distinct ids of id columns, in the order they first come. */
export function distinctIds(...columns: readonly Int32Array[]): Int32Array {
  const ids = new KeyIndex();
  for (const column of columns) for (let i = 0; i < column.length; i++) ids.placeOf(column[i]!);
  return Int32Array.from(ids.keys());
}
