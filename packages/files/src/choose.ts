import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { didYouMean, nearest } from '@swapfold/core/host';
import { builtInPresets } from './built-in.ts';
import { otherChain } from './chains.ts';
import { fieldName, sqlName, sqlText } from './duck.ts';
import {
  type ColumnMap,
  type Fields,
  type Fits,
  listColumns,
  mappedColumns,
  matchColumns,
  refuseTwice,
  withoutColumns,
} from './fields.ts';
import { type Choice, OWN, type Preset } from './presets.ts';
import { columnReader, isRecord, type JsonRecord } from './record-paths.ts';
import type { RowKind, RowsName } from './row-kinds.ts';

/** How the rows of a file become swaps or transfers. */
export interface Reading {
  /** The name of a preset, or `swapfold` for Swapfold's own columns. */
  readonly name: string;
  readonly addresses?: Preset['addresses'];
  readonly sets: Preset['sets'];
  /** Whether the columns that rows need may come with later ones, because the first ones are left out. */
  readonly isAwaiting?: boolean;
  /** The SELECT of the fields, from `input`. */
  readonly select: string;
  /** The SELECT as it runs of the file's own columns, for people. */
  readonly shown: string;
  /** The columns of `input` by their names there: the file's column of each; `undefined` if it has none. */
  readonly columns: ReadonlyMap<string, string | undefined>;
  /** The fields by the columns that hold them as they are, of Swapfold's own columns. */
  readonly byField: ReadonlyMap<string, string>;
  /** Columns that hold no field, as the import reports them. */
  readonly unused: readonly string[];
}

/** The shapes that a file may have. */
export interface Shapes {
  /** Whether it may have Swapfold's own columns. */
  readonly isOwn: boolean;
  readonly presets: readonly Preset[];
}

/** The shapes that names and presets stand for. Errors: `invalid-input` for an unknown name, and for a preset of other rows. */
export function resolvePresets(given: readonly (string | Preset)[] | undefined, rows: RowsName): Shapes {
  if (given === undefined)
    return { isOwn: true, presets: builtInPresets.filter((one) => one.isAuto && one.rows === rows) };
  const presets = given.filter((one) => one !== OWN).map((one) => (typeof one === 'string' ? named(one, rows) : one));
  const other = presets.find((preset) => preset.rows !== rows);
  if (other !== undefined)
    throw new SwapfoldError(
      'invalid-input',
      `The preset ${other.name} is of ${other.rows}: give it with the option kind ${other.rows}, or one of ${rows}.`,
    );
  return { isOwn: given.includes(OWN), presets };
}

function named(name: string, rows: RowsName): Preset {
  const fitting = builtInPresets.filter((one) => one.name === name);
  const preset = fitting.find((one) => one.rows === rows) ?? fitting[0];
  if (preset !== undefined) return preset;
  const names = [OWN, ...builtInPresets.filter((one) => one.rows === rows).map((one) => one.name)];
  throw new SwapfoldError(
    'invalid-input',
    `There is no preset "${name}".${didYouMean(name, names)} There are ${names.join(', ')}; a file of your own ends in .sql.`,
  );
}

interface Chosen extends Shapes {
  readonly map: ColumnMap;
  readonly fields: Fields;
  readonly kind: RowKind;
  /** Whether what a preset's source says of values is what transfers cost. */
  readonly valueArrivals: boolean | undefined;
  /** The chain whose rows are wanted; of every chain without it. */
  readonly chain?: string | undefined;
  /** The first rows, if they are objects. */
  readonly records?: readonly unknown[] | undefined;
  /** Whether the first rows fit a field, if they are known. */
  readonly fits?: Fits | undefined;
  /** Columns without a value in the first rows, if later rows may have columns that the first ones lack. */
  readonly mayGrow: ReadonlySet<string> | undefined;
}

/**
 * The shape of a file, of those that it may have: Swapfold's own columns if they are all there, else the preset whose columns are.
 *
 * Errors: `invalid-input` if nothing fits, naming every column that is missing, and if two presets do.
 */
