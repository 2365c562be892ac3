import { basename } from 'node:path';
import { didYouMean, nearest, SwapfoldError } from '@swapfold/core';

/**
 * What a column of a file is read as.
 *
 * - `text`: ids into a dictionary; `unique`: text that hardly repeats, one string a row.
 * - `number`: decimal notation; `time`: Unix seconds, Unix milliseconds (1e11 and more) or RFC 3339, read as Unix seconds.
 * - `boolean`: true, false, 1 or 0; `list`: texts, in CSV separated by `;`.
 */
export type FieldKind = 'text' | 'unique' | 'number' | 'time' | 'boolean' | 'list';

export interface Field {
  readonly kind: FieldKind;
  /** Whether the file must have a column for it. */
  readonly isNeeded: boolean;
  /** Whether a row may have no value: a row without one is rejected otherwise. Absent: it may. */
  readonly mayMiss?: boolean;
  /** Further advice where the file has no column for it. */
  readonly advice?: string;
}

export type Fields = Readonly<Record<string, Field>>;

/** Column names of a file by the field they are read as: `{ their_name: 'our_name' }`. */
export type ColumnMap = Readonly<Record<string, string>>;

/** The columns of a file. */
export interface MatchedColumns {
  /** The file's column by the field that it holds. */
  readonly byField: ReadonlyMap<string, string>;
  /** Columns that hold no field, each with the field that may have been meant, as they are told. */
  readonly unused: readonly string[];
}

/**
 * The file's column for each field: the one that `map` names, else the one of the same name.
 *
 * - `found`: the file's columns, in its order.
 * - Errors: `invalid-input` for a map that names an unknown field or a missing column or a field twice, for a column that
 *   stands twice in the file, and for a needed field without a column.
 */
export function matchColumns(
  path: string,
  o: { fields: Fields; map: ColumnMap; found: readonly string[] },
): MatchedColumns {
  const { fields, map, found } = o;
  const file = basename(path);
  const matched = new Map<string, string>();
  for (const [theirs, ours] of Object.entries(map)) {
    if (!Object.hasOwn(fields, ours)) {
      throw new SwapfoldError(
        'invalid-input',
        `Unknown field "${ours}" in --map ${theirs}=${ours}.${didYouMean(ours, Object.keys(fields))}`,
      );
    }
    if (!found.includes(theirs)) {
      throw new SwapfoldError(
        'invalid-input',
        `${file} has no column "${theirs}", which --map ${theirs}=${ours} names. It has: ${list(found)}.`,
      );
    }
    if (matched.has(ours)) {
      throw new SwapfoldError(
        'invalid-input',
        `--map names the field "${ours}" twice: for "${matched.get(ours)}" and for "${theirs}".`,
      );
    }
    matched.set(ours, theirs);
  }
  for (const name of found) {
    if (Object.hasOwn(fields, name) && !matched.has(name) && !Object.hasOwn(map, name)) matched.set(name, name);
  }
  for (const [name, field] of Object.entries(fields)) {
    if (field.isNeeded && !matched.has(name))
      throw new SwapfoldError(
        'invalid-input',
        missingColumn(file, name, { found, matched, advice: field.advice ?? '' }),
      );
  }
  for (const theirs of matched.values()) {
    if (found.indexOf(theirs) !== found.lastIndexOf(theirs))
      throw new SwapfoldError('invalid-input', `${file} has the column "${theirs}" twice.`);
  }
  return { byField: matched, unused: unusedColumns(found, matched, Object.keys(fields)) };
}

function unusedColumns(
  found: readonly string[],
  matched: ReadonlyMap<string, string>,
  fields: readonly string[],
): string[] {
  const used = new Set(matched.values());
  const free = fields.filter((name) => !matched.has(name));
  return found
    .filter((name) => !used.has(name))
    .map((name) => {
      const meant = nearest(name, free);
      return `"${name.slice(0, 60)}"${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`;
    });
}

function missingColumn(
  file: string,
  name: string,
  o: { found: readonly string[]; matched: ReadonlyMap<string, string>; advice: string },
): string {
  const used = new Set(o.matched.values());
  const unused = o.found.filter((column) => !used.has(column));
  const taken = [...o.matched].find(([, column]) => column === name);
  if (taken !== undefined)
    return `${file} has no column left for "${name}": --map reads its column "${name}" as "${taken[0]}". Name the column that holds it with --map COLUMN=${name}${o.advice}.`;
  return `${file} has no column "${name}". It has: ${list(o.found)}. Name the column that holds it with --map COLUMN=${name}${o.advice}.${didYouMean(name, unused)}`;
}

function list(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const shown = names.slice(0, 40).map((name) => `"${name.slice(0, 60)}"`);
  return names.length > 40 ? `${shown.join(', ')} and ${names.length - 40} more` : shown.join(', ');
}
