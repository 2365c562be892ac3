import { isRequiredField, swapField, swapFieldNames, transferField, transferFieldNames } from '@swapfold/core/host';
import type { Field, FieldKind, Fields } from './fields.ts';

/** What the rows of a file are to become. */
export interface RowKind {
  readonly rows: RowsName;
  /** One of them, as messages call it. */
  readonly noun: string;
  /** What they hold. */
  readonly fields: Fields;
  /** The field of the place in the transaction, and what it is of a row whose hash is made of its content: `NaN` for none. */
  readonly index: string;
  readonly madeIndex: number;
  /** Fields whose hash is the index of a row with a hash and without an index: texts, then numbers. Empty if a row may go without. */
  readonly hashed: { readonly texts: readonly string[]; readonly numbers: readonly string[] };
}

/** Rows that presets, SELECTs and hashes of content are made for. */
export type RowsName = 'swaps' | 'transfers';

const kinds: Readonly<Record<string, FieldKind>> = {
  time: 'instant',
  whole: 'number',
  index: 'number',
  quantity: 'number',
  name: 'text',
  flag: 'boolean',
};

function fieldOf(name: string, type: string, isNeeded: boolean): readonly [string, Field] {
  if (name === 'swap_index') return [name, { kind: 'number', isNeeded: false, isMade: true, isWhole: true }];
  const advice = '; or, for a file without transaction hashes, use the option rowIds';
  const isWhole = type === 'whole' || type === 'index';
  return [name, { kind: kinds[type] ?? 'hex', isNeeded, isWhole, ...(name === 'tx_hash' ? { advice } : {}) }];
}

/** Of rows without an index, or that may go without one. */
export const NO_FIELDS: RowKind['hashed'] = { texts: [], numbers: [] };

/** Swaps, and transfers. */
export const rowKinds: Readonly<Record<RowsName, RowKind>> = {
  swaps: {
    rows: 'swaps',
    noun: 'swap',
    index: 'swap_index',
    madeIndex: 0,
    hashed: { texts: ['wallet', 'token_in', 'token_out'], numbers: ['token_amount_in', 'token_amount_out'] },
    fields: Object.fromEntries(
      swapFieldNames.map((name) => fieldOf(name, swapField(name).type, isRequiredField(name))),
    ),
  },
  transfers: {
    rows: 'transfers',
    noun: 'transfer',
    index: 'transfer_index',
    madeIndex: Number.NaN,
    hashed: NO_FIELDS,
    fields: Object.fromEntries(
      transferFieldNames.map((name) =>
        fieldOf(name, transferField(name).type, transferField(name).isRequired === true),
      ),
    ),
  },
};

/** The fields that a file of the kind must have, or may. `rowIds`: a row without a hash gets one. */
export function fieldsOfKind({ fields }: RowKind, rowIds: boolean): Fields {
  if (!rowIds) return fields;
  return { ...fields, tx_hash: { ...fields.tx_hash!, isNeeded: false } };
}
