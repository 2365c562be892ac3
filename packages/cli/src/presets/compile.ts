import { isRequiredField, type SwapFieldName, swapField } from '@swapfold/core';
import { type Field, type FieldKind, listColumns, type MatchedColumns } from '../files/fields.ts';
import { amountsOf, type ReadAmount } from './amounts.ts';
import { describeFields } from './describe.ts';
import { FoundColumns } from './found-columns.ts';
import { joined } from './joined.ts';
import { type AmountSource, type Columns, choices, type Leg, type Preset, type PresetSource } from './preset.ts';
import { Reads } from './reads.ts';
import { type ReadRule, reasonToPass } from './row-rules.ts';
import type { Step } from './shaping.ts';
import { bySign, type ReadLeg } from './sides.ts';
import { composed, ofEnding, ofHash } from './swap-index.ts';

/** A preset for the columns of one file. */
export interface CompiledPreset {
  readonly preset: Preset;
  readonly matched: MatchedColumns;
  /** Columns that the file must have for the preset, and has not. */
  readonly missing: readonly Columns[];
  /** How many of the columns that it must have the file has. */
  readonly present: number;
  readonly rules: readonly ReadRule[];
  readonly steps: readonly Step[];
  /** Where each field comes from, as people read it. */
  readonly mapping: readonly (readonly [field: string, source: string])[];
}

const written: Field = { kind: 'unique', isNeeded: true, isWritten: true };

/** What to read of a file with these columns, and what to make of it. */
export function compilePreset(preset: Preset, names: readonly string[]): CompiledPreset {
  const reads = new Reads(new FoundColumns(names));
  // They come first: a row that they pass over is none that could not be read.
  const rules = rulesOf(preset, reads);
  const steps: Step[] = [];
  if (preset.sides !== undefined) {
    const { legs, given } = preset.sides;
    steps.push(bySign([readLeg(legs[0], reads), readLeg(legs[1], reads)], given === 'positive' ? 1 : -1));
  }
  for (const [name, source] of Object.entries(preset.fields)) steps.push(stepOf(name as SwapFieldName, source, reads));
  for (const column of preset.requires ?? []) if (reads.found.find(column) === undefined) reads.missing.push(column);
  const used = new Set(reads.byField.values());
  const { fields, byField, later } = reads;
  const unused = names.filter((name) => !used.has(name)).map((name) => listColumns([name]));
  const passReason = rules.length === 0 ? {} : { passReason: (textOf: TextOf) => reasonToPass(rules, textOf) };
  return {
    preset,
    matched: { fields, byField, later, unused, ...passReason },
    missing: reads.missing,
    present: [...byField.keys()].filter((name) => fields[name]!.isNeeded).length,
    rules,
    steps,
    mapping: describeFields(
      preset,
      (columns) => reads.found.find(columns) ?? `${choices(columns)[0]} (not in the file)`,
    ),
  };
}

type TextOf = (column: string) => string | null;

function rulesOf(preset: Preset, reads: Reads): ReadRule[] {
  return (preset.rows ?? []).flatMap(({ column, is }) => {
    const theirs = reads.found.find(column);
    if (theirs === undefined) return [];
    const name = reads.add(theirs, column, { kind: 'text', isNeeded: false, isWritten: true })!;
    return [{ column: name, theirs, is: new Set(is.map((text) => text.toLowerCase())) }];
  });
}

function stepOf(name: SwapFieldName, source: PresetSource, reads: Reads): Step {
  if (isAmount(source)) return amountStep(name, source, reads);
  if ('value' in source) {
    const { value } = source;
    return ({ length }) => ({ [name]: { dictionary: [value], ids: new Int32Array(length) } });
  }
  if ('join' in source) {
    const columns = source.join.map((column) =>
      reads.add(`${name} of ${choices(column)[0]}`, column, { kind: 'text', isNeeded: false, isWritten: true }),
    );
    return joined(name, columns, source.with);
  }
  const number = (column: Columns): string | undefined =>
    reads.add(choices(column)[0]!, column, { kind: 'number', isNeeded: true });
  if ('outer' in source) return composed(number(source.outer), number(source.inner));
  const text = (column: Columns): string | undefined => reads.add(choices(column)[0]!, column, written);
  if ('ending' in source) return ofEnding(text(source.ending));
  return ofHash(source.hash.map(text));
}

function amountStep(name: SwapFieldName, source: AmountSource, reads: Reads): Step {
  if (typeof source === 'string' || 'length' in source) {
    const read = reads.add(name, source, fieldOf(name));
    return ({ columns }) => {
      const column = read === undefined ? undefined : columns[read];
      return column === undefined ? {} : { [name]: column };
    };
  }
  const amount = readAmount(source, reads);
  return (shaping) => ({ [name]: amountsOf(shaping, amount, name) });
}

function readAmount(source: AmountSource, reads: Reads, name = 'amount'): ReadAmount {
  if (typeof source === 'string' || 'length' in source)
    return { kind: 'whole', column: reads.add(choices(source)[0] ?? name, source, { kind: 'number', isNeeded: true }) };
  const { column, decimals } = source;
  return {
    kind: 'raw',
    column: reads.add(choices(column)[0]!, column, written),
    decimals:
      typeof decimals === 'number'
        ? decimals
        : { column: reads.add(decimals, decimals, { kind: 'number', isNeeded: true }) ?? decimals },
  };
}

function readLeg({ token, symbol, amount }: Leg, reads: Reads): ReadLeg {
  const number = (columns: Columns): string | undefined =>
    reads.add(choices(columns)[0]!, columns, { kind: 'number', isNeeded: true });
  return {
    token: reads.add(choices(token)[0]!, token, { kind: 'text', isNeeded: true, isHex: true }),
    symbol: symbol && reads.add(choices(symbol)[0]!, symbol, { kind: 'text', isNeeded: false }),
    amount:
      typeof amount === 'object' && 'in' in amount
        ? { kind: 'apart', in: number(amount.in), out: number(amount.out) }
        : readAmount(amount, reads),
  };
}

/** What a column is read as that holds the field as it is. */
function fieldOf(name: SwapFieldName): Field {
  return { ...readAs(name), isNeeded: isRequiredField(name) };
}

/** What a field of a swap is read as. */
export function readAs(name: SwapFieldName): Pick<Field, 'kind' | 'isHex'> {
  const kinds: Record<ReturnType<typeof swapField>['type'], FieldKind> = {
    hash: 'unique',
    address: 'text',
    name: 'text',
    identifier: 'text',
    whole: 'number',
    index: 'number',
    time: 'time',
    quantity: 'number',
  };
  const { type } = swapField(name);
  return { kind: kinds[type], ...(['hash', 'address', 'identifier'].includes(type) ? { isHex: true } : {}) };
}

function isAmount(source: PresetSource): source is AmountSource {
  return typeof source === 'string' || 'length' in source || 'column' in source;
}
