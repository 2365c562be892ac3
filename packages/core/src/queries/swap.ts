import * as v from 'valibot';
import { swapTypes } from '../ledger/trade.ts';
import { valueRules } from '../ledger/value.ts';
import { isOfText, type RowField } from '../records/fields.ts';
import {
  type OptionalNumberField,
  type OptionalTextField,
  type RequiredNumberField,
  type RequiredTextField,
  type SwapFieldName,
  swapField,
  swapFieldNames,
  type swapFields,
} from '../records/swap-fields.ts';
import {
  described,
  integer,
  integerOrNull,
  named,
  number,
  numberOrNull,
  oneOf,
  oneOfOrNull,
  type ResponseSchema,
  text,
  textOrNull,
  time,
} from '../response.ts';

type InputOnlyField = {
  [N in SwapFieldName]: (typeof swapFields)[N] extends { readonly isInputOnly: true } ? N : never;
}[SwapFieldName];

/**
 * A swap as it is served, with the fields that docs/reference/swap-fields.md explains. Amounts in whole tokens, prices USD per token, `block_time`
 * Unix seconds; `null` is unknown.
 */
export type Swap = {
  readonly [N in Exclude<RequiredTextField, InputOnlyField>]: string;
} & { readonly [N in Exclude<RequiredNumberField, InputOnlyField>]: number } & {
  readonly [N in Exclude<OptionalTextField, InputOnlyField>]: string | null;
} & { readonly [N in Exclude<OptionalNumberField, InputOnlyField>]: number | null } & {
  readonly swap_type: (typeof swapTypes)[number];
  readonly valued_by: (typeof valueRules)[number] | null;
};

/** What no feed gives. */
const derived = {
  swap_type: oneOf(swapTypes, 'Roles of token_in and token_out.'),
  valued_by: oneOfOrNull(valueRules, 'The rule that gave its value in USD; null without one.'),
} satisfies Readonly<Record<Exclude<keyof Swap, SwapFieldName>, v.GenericSchema>>;

const given = swapFieldNames.filter((name) => !swapField(name).isInputOnly);
const entries = { ...Object.fromEntries(given.map((name) => [name, fieldSchema(swapField(name))])), ...derived };

export const servedFields = Object.keys(entries) as readonly (keyof Swap)[];

export const swapSchema = named('Swap', v.strictObject(entries)) as unknown as ResponseSchema<Swap>;

/** What an answer has of a field. */
export function fieldSchema(field: RowField): v.GenericSchema {
  const { type, isRequired, meaning } = field;
  if (isOfText(field)) return (isRequired ? text : textOrNull)(meaning);
  if (type === 'time') return time(meaning);
  if (type === 'flag') return described(v.boolean(), meaning);
  if (type === 'quantity') return (isRequired ? number : numberOrNull)(meaning);
  return (isRequired ? integer : integerOrNull)(meaning);
}
