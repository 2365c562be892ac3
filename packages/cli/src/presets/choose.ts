import { basename } from 'node:path';
import { nearest, SwapfoldError } from '@swapfold/core';
import {
  type ColumnMap,
  type Fields,
  listColumns,
  type MatchedColumns,
  mappedColumns,
  matchColumns,
  refuseTwice,
  withoutColumns,
} from '../files/fields.ts';
import { type CompiledPreset, compilePreset } from './compile.ts';
import { type Columns, choices, type Preset } from './preset.ts';

/** How a file is read: as Swapfold's own columns, or with a preset. */
export type Reading =
  | { readonly kind: 'own'; readonly matched: MatchedColumns }
  | ({ readonly kind: 'preset' } & CompiledPreset);

/**
 * The shape of a file, of those that it may have: Swapfold's own columns if they are all there, else the preset whose columns are.
 *
 * - `fields`: Swapfold's own; `isOwn`: whether a file may have them. `map`: columns that hold fields, whatever a preset says.
 * - Errors: `invalid-input` if nothing fits, naming every column that is missing, and if two presets do.
 */
export function chooseReading(
  path: string,
  found: readonly string[],
  o: { readonly fields: Fields; readonly isOwn: boolean; readonly presets: readonly Preset[]; readonly map: ColumnMap },
): Reading {
  const theirs = { ...o, found };
  const mapped = mappedColumns(basename(path), theirs);
  const own = o.isOwn ? tried(() => matchColumns(path, theirs)) : undefined;
  if (own?.value !== undefined) return { kind: 'own', matched: own.value };
  const compiled = o.presets.map((preset) =>
    compilePreset({ ...preset, fields: { ...preset.fields, ...Object.fromEntries(mapped) } }, found),
  );
  const [first, second] = compiled.filter(({ missing }) => missing.length === 0);
  if (first !== undefined && second !== undefined) {
    const names = compiled.filter(({ missing }) => missing.length === 0).map(({ preset }) => preset.name);
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)} has the columns of several presets: ${names.join(', ')}. Say which one: --preset ${names[0]}.`,
    );
  }
  if (first !== undefined) {
    refuseTwice(basename(path), found, first.matched.byField.values());
    return { kind: 'preset', ...first };
  }
  const closest = compiled.reduce<CompiledPreset | undefined>(
    (best, one) => (best === undefined || share(one) > share(best) ? one : best),
    undefined,
  );
  if (own === undefined || (closest !== undefined && share(closest) > MOST_LIKELY))
    throw withoutColumns(missingFor(basename(path), closest!, found));
  throw own.error;
}

/** A file with a greater part of a preset's columns is of that preset, with columns missing. */
const MOST_LIKELY = 0.5;

function share({ present, missing }: CompiledPreset): number {
  return present / (present + missing.length);
}

function tried<T>(work: () => T): { readonly value?: T; readonly error?: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

function missingFor(file: string, { preset, missing, matched }: CompiledPreset, found: readonly string[]): string {
  const used = new Set(matched.byField.values());
  const unused = found.filter((name) => !used.has(name));
  const names = missing.map((columns) => {
    const meant = nearest(choices(columns)[0]!, unused);
    return `${shown(columns)}${meant === undefined ? '' : ` (did you mean its "${meant}"?)`}`;
  });
  const what = names.length === 1 ? 'the column' : 'the columns';
  return `${file} lacks ${what} ${names.join(', ')} that the preset ${preset.name} needs. It has: ${listColumns(found)}. Name a column that holds a field with --map COLUMN=FIELD, or give a preset of your own (--preset ./mine.json).`;
}

function shown(columns: Columns): string {
  return choices(columns)
    .map((name) => `"${name}"`)
    .join(' or ');
}
