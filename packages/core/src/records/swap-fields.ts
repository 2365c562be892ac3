import type { ColumnType } from './columns.ts';
import {
  isOfText,
  type NamesOf,
  type RowField,
  type RowFields,
  type RowFieldType,
  type TextFieldType,
} from './fields.ts';

/** As `RowFieldType`: a swap has no flags. */
export type SwapFieldType = Exclude<RowFieldType, 'flag'>;

/** One field of a swap. */
export interface SwapField extends RowField {
  readonly type: SwapFieldType;
}

/**
 * The fields of a swap, in the order of the interface. The place for a new one is the end.
 *
 * A missing optional field and `null` mean the same: the feed does not say.
 */
export const swapFields = {
  protocol: { type: 'name', meaning: 'Name of the exchange or program, such as raydium.' },
  wallet: { type: 'address', isRequired: true, meaning: 'Address of the wallet that swapped.' },
  token_in: { type: 'address', isToken: true, isRequired: true, meaning: 'Address of the token that the wallet gave.' },
  token_out: {
    type: 'address',
    isToken: true,
    isRequired: true,
    meaning: 'Address of the token that the wallet received.',
  },
  token_symbol_in: { type: 'name', meaning: 'Symbol of token_in.' },
  token_symbol_out: { type: 'name', meaning: 'Symbol of token_out.' },
  token_amount_in: { type: 'quantity', isRequired: true, meaning: 'Amount of token_in, whole tokens.' },
  token_amount_out: { type: 'quantity', isRequired: true, meaning: 'Amount of token_out, whole tokens.' },
  token_price_in: { type: 'quantity', column: 'given_price_in', meaning: 'Price of token_in, USD per token.' },
  token_price_out: { type: 'quantity', column: 'given_price_out', meaning: 'Price of token_out, USD per token.' },
  pre_token_balance_in: {
    type: 'quantity',
    meaning: "The wallet's balance of token_in before the swap, whole tokens.",
  },
  pre_token_balance_out: {
    type: 'quantity',
    meaning: "The wallet's balance of token_out before the swap, whole tokens.",
  },
  post_token_balance_in: {
    type: 'quantity',
    meaning: "The wallet's balance of token_in after the swap, whole tokens.",
  },
  post_token_balance_out: {
    type: 'quantity',
    meaning: "The wallet's balance of token_out after the swap, whole tokens.",
  },
  usd_amount_in: { type: 'quantity', column: 'given_usd_in', meaning: 'Value of the amount of token_in, USD.' },
  usd_amount_out: { type: 'quantity', column: 'given_usd_out', meaning: 'Value of the amount of token_out, USD.' },
  block_slot: { type: 'whole', isOfTransaction: true, meaning: 'Slot or number of the block. A rollback needs it.' },
  block_time: {
    type: 'time',
    isOfTransaction: true,
    isRequired: true,
    meaning: 'Unix seconds, UTC. A fraction orders swaps of one second; answers have whole seconds.',
  },
  tx_hash: { type: 'hash', isOfTransaction: true, isRequired: true, meaning: 'Hash of the transaction.' },
  swap_index: {
    type: 'index',
    isRequired: true,
    meaning: 'Place in the transaction: a number that no other swap of it has.',
  },
  tx_index: {
    type: 'whole',
    isOfTransaction: true,
    isInputOnly: true,
    meaning: 'Place of the transaction in its block, an extension of the interface. It orders swaps of one block.',
  },
  pool: { type: 'identifier', isAdded: true, meaning: 'Address of the pool or market that it went through.' },
  fee_native: {
    type: 'quantity',
    isAdded: true,
    meaning:
      'What the wallet paid the chain for the transaction, whole native tokens: base and priority fee, tips. Of the swaps of a wallet in a transaction the greatest counts, once.',
  },
  log_index: {
    type: 'index',
    isOfTransaction: true,
    isInputOnly: true,
    meaning:
      "Place of the swap's event among all events of its block. The smallest of a transaction orders transactions of one slot, after tx_index.",
  },
  pool_amount_in: {
    type: 'quantity',
    isAdded: true,
    meaning:
      'What the pool received of token_in, whole tokens, where that is not what the wallet gave: prices and volumes of tokens go by it. Only together with pool_amount_out.',
  },
  pool_amount_out: {
    type: 'quantity',
    isAdded: true,
    meaning:
      'What the pool gave of token_out, whole tokens, where that is not what the wallet received: prices and volumes of tokens go by it. Only together with pool_amount_in.',
  },
} as const satisfies Readonly<Record<string, SwapField>>;

