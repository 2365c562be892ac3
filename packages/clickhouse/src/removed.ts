import { fragment } from '@swapfold/sql';
import type { Connection } from './connection.ts';
import { textLiteral } from './literal.ts';
import type { Names } from './names.ts';
import { areIn, type Writes } from './view.ts';

/** Removed rows of a table that every statement lists: looking them up costs two milliseconds, a bitmap 30 ns a row that is read. */
const FEW = 1000;

/** The query whose one value is the bitmap of the rows that the writes of a state removed from a table. */
export function bitmapOfRemoved({ removed }: Names, physical: string, state: Writes): string {
  return `select groupBitmapMergeState("rows") from ${removed} where "physical" = ${textLiteral(physical)} and ${areIn(state)}`;
}

/** The tables that the writes of a state removed rows from: see `View.removed`. */
export async function readRemoved(
  connection: Connection,
  { removed }: Names,
  state: Writes,
): Promise<Map<string, string | null>> {
  const counts = `select "physical", sum("count") from ${removed} where ${areIn(state)} group by "physical"`;
  const [tables, rows] = (await connection.all(fragment(counts), ['text', 'long'])) as [string[], Float64Array];
  const found = new Map<string, string | null>(tables.map((physical) => [physical, null]));
  const few = tables.filter((_, i) => rows[i]! <= FEW);
  if (few.length === 0) return found;
  const list = `arrayStringConcat(arrayMap(row -> toString(row), bitmapToArray(groupBitmapMergeState("rows"))), ', ')`;
  const those = `${areIn(state)} and "physical" in (${few.map(textLiteral).join(', ')})`;
  const lists = `select "physical", ${list} from ${removed} where ${those} group by "physical"`;
  const [names, listed] = (await connection.all(fragment(lists), ['text', 'text'])) as [string[], string[]];
  names.forEach((physical, i) => {
    found.set(physical, listed[i]!);
  });
  return found;
}
