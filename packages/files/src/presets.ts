import { SwapfoldError } from '@swapfold/core';
import { didYouMean } from '@swapfold/core/host';
import { fieldName } from './duck.ts';
import { type RowsName, rowKinds } from './row-kinds.ts';

/** Names of a column, of which a file has one: the SELECT calls it by the first. */
export type Choice = readonly string[];

/** Rows that are wanted have one of these texts in the column, in any case. Of a file without the column all are. */
export interface RowRule {
  readonly column: string;
  readonly is: readonly string[];
}

/** What `--set` must give, unless the file has one of some columns. */
export interface Constant {
  readonly name: string;
  readonly what: string;
  readonly unless?: Choice | undefined;
}

/** The shape of a file from elsewhere: a SELECT of the fields of swaps or transfers from the file's columns, and what tells such a file. */
export interface Preset {
  readonly name: string;
  /** What its rows are. A source may have a preset of the same name for each. */
  readonly rows: RowsName;
  /** What such a file is, for people. */
  readonly source: string;
  /** Where its layout is described. */
  readonly layout: string;
  /** The format of its addresses, if it is always the same. */
  readonly addresses?: 'solana' | 'evm' | undefined;
  /** Whose amounts a swap has: what its pool got and gave, or what left and reached the wallet. Absent if the source does not say. */
  readonly amounts?: 'pool' | 'wallet' | undefined;
  /** Columns without which a file is not of this shape, in any case and with dots for what is nested. */
  readonly needs: readonly Choice[];
  /** Columns that it may have. */
  readonly may: readonly Choice[];
  readonly only: readonly RowRule[];
  /** Columns of which one may name the chain of a row. */
  readonly chain: Choice;
  /** What `--set` must give, and what that is. */
  readonly sets: readonly Constant[];
  /** Columns of which one says what a transfer was worth, in USD: no cost unless `valueArrivals` makes it one. */
  readonly value: Choice;
  /** Whether a file is read with it unless it is named. */
  readonly isAuto: boolean;
  /** What people should know of it. */
  readonly notes: readonly string[];
  /** The fields, each with the expression that gives it. */
  readonly select: readonly (readonly [field: string, expression: string])[];
}

/** The name of Swapfold's own columns among presets. */
export const OWN = 'swapfold';

const keys = 'name source rows layout addresses amounts needs may only chain set value note auto'.split(' ');
const line = /^(?:(.+) as )?"?([a-z_]+)"?,?$/;

/**
 * Reads a preset: a header of `-- key: value` lines, and a SELECT with one field a line, `from input`.
 *
 * - `where` names it in messages.
 * - Errors: `invalid-config`, naming the line at fault and what would do.
 */
export function parsePreset(text: string, where: string): Preset {
  const refuse = (reason: string): never => {
    throw new SwapfoldError('invalid-config', `${where}: ${reason}`);
  };
  const header = new Map<string, string[]>(keys.map((key) => [key, []]));
  const select: (readonly [string, string])[] = [];
  let isOpen = false;
  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const trimmed = raw.trim();
    const [, key, value] = /^-- ?([a-z]+): *(.*)$/.exec(trimmed) ?? [];
    if (key !== undefined && !isOpen)
      (header.get(key) ?? refuse(`line ${i + 1}: unknown key "${key}". There are ${keys.join(', ')}.`)).push(value!);
    else if (trimmed === 'select') isOpen = true;
    else if (trimmed === '' || trimmed.startsWith('--') || (isOpen && /^from input;?$/.test(trimmed))) continue;
    else {
      const [, expression, field] =
        line.exec(trimmed) ??
        refuse(
          `line ${i + 1}: expected "EXPRESSION as FIELD,", not "${trimmed}". Give other SELECTs with the option sql.`,
        );
      select.push([field!, expression ?? fieldName(field!)]);
    }
  }
  const one = (key: string): string | undefined => header.get(key)![0];
  const all = (key: string): string[] =>
    header
      .get(key)!
      .flatMap((text) => text.split(/, */))
      .filter((text) => text !== '');
  const choices = (key: string): Choice[] => all(key).map((text) => text.split(' or '));
  const name = one('name') ?? refuse('it has no "-- name: NAME".');
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) refuse(`"name": expected 1 to 32 of a-z, 0-9 and -, not "${name}".`);
  const rows = one('rows') ?? 'swaps';
  if (!Object.hasOwn(rowKinds, rows))
    refuse(
      `"rows": expected ${Object.keys(rowKinds).join(' or ')}, not "${rows}".${didYouMean(rows, Object.keys(rowKinds))}`,
    );
  const amounts = one('amounts');
  if (amounts !== undefined && amounts !== 'pool' && amounts !== 'wallet')
    refuse(`"amounts": expected pool or wallet, or no such line if nobody knows, not "${amounts}".`);
  const { fields, noun } = rowKinds[rows as RowsName];
  for (const [field] of select)
    if (field !== 'passed' && !Object.hasOwn(fields, field)) refuse(`"${field}" is no field of a ${noun}.`);
  for (const [field, { isNeeded }] of Object.entries(fields))
    if (isNeeded && !select.some(([given]) => given === field))
      refuse(`"${field}" is missing: every ${noun} needs it.`);
  return {
    name,
    rows: rows as RowsName,
    source: one('source') ?? 'own',
    layout: one('layout') ?? '',
    addresses: one('addresses') as Preset['addresses'],
    amounts: amounts as Preset['amounts'],
    needs: choices('needs'),
    may: choices('may'),
    only: header.get('only')!.map((text) => {
      const [column, is = ''] = text.split(' is ');
      return { column: column!, is: is.split(' or ').map((one) => one.toLowerCase()) };
    }),
    chain: choices('chain').flat(),
    sets: header.get('set')!.map((text) => {
      const [, name, unless, what] =
        /^(\w+)(?: unless (.+?))? = (.*)$/.exec(text) ?? refuse(`expected "set: NAME = WHAT", not "${text}".`);
      return { name: name!, unless: unless?.split(' or '), what: what! };
    }),
    value: choices('value').flat(),
    isAuto: !(one('auto') ?? 'yes').startsWith('no'),
    notes: header.get('note')!,
    select,
  };
}
