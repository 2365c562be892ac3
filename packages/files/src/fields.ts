import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { didYouMean, nearest } from '@swapfold/core/host';

/**
 * What a column of a file is read as.
 *
 * - `text`, `number` in decimal notation, `boolean` (true, false, 1 or 0), `list` of texts, in CSV separated by `;`.
 * - `hex`: a text; bytes, and what PostgreSQL writes of them, become `0x...`.
 * - `instant`: Unix seconds, milliseconds (1e11 and more) or microseconds (1e14 and more), or a written time, read as Unix seconds with their
 *   fraction, down to microseconds. `time`: the whole seconds of it.
 */
export type FieldKind = 'text' | 'hex' | 'number' | 'instant' | 'time' | 'boolean' | 'list';

export interface Field {
  readonly kind: FieldKind;
  /** Whether the file must have a column for it. */
  readonly isNeeded: boolean;
  /** Whether it is made of others if no column holds it, and none has a similar name. */
  readonly isMade?: boolean;
  /** Whether its numbers are whole. */
  readonly isWhole?: boolean;
  /** Further advice where the file has no column for it. */
  readonly advice?: string;
}

/** What the rows of a file hold, by the names of the fields. */
export type Fields = Readonly<Record<string, Field>>;

/** Whether all sampled values of a column could be values of a field. */
export type Fits = (column: string, field: string) => boolean;

/** The field that tells which fields a record of JSON has: an absent one is left as it is, `null` clears it. */
export const PRESENT = 'swapfold_present';

/** Stands before each text of a list that is read as a list: those of CSV, with `;` between, are parted later. */
export const ITEM = '\u001f';

const numbers: ReadonlySet<FieldKind> = new Set(['number', 'instant', 'time', 'boolean']);

/** Whether a field of the kind is read as a double; as a text if not. */
export function isNumber(kind: FieldKind): boolean {
  return numbers.has(kind);
}

/** Column names of a file by the field they are read as: `{ their_name: 'our_name' }`. */
export type ColumnMap = Readonly<Record<string, string>>;

/** Which columns of a file are read, and as what. */
export interface MatchedColumns {
  /** The file's column by the field that it holds. */
  readonly byField: ReadonlyMap<string, string>;
  /** Fields without a column, which would be called as they are: later records of a JSON file may have it. */
  readonly later: readonly string[];
  /** Columns that hold no field, each with the field that may have been meant, as the import reports them. */
  readonly unused: readonly string[];
}

const COLUMNS = 'columns';

/** The error of a file that does not have the columns. */
export function withoutColumns(message: string): SwapfoldError {
  return new SwapfoldError('invalid-input', message, { details: [{ path: COLUMNS, message }] });
}

/** Whether an error says that a file does not have the columns, so that no row of it could be read. */
export function isWithoutColumns(error: unknown): error is SwapfoldError {
  return error instanceof SwapfoldError && error.code === 'invalid-input' && error.details[0]?.path === COLUMNS;
}

/**
 * The file's column for each field: the one that `map` names, else the one of the same name.
 *
 * - `found`: the file's columns, in its order.
 * - `fits`: the columns that messages propose for a field fit it.
 * - Errors: `invalid-input` for a map that names an unknown field or a missing column or a field twice, for a column that
 *   stands twice in the file, and for needed fields without a column, all of which it names.
 */
export function matchColumns(
  path: string,
  o: { fields: Fields; map: ColumnMap; found: readonly string[]; fits?: Fits | undefined },
): MatchedColumns {
  const { fields, map, found, fits = () => true } = o;
  const file = basename(path);
  const matched = mappedColumns(file, o);
  for (const name of found) {
    if (Object.hasOwn(fields, name) && !matched.has(name) && !Object.hasOwn(map, name)) matched.set(name, name);
  }
  const used = new Set(matched.values());
  const free = found.filter((name) => !used.has(name));
  const missing = Object.entries(fields).filter(
    ([name, field]) =>
      !matched.has(name) && (field.isNeeded || (field.isMade === true && nearest(name, free) !== undefined)),
  );
  if (missing.length > 0) throw withoutColumns(missingColumns(file, missing, { found, matched, fits }));
  refuseTwice(file, found, matched.values());
  const later = Object.keys(fields).filter((name) => !matched.has(name) && !Object.hasOwn(map, name));
  return { byField: matched, later, unused: unusedColumns(found, matched, { fields: Object.keys(fields), fits }) };
}

