import { sqlName, sqlPath, sqlText } from './duck.ts';
import { isRecord } from './record-paths.ts';

/** The columns of `input` by their names there: the file's column of each, `undefined` if it has none. */
export type InputColumns = ReadonlyMap<string, string | undefined>;

/** Values that the folders of a file name, as in `chain=base/day=2024-01-05`. */
export type Partitions = ReadonlyMap<string, string | null>;

/** What the folders of a path name, as Hive and Spark write them. */
export function partitionsOf(path: string): Partitions {
  const parts = path.split(/[\\/]/).slice(0, -1);
  return new Map(
    parts.flatMap((part) => {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/.exec(part) ?? [];
      return name === undefined ? [] : [[name, value === MISSING ? null : decoded(value!)] as const];
    }),
  );
}

/** What stands for null there. */
const MISSING = '__HIVE_DEFAULT_PARTITION__';

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A SELECT of the columns from their places. */
function selectOf(
  columns: InputColumns,
  partitions: Partitions,
  textOf: (theirs: string) => string | undefined,
  from: string,
): string {
  const items = [...columns].map(([name, theirs]) => {
    const partition = theirs === undefined ? undefined : partitions.get(theirs);
    const found = theirs === undefined ? undefined : textOf(theirs);
    return `${found ?? (partition == null ? 'null::varchar' : sqlText(partition))} as ${sqlName(name)}`;
  });
  return `select ${items.length === 0 ? '1' : items.join(', ')} from ${from}`;
}

/** How a CSV file is written. */
export interface CsvForm {
  readonly header: readonly string[];
  readonly delimiter: string;
  /** Whether a quoted field holds a line end, so that threads cannot part the file. */
  readonly hasLines: boolean;
}

/** The rows of CSV files without their header, as texts. */
export function csvInput(
  paths: readonly string[],
  form: CsvForm,
  columns: InputColumns,
  partitions: Partitions,
): string {
  const typed = form.header.map((_, i) => `'c${i}': 'VARCHAR'`);
  const from = `read_csv([${paths.map(sqlText).join(', ')}], auto_detect = false, header = false, delim = ${sqlText(form.delimiter)}, quote = '"', escape = '"', nullstr = ['', '<nil>', '\\N'], strict_mode = true, null_padding = false, max_line_size = 16777216, buffer_size = 33554432, parallel = ${!form.hasLines}, columns = {${typed.join(', ')}})`;
  return selectOf(columns, partitions, (theirs) => placed(form.header.indexOf(theirs)), from);
}

function placed(place: number): string | undefined {
  return place < 0 ? undefined : `c${place}`;
}

interface Tree {
  readonly path: string;
  readonly keys: Map<string, Tree>;
}

/** The rows of NDJSON files as texts. `undefined` if names differ by case alone, or a value would have to be a text and an object. */
export function jsonInput(
  paths: readonly string[],
  columns: InputColumns,
  { partitions, literal }: { readonly partitions: Partitions; readonly literal: ReadonlySet<string> },
): string | undefined {
  const root: Tree = { path: '', keys: new Map() };
  const texts = new Map<string, string>();
  const leaves = new Set<Tree>();
  for (const theirs of columns.values()) {
    if (theirs === undefined || (partitions.has(theirs) && !literal.has(theirs))) continue;
    let tree = root;
    for (const key of literal.has(theirs) ? [theirs] : theirs.split('.')) {
      const path = tree === root ? sqlName(key) : `${tree.path}.${sqlName(key)}`;
      if (!tree.keys.has(key)) tree.keys.set(key, { path, keys: new Map() });
      tree = tree.keys.get(key)!;
    }
    leaves.add(tree);
    texts.set(theirs, `r.${tree.path}`);
  }
  if ([...leaves].some(({ keys }) => keys.size > 0) || hasTwins(root)) return undefined;
  const typed = [...root.keys].map(([key, tree]) => `${sqlText(key)}: ${sqlText(typeOf(tree))}`);
  if (typed.length === 0) return undefined;
  const from = `read_json([${paths.map(sqlText).join(', ')}], format = 'newline_delimited', columns = {${typed.join(', ')}}) r`;
  return selectOf(columns, partitions, (theirs) => texts.get(theirs), from);
}

