import { swapFieldNames } from '@swapfold/core';
import type { AmountSource, Columns, Leg, Preset, PresetSource } from './preset.ts';

/** Writes a column as people read it. */
export type Describe = (columns: Columns) => string;

/**
 * Where each field of a swap comes from, as people read it, in the order of the interface.
 *
 * - `column`: writes a column, or any of several.
 */
export function describeFields(preset: Preset, column: Describe): (readonly [field: string, source: string])[] {
  const made: Record<string, string> = {};
  if (preset.sides !== undefined) {
    const [first, second] = preset.sides.legs;
    const either = (part: (leg: Leg) => string): string => `${part(first)} or ${part(second)}, by sign`;
    for (const side of ['in', 'out']) {
      made[`token_${side}`] = either(({ token }) => column(token));
      made[`token_amount_${side}`] = either(({ amount }) => describeLegAmount(amount, column));
      if (first.symbol !== undefined && second.symbol !== undefined)
        made[`token_symbol_${side}`] = either(({ symbol }) => column(symbol!));
    }
  }
  for (const [field, source] of Object.entries(preset.fields)) made[field] = describeSource(source, column);
  return swapFieldNames.flatMap((field) => (made[field] === undefined ? [] : [[field, made[field]] as const]));
}

function describeSource(source: PresetSource, column: Describe): string {
  if (typeof source === 'string' || 'length' in source || 'column' in source) return describeAmount(source, column);
  if ('value' in source) return `"${source.value}"`;
  if ('join' in source) return source.join.map(column).join(` + "${source.with}" + `);
  if ('outer' in source) return `composed of ${column(source.outer)} and ${column(source.inner)}`;
  if ('ending' in source) return `composed of the numbers at the end of ${column(source.ending)}`;
  return `hash of ${source.hash.map(column).join(', ')}`;
}

function describeAmount(source: AmountSource, column: Describe): string {
  if (typeof source === 'string' || 'length' in source) return column(source);
  const { decimals } = source;
  return `${column(source.column)} / 10^${typeof decimals === 'number' ? decimals : column(decimals)}`;
}

function describeLegAmount(amount: Leg['amount'], column: Describe): string {
  if (typeof amount === 'object' && 'in' in amount) return `${column(amount.in)} - ${column(amount.out)}`;
  return describeAmount(amount, column);
}