/** The columns that a map names, by field. Errors: those of `matchColumns` for a map. */
export function mappedColumns(
  file: string,
  o: { fields: Fields; map: ColumnMap; found: readonly string[] },
): Map<string, string> {
  const matched = new Map<string, string>();
  for (const [theirs, ours] of Object.entries(o.map)) {
    if (!Object.hasOwn(o.fields, ours)) {
      throw new SwapfoldError(
        'invalid-input',
        `Unknown field "${ours}" in the option map ${theirs}=${ours}.${didYouMean(ours, Object.keys(o.fields))}`,
      );
    }
    if (!o.found.includes(theirs)) {
      throw withoutColumns(
        `${file} has no column "${theirs}", which the option map ${theirs}=${ours} names. It has: ${listColumns(o.found)}.`,
      );
    }
    if (matched.has(ours)) {
      throw new SwapfoldError(
        'invalid-input',
        `The option map names the field "${ours}" twice: for "${matched.get(ours)}" and for "${theirs}".`,
      );
    }
    matched.set(ours, theirs);
  }
  return matched;
}

/** Errors: `invalid-input` if one of `used` stands twice among the columns. */
export function refuseTwice(file: string, found: readonly string[], used: Iterable<string>): void {
  for (const name of used) {
    if (found.indexOf(name) !== found.lastIndexOf(name))
      throw new SwapfoldError('invalid-input', `${file} has the column "${name}" twice.`);
  }
}

function unusedColumns(
  found: readonly string[],
  matched: ReadonlyMap<string, string>,
  { fields, fits }: { readonly fields: readonly string[]; readonly fits: Fits },
): string[] {
  const used = new Set(matched.values());
  const free = fields.filter((name) => !matched.has(name));
  return found
    .filter((name) => !used.has(name))
    .map((name) => {
      const meant = nearestFitting(name, free, (field) => fits(name, field));
      return `"${name.slice(0, 60)}"${meant === undefined ? '' : ` (did you mean "${meant}"?)`}`;
    });
}

function missingColumns(
  file: string,
  missing: readonly (readonly [name: string, field: Field])[],
  o: { found: readonly string[]; matched: ReadonlyMap<string, string>; fits: Fits },
): string {
  const used = new Set(o.matched.values());
  const unused = o.found.filter((column) => !used.has(column));
  const meantFor = (field: string): string | undefined =>
    nearestFitting(field, unused, (column) => o.fits(column, field));
  const takenAs = (name: string): string | undefined => [...o.matched].find(([, column]) => column === name)?.[0];
  const advice = missing.map(([, field]) => field.advice ?? '').join('');
  const [first, ...more] = missing.map(([name]) => name);
  if (more.length > 0) {
    const names = [first!, ...more].map((name) => {
      const taken = takenAs(name);
      if (taken !== undefined) return `"${name}" (the option map reads its column "${name}" as "${taken}")`;
      const meant = meantFor(name);
      return `"${name}"${meant === undefined ? '' : ` (did you mean its "${meant}"?)`}`;
    });
    return `${file} has no columns ${names.join(', ')}. It has: ${listColumns(o.found)}. Name the columns that hold them with the option map COLUMN=FIELD${advice}.`;
  }
  const taken = takenAs(first!);
  if (taken !== undefined)
    return `${file} has no column left for "${first}": the option map reads its column "${first}" as "${taken}". Name the column that holds it with the option map COLUMN=${first}${advice}.`;
  const meant = meantFor(first!);
  return `${file} has no column "${first}". It has: ${listColumns(o.found)}. Name the column that holds it with the option map COLUMN=${first}${advice}.${meant === undefined ? '' : didYouMean(first!, [meant])}`;
}

/** The candidate nearest to a name of those that fit. */
function nearestFitting(
  name: string,
  candidates: readonly string[],
  isFitting: (candidate: string) => boolean,
): string | undefined {
  for (let left = candidates; ; ) {
    const meant = nearest(name, left);
    if (meant === undefined || isFitting(meant)) return meant;
    left = left.filter((candidate) => candidate !== meant);
  }
}

/** The columns of a file as messages show them. */
export function listColumns(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const shown = names.slice(0, 40).map((name) => `"${name.slice(0, 60)}"`);
  return names.length > 40 ? `${shown.join(', ')} and ${names.length - 40} more` : shown.join(', ');
}
