import { nearest } from '../nearest.ts';
import { swapFieldNames } from '../records/swap-fields.ts';
import { yielder } from '../yielder.ts';
import { CHECKED } from './local-texts.ts';
import type { UnknownField } from './result.ts';

/** Names beyond these are not counted: what has so many is no list of swaps. */
const MOST = 1000;
const NAME_LENGTH = 60;
const known: ReadonlySet<string> = new Set(swapFieldNames);

/** The fields of rows that no swap has, in the order in which they come. */
export async function unknownFields(rows: readonly unknown[]): Promise<Iterable<UnknownField>> {
  const found = new Map<string, UnknownField>();
  const pause = yielder();
  for (const [i, row] of rows.entries()) {
    if (i % CHECKED === 0) await pause.yieldIfDue();
    if (typeof row !== 'object' || row === null) continue;
    for (const name of Object.keys(row)) if (!known.has(name)) count(found, name, row);
  }
  return found.values();
}

function count(found: Map<string, UnknownField>, name: string, row: object): void {
  const field = name.slice(0, NAME_LENGTH);
  const before = found.get(field);
  if (before !== undefined) before.rows++;
  else if (found.size < MOST) {
    const free = swapFieldNames.filter((candidate) => (row as Record<string, unknown>)[candidate] == null);
    found.set(field, { field, rows: 1, nearest: nearest(field, free) ?? null });
  }
}