type Fields = typeof swapFields;

/** Name of a field of a swap. */
export type SwapFieldName = keyof Fields;

/** Name of a field that every swap has, of text. */
export type RequiredTextField = NamesOf<Fields, TextFieldType, true>;
/** Name of a field that a swap may have, of text. */
export type OptionalTextField = NamesOf<Fields, TextFieldType, false>;
/** Name of a field that every swap has, of numbers. */
export type RequiredNumberField = NamesOf<Fields, Exclude<SwapFieldType, TextFieldType>, true>;
/** Name of a field that a swap may have, of numbers. */
export type OptionalNumberField = NamesOf<Fields, Exclude<SwapFieldType, TextFieldType>, false>;
/** Name of a field that holds numbers. */
export type SwapNumberField = RequiredNumberField | OptionalNumberField;

const entries = (Object.entries(swapFields) as [SwapFieldName, SwapField][]).map(
  ([name, field]) => [name, field.isOfTransaction ? field : { column: name, ...field }] as const,
);
const fields = Object.fromEntries(entries) as Readonly<Record<SwapFieldName, SwapField>>;

/** Every field of a swap, in the order of the interface. */
export const swapFieldNames: readonly SwapFieldName[] = entries.map(([name]) => name);

/** What a field is: the declaration without its literal types, with its column. */
export function swapField(name: SwapFieldName): SwapField {
  return fields[name];
}

/** The fields of swaps as every kind of rows has them. */
export const fieldsOfSwaps: RowFields<SwapFieldName> = { of: 'swap', names: swapFieldNames, field: swapField };

/** Whether the field holds text. */
export function isTextField(name: SwapFieldName): name is RequiredTextField | OptionalTextField {
  return isOfText(swapFields[name]);
}

/** Whether each swap must have the field. */
export function isRequiredField(name: SwapFieldName): name is RequiredTextField | RequiredNumberField {
  return swapField(name).isRequired === true;
}

type StoredType<Type extends SwapFieldType> = Type extends TextFieldType
  ? 'id'
  : Type extends 'quantity'
    ? 'double'
    : 'long';

type ColumnOf<N extends SwapFieldName> = Fields[N] extends { readonly isOfTransaction: true }
  ? never
  : Fields[N] extends { readonly column: infer Column extends string }
    ? Column
    : N;

export type SwapFieldColumns = {
  [N in SwapFieldName as ColumnOf<N>]: StoredType<Fields[N]['type']>;
};

/** The order of the columns that the first versions had: checksums of stored rows go by it. */
const firstColumns: readonly string[] = [
  'swap_index',
  'wallet',
  'token_in',
  'token_out',
  'protocol',
  'token_symbol_in',
  'token_symbol_out',
  'token_amount_in',
  'token_amount_out',
  'given_price_in',
  'given_price_out',
  'given_usd_in',
  'given_usd_out',
];

/** The columns of the swaps table that hold fields as they were given. */
export const swapFieldColumns = columnsOfFields();

function columnsOfFields(): SwapFieldColumns {
  const columns = entries.flatMap(([, { column, type }]) => (column === undefined ? [] : [{ column, type }]));
  const placeOf = (column: string): number => {
    const place = firstColumns.indexOf(column);
    return place < 0 ? firstColumns.length : place;
  };
  columns.sort((a, b) => placeOf(a.column) - placeOf(b.column));
  return Object.fromEntries(columns.map(({ column, type }) => [column, columnTypeOf(type)])) as SwapFieldColumns;
}

/** Columns that stores of earlier versions lack. */
export const addedSwapColumns: readonly string[] = entries.flatMap(([, { column, isAdded }]) =>
  isAdded && column !== undefined ? [column] : [],
);

function columnTypeOf(type: SwapFieldType): ColumnType {
  if (type === 'quantity') return 'double';
  return type === 'whole' || type === 'time' || type === 'index' ? 'long' : 'id';
}
