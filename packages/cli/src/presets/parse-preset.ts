import {
  didYouMean,
  isRequiredField,
  type SwapFieldName,
  SwapfoldError,
  show,
  swapField,
  swapFieldNames,
} from '@swapfold/core';
import * as v from 'valibot';
import { parseRecordPath } from '../files/record-paths.ts';
import { builtInPresets, OWN } from './built-in.ts';
import type { Preset, PresetSource } from './preset.ts';

const text = v.pipe(v.string(), v.nonEmpty('expected a text that is not empty'));
const columns = v.lazy((given) =>
  Array.isArray(given) ? v.pipe(v.array(text), v.minLength(1, 'expected at least one column')) : text,
);
const decimals = v.lazy((given) =>
  typeof given === 'string'
    ? text
    : v.pipe(v.number('expected a number or the name of a column'), v.integer(), v.minValue(0), v.maxValue(255)),
);
const raw = v.strictObject({ column: columns, decimals });
const amount = v.lazy((given) => (isObject(given) ? raw : columns));
const apart = v.strictObject({ in: columns, out: columns });

/** The forms of a source, by the key that tells them. */
const forms = {
  column: raw,
  value: v.strictObject({ value: text }),
  join: v.strictObject({
    join: v.pipe(v.array(columns), v.minLength(2, 'expected at least two columns')),
    with: v.string(),
  }),
  outer: v.strictObject({ outer: columns, inner: columns }),
  ending: v.strictObject({ ending: columns }),
  hash: v.strictObject({ hash: v.pipe(v.array(columns), v.minLength(1, 'expected at least one column')) }),
} as const;

const source = v.lazy((given) => {
  if (!isObject(given)) return columns;
  const form = Object.keys(forms).find((key) => key in given) as keyof typeof forms | undefined;
  return form === undefined
    ? v.custom<never>(() => false, `expected a column, or an object with one of ${Object.keys(forms).join(', ')}`)
    : forms[form];
});

const leg = v.strictObject({
  token: columns,
  symbol: v.optional(columns),
  amount: v.lazy((given) => (isObject(given) && 'in' in given ? apart : amount)),
});

const presetSchema = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'expected 1 to 32 of a-z, 0-9 and -')),
  source: v.optional(text, 'own'),
  addresses: v.optional(v.picklist(['solana', 'evm'])),
  records: v.optional(
    v.array(
      v.pipe(
        text,
        v.check((path) => parseRecordPath(path) !== undefined, 'expected a path such as "data[].attributes"'),
      ),
    ),
  ),
  requires: v.optional(v.array(text)),
  fields: v.record(v.string(), source),
  sides: v.optional(v.strictObject({ legs: v.strictTuple([leg, leg]), given: v.picklist(['positive', 'negative']) })),
  rows: v.optional(
    v.array(
      v.strictObject({
        column: columns,
        is: v.pipe(v.array(v.string()), v.minLength(1, 'expected at least one text')),
      }),
    ),
  ),
});

const keys = [presetSchema, leg, ...Object.values(forms)].flatMap((schema) => Object.keys(schema.entries));

/**
 * Checks a preset of the user's own.
 *
 * - `where` names it in messages.
 * - Errors: `invalid-config`, naming every part at fault, the value received and what would do.
 */
export function parsePreset(input: unknown, where: string): Preset {
  const parsed = v.safeParse(presetSchema, input);
  const faults: Fault[] = parsed.success
    ? faultsOf(parsed.output as Preset)
    : parsed.issues.map((issue) => {
        const path = v.getDotPath(issue) ?? '';
        const isUnknown = issue.type === 'strict_object' && issue.expected === 'never';
        const name = path.slice(path.lastIndexOf('.') + 1);
        return {
          path,
          message: isUnknown
            ? `unknown key.${didYouMean(name, keys)}`
            : `${issue.message} (received ${show(issue.input)})`,
        };
      });
  if (faults.length === 0) return parsed.output as Preset;
  throw new SwapfoldError(
    'invalid-config',
    `${where}: ${faults.map(({ path, message }) => (path === '' ? message : `"${path}": ${message}`)).join('; ')}`,
    { details: faults },
  );
}

interface Fault {
  readonly path: string;
  readonly message: string;
}

const bySides: readonly string[] = [
  'token_in',
  'token_out',
  'token_amount_in',
  'token_amount_out',
  'token_symbol_in',
  'token_symbol_out',
];

/** What is wrong with a preset of the right form. */
function faultsOf({ name, fields, sides }: Preset): Fault[] {
  const faults: Fault[] = [];
  if (name === OWN || builtInPresets.some((other) => other.name === name))
    faults.push({ path: 'name', message: `"${name}" is the name of a preset that comes with Swapfold` });
  const names: readonly string[] = swapFieldNames;
  for (const [field, given] of Object.entries(fields) as [SwapFieldName, PresetSource][]) {
    const path = `fields.${field}`;
    if (!names.includes(field)) faults.push({ path, message: `no field of a swap.${didYouMean(field, names)}` });
    else if (sides !== undefined && bySides.includes(field))
      faults.push({ path, message: 'it comes from "sides" already' });
    else {
      const message = unfit(field, given);
      if (message !== undefined) faults.push({ path, message });
    }
  }
  for (const field of swapFieldNames) {
    if (!isRequiredField(field) || fields[field] !== undefined || (sides !== undefined && bySides.includes(field)))
      continue;
    faults.push({ path: `fields.${field}`, message: 'missing: every swap needs it' });
  }
  return faults;
}

/** Why a source cannot fill the field. */
function unfit(field: SwapFieldName, given: PresetSource): string | undefined {
  if (typeof given === 'string' || 'length' in given) return undefined;
  const { type } = swapField(field);
  if ('column' in given) return type === 'quantity' ? undefined : 'decimals are of amounts';
  if ('value' in given || 'join' in given)
    return ['name', 'identifier', 'address'].includes(type) ? undefined : 'only fields of text can have it';
  return field === 'swap_index' ? undefined : 'only "swap_index" is made so';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
