import { KeyIndex } from './key-index.ts';

/** Rows of a batch by key: those of the group at place `p` are `rows` from `starts[p]` to `starts[p + 1]`, in their order. */
export interface RowGroups {
  readonly index: KeyIndex;
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

export function groupRows(keys: Float64Array): RowGroups {
  const index = new KeyIndex(keys.length);
  const places = new Int32Array(keys.length);
  for (let row = 0; row < keys.length; row++) places[row] = index.placeOf(keys[row]!);
  const starts = new Int32Array(index.length + 1);
  for (let row = 0; row < places.length; row++) starts[places[row]! + 1]!++;
  for (let place = 0; place < index.length; place++) starts[place + 1]! += starts[place]!;
  const next = starts.slice();
  const rows = new Int32Array(keys.length);
  for (let row = 0; row < places.length; row++) rows[next[places[row]!]!++] = row;
  return { index, starts, rows };
}