export function chooseReading(path: string, found: readonly string[], o: Chosen): Reading {
  const theirs = { ...o, found };
  const mapped = mappedColumns(basename(path), theirs);
  const own = o.isOwn ? tried(() => ownReading(path, theirs)) : undefined;
  if (own?.value !== undefined) {
    if (o.valueArrivals)
      throw new SwapfoldError(
        'invalid-input',
        `${basename(path)} has Swapfold's own columns, of which cost_usd is what a transfer cost: the option valueArrivals is for presets. Name another column as cost_usd with the option map COLUMN=cost_usd.`,
      );
    return own.value;
  }
  const compiled = o.presets.map((preset) => compilePreset(preset, { ...o, found, mapped }));
  // Of a preset that is named, rows that it leaves out need no other columns: those that it takes may come later.
  const isLeftOut = !o.isOwn && o.presets.length === 1 && leavesOut(o.presets[0]!, o.records ?? []);
  const fitting = compiled.filter(({ missing }) => missing.length === 0 || isLeftOut);
  const [first, second] = fitting;
  if (first !== undefined && second !== undefined) {
    const names = fitting.map(({ reading }) => reading.name);
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)} has the columns of several presets: ${names.join(', ')}. Say which one with the option presets ${names[0]}.`,
    );
  }
  if (first !== undefined) {
    if (o.valueArrivals && !first.hasValue)
      throw new SwapfoldError(
        'invalid-input',
        `${basename(path)} has no column that says what a transfer was worth, which the option valueArrivals needs. It has: ${listColumns(found)}.`,
      );
    refuseTwice(
      basename(path),
      found,
      [...first.reading.columns.values()].filter((name) => name !== undefined),
    );
    return { ...first.reading, isAwaiting: first.missing.length > 0 };
  }
  const other = otherKind(found, o);
  if (other !== undefined)
    throw withoutColumns(
      `${basename(path)} has the columns of ${other.rows}, of the preset ${other.name}: import it with the option kind ${other.rows}.`,
    );
  const closest = compiled.reduce<Compiled | undefined>(
    (best, one) => (best === undefined || share(one) > share(best) ? one : best),
    undefined,
  );
  if (own === undefined || (closest !== undefined && share(closest) > MOST_LIKELY))
    throw withoutColumns(missingFor(basename(path), closest!, { ...theirs, mapped }));
  throw own.error;
}

/** Whether a preset passes over all of some records by what they say that they are. */
function leavesOut({ only }: Preset, records: readonly unknown[]): boolean {
  const rules = only.map(({ column, is }) => ({ read: columnReader(column), is }));
  const isPassed = (record: JsonRecord): boolean =>
    rules.some(({ read, is }) => {
      const value = read(record);
      return value != null && !is.includes(String(value).trim().toLowerCase());
    });
  return records.length > 0 && records.every((record) => isRecord(record) && isPassed(record));
}

/** The preset of other rows whose columns a file has. */
function otherKind(found: readonly string[], { kind }: Chosen): Preset | undefined {
  const find = finderOf(found);
  return builtInPresets.find(
    ({ rows, isAuto, needs }) => rows !== kind.rows && isAuto && needs.every((choice) => find(choice) !== undefined),
  );
}

/** A file with a greater part of a preset's columns is of that preset, with columns missing. */
const MOST_LIKELY = 0.5;

interface Compiled {
  readonly reading: Reading;
  /** Columns that the file must have, and has not; and how many it has of them. */
  readonly missing: readonly Choice[];
  readonly present: number;
  /** Whether it has a column of values. */
  readonly hasValue: boolean;
}

function share({ present, missing }: Compiled): number {
  return present / (present + missing.length);
}

function tried<T>(work: () => T): { readonly value?: T; readonly error?: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

function ownReading(path: string, o: Parameters<typeof matchColumns>[1] & Pick<Chosen, 'mayGrow'>): Reading {
  const { byField, later, unused } = matchColumns(path, o);
  const items = [...byField, ...(o.mayGrow === undefined ? [] : later.map((name) => [name, name] as const))];
  // Two columns may differ by case alone, which DuckDB does not tell apart.
  const isPlain = new Set(items.map(([, column]) => column.toLowerCase())).size === items.length;
  const nameOf = (column: string, i: number): string => (isPlain ? column : `column${i}`);
  const textOf = (some: Iterable<readonly [string, string]>): string =>
    selectText(
      [...some].map(([field, name]): [string, string] => [field, field === name ? fieldName(field) : sqlName(name)]),
    );
  return {
    name: OWN,
    sets: [],
    select: textOf(items.map(([field, column], i) => [field, nameOf(column, i)])),
    shown: textOf(byField),
    columns: new Map(items.map(([, column], i) => [nameOf(column, i), column])),
    byField,
    unused,
  };
}

/** A preset for the columns of one file. */
function compilePreset(
  preset: Preset,
  o: { readonly found: readonly string[]; readonly mapped: ReadonlyMap<string, string> } & Pick<
    Chosen,
    'mayGrow' | 'chain' | 'fields' | 'valueArrivals'
  >,
): Compiled {
  const find = finderOf(o.found);
  const columns = new Map<string, string | undefined>();
  const missing: Choice[] = [];
  let present = 0;
  const select = new Map(preset.select);
  const value = find(preset.value);
  if (o.valueArrivals && value !== undefined) {
    select.set('cost_usd', `written_usd(${sqlName(value)})`);
    columns.set(value, value);
  }
  for (const [field, column] of o.mapped) {
    select.set(field, sqlName(column));
    columns.set(column, column);
  }
  const isUsed = (name: string, items: Iterable<string>): boolean =>
    [...items].some((text) => text.toLowerCase().includes(name.toLowerCase()));
  const all = preset.select.map(([, text]) => text);
  // What a mapped field was made of is not needed for an optional field that is made of the same.
  const given = new Set(preset.select.flatMap(([field, text]) => (o.mapped.has(field) ? [text] : [])));
  const needing = [...select].flatMap(([field, text]) =>
    given.has(text) && field !== 'passed' && !o.fields[field]?.isNeeded ? [] : [text],
  );
  for (const choice of [...preset.needs, ...preset.may]) {
    const name = choice[0]!;
    const theirs = find(choice);
    const isNeeded = preset.needs.includes(choice) && (isUsed(name, needing) || !isUsed(name, all));
    if (isNeeded && theirs === undefined) missing.push(choice);
    else if (isNeeded) present++;
    if (columns.get(name) === undefined)
      columns.set(name, theirs ?? (o.mayGrow !== undefined && mayCome(name, o.found, o.mayGrow) ? name : undefined));
  }
  const ofChain = o.chain === undefined ? undefined : find(preset.chain);
  if (ofChain !== undefined) columns.set(ofChain, ofChain);
  const only = preset.only.flatMap(({ column, is }) => {
    const theirs = find(column.split('|'));
    if (theirs === undefined) return [];
    columns.set(theirs, theirs);
    const text = `${sqlName(theirs)}::varchar`;
    return [
      `when coalesce(lower(trim(${text})), '') not in (${is.map(sqlText).join(', ')}) then ${sqlText(`${theirs} is `)} || coalesce(to_json(${text})::varchar, 'missing')`,
    ];
  });
  const own = select.get('passed');
  select.delete('passed');
  // What is no row at all comes first: nothing else is looked at in it.
  const reasons = [
    ...(only.length === 0 ? [] : [`case ${only.join(' ')} end`]),
    ...(ofChain === undefined ? [] : [`case ${otherChain(ofChain, o.chain!)} end`]),
    ...(own === undefined ? [] : [own]),
  ];
  const items: [string, string][] = [...select];
  if (reasons.length > 0)
    items.push(['passed', reasons.length === 1 ? reasons[0]! : `coalesce(${reasons.join(', ')})`]);
  const used = new Set(columns.values());
  const has = new Set(o.found);
  const others = [...columns].flatMap(([name, theirs]) => {
    if (theirs === undefined || !has.has(theirs)) return [`null::varchar as ${sqlName(name)}`];
    return name.toLowerCase() === theirs.toLowerCase() ? [] : [`${sqlName(theirs)} as ${sqlName(name)}`];
  });
  return {
    reading: {
      name: preset.name,
      addresses: preset.addresses,
      sets: preset.sets,
      select: selectText(items),
      shown: selectText(items, others.length === 0 ? 'input' : `(select *, ${others.join(', ')} from input)`),
      columns,
      byField: new Map(),
      unused: o.found.filter((name) => !used.has(name)).map((name) => listColumns([name])),
    },
    missing,
    present,
    hasValue: value !== undefined,
  };
}

/** Whether later records may have the column: not where the first ones have a value around it, or values within. */
function mayCome(name: string, found: readonly string[], empty: ReadonlySet<string>): boolean {
  const lower = name.toLowerCase();
  const isAround = (one: string): boolean => !empty.has(one) && lower.startsWith(`${one.toLowerCase()}.`);
  return !found.some((one) => isAround(one) || one.toLowerCase().startsWith(`${lower}.`));
}

/** Finds the first of the columns that a file has, as it writes it, in any case. */
function finderOf(found: readonly string[]): (choice: Choice) => string | undefined {
  const exact = new Set(found);
  const byLower = new Map(found.toReversed().map((name) => [name.toLowerCase(), name]));
  return (choice) => {
    for (const name of choice) {
      const theirs = exact.has(name) ? name : byLower.get(name.toLowerCase());
      if (theirs !== undefined) return theirs;
    }
    return undefined;
  };
}

function selectText(items: readonly (readonly [field: string, expression: string])[], from = 'input'): string {
  const lines = items.map(([field, text]) => {
    const name = fieldName(field);
    return `  ${text === name ? text : `${text} as ${name}`}`;
  });
  return `select\n${lines.join(',\n')}\nfrom ${from}`;
}

function missingFor(
  file: string,
  { reading, missing }: Compiled,
  o: Pick<Chosen, 'isOwn' | 'fields'> & {
    readonly found: readonly string[];
    readonly mapped: ReadonlyMap<string, string>;
  },
): string {
  const { found } = o;
  const used = new Set(reading.columns.values());
  const unused = found.filter((name) => !used.has(name));
  const names = missing.map((choice) => {
    const meant = nearest(choice[0]!, unused);
    const shown = choice.map((name) => `"${name}"`).join(' or ');
    return `${shown}${meant === undefined ? '' : ` (did you mean its "${meant}"?)`}`;
  });
  const what = names.length === 1 ? 'the column' : 'the columns';
  const ofOwn = Object.keys(o.fields).filter(
    (name) => o.isOwn && o.fields[name]!.isNeeded && !o.mapped.has(name) && !found.includes(name),
  );
  const orOwn =
    ofOwn.length === 0
      ? ''
      : `, the closest one. As a file of Swapfold's own columns it lacks ${ofOwn.map((name) => `"${name}"`).join(', ')}`;
  return `${file} lacks ${what} ${names.join(', ')} that the preset ${reading.name} needs${orOwn}. It has: ${listColumns(found)}. Name a column that holds a field with the option map COLUMN=FIELD, or write the SELECT yourself with the option sql.`;
}