function typeOf({ keys }: Tree): string {
  if (keys.size === 0) return 'VARCHAR';
  return `STRUCT(${[...keys].map(([key, tree]) => `${sqlName(key)} ${typeOf(tree)}`).join(', ')})`;
}

function hasTwins({ keys }: Tree): boolean {
  const lower = new Set([...keys.keys()].map((key) => key.toLowerCase()));
  return lower.size < keys.size || [...keys.values()].some(hasTwins);
}

/** The rows of Parquet files by the text of each column; of one file, those from number `from` on and before `to`. */
export function parquetInput(
  paths: readonly string[],
  texts: ReadonlyMap<string, string>,
  columns: InputColumns,
  o: { readonly partitions: Partitions; readonly range?: { readonly from: number; readonly to: number } },
): string {
  const { partitions, range } = o;
  const read = `read_parquet([${paths.map(sqlPath).join(', ')}], file_row_number = ${range !== undefined}, hive_partitioning = false) r`;
  const rows = range && ` where file_row_number >= ${range.from} and file_row_number < ${range.to}`;
  return selectOf(columns, partitions, (theirs) => texts.get(theirs), `${read}${rows ?? ''}`);
}

/** The texts and types of the columns of a Parquet file, those of nested records with dots. */
export function parquetTexts(types: ReadonlyMap<string, string>): Map<string, string> {
  const texts = new Map<string, string>();
  const add = (name: string, text: string, type: string): void => {
    const fields = structFields(type);
    if (fields === undefined) texts.set(name, text);
    else for (const [key, inner] of fields) add(`${name}.${key}`, `${text}.${sqlName(key)}`, inner);
  };
  for (const [name, type] of types) add(name, `r.${sqlName(name)}`, type);
  return texts;
}

/** The fields of `STRUCT("a" INTEGER, b VARCHAR)`; `undefined` of another type. */
function structFields(type: string): (readonly [string, string])[] | undefined {
  if (!type.startsWith('STRUCT(') || !type.endsWith(')')) return undefined;
  const fields: (readonly [string, string])[] = [];
  let [depth, start, isText] = [0, 7, false];
  for (let at = 7; at < type.length; at++) {
    const c = type[at]!;
    if (c === '"') isText = !isText;
    else if (isText) continue;
    else if (c === '(') depth++;
    else if (depth > 0 && c === ')') depth--;
    else if ((c === ',' && depth === 0) || at === type.length - 1) {
      const [, quoted, plain, inner] = /^\s*(?:"((?:[^"]|"")*)"|(\S+)) (.*)$/s.exec(type.slice(start, at))!;
      fields.push([quoted?.replaceAll('""', '"') ?? plain!, inner!]);
      start = at + 1;
    }
  }
  return fields;
}

/** Objects within objects, beyond which a column is their text. */
const MOST_DEPTH = 20;

/**
 * The columns of JSON records: those of nested objects with dots.
 *
 * `literal` are keys that are such columns by themselves, `empty` columns that hold null alone, in whose place later records may have objects.
 */
export function jsonColumns(records: readonly unknown[]): {
  readonly found: string[];
  readonly literal: Set<string>;
  readonly empty: Set<string>;
} {
  const found = new Set<string>();
  const filled = new Set<string>();
  const literal = new Set<string>();
  const add = (record: object, before: string, depth = 0): void => {
    for (const [key, value] of Object.entries(record)) {
      if (isRecord(value) && depth < MOST_DEPTH) add(value, `${before}${key}.`, depth + 1);
      else {
        found.add(`${before}${key}`);
        if (value !== null) filled.add(`${before}${key}`);
      }
      if (before === '') literal.add(key);
    }
  };
  for (const record of records) if (isRecord(record)) add(record, '');
  return { found: [...found], literal, empty: new Set([...found].filter((name) => !filled.has(name))) };
}
