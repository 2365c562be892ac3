/**
 * What a field of a row that a store is given holds, which decides its checks (`ingest/row-checks.ts`), its type and its column.
 *
 * - `hash`: 1 to 256 characters without spaces and control characters; kept with the transaction.
 * - `address`: of the configured format.
 * - `name`: at most 256 characters.
 * - `identifier`: 1 to 128 printable ASCII characters without spaces; in lower case where addresses are.
 * - `whole`: a whole number from 0. `index`: one below 2^31. `time`: Unix seconds, of which the fraction orders and the whole second counts.
 * - `quantity`: a number from 0 to 1e200: tokens, USD, or USD per token.
 * - `flag`: true or false; 1 or 0 in columns.
 */
export type RowFieldType =
  | 'hash'
  | 'address'
  | 'name'
  | 'identifier'
  | 'whole'
  | 'index'
  | 'time'
  | 'quantity'
  | 'flag';

/** One field of a row, whole: input, checks, storage, answers, OpenAPI and documentation derive from it. */
export interface RowField {
  readonly type: RowFieldType;
  /** A row without it is rejected. */
  readonly isRequired?: true;
  /** True of what all rows of a transaction share: their table may have no column of it. */
  readonly isOfTransaction?: true;
  /** The column of the table that holds what the feed gave. Default: the name of the field. */
  readonly column?: string;
  /** True of the address of a token: an alias is stored as the address of its quote token. */
  readonly isToken?: true;
  /** True of a column that stores of earlier versions lack. */
  readonly isAdded?: true;
  /** True where answers leave it out. */
  readonly isInputOnly?: true;
  /** One phrase with the unit, for documentation. */
  readonly meaning: string;
}

/** The fields of one kind of rows. `of`: what one of them is called. */
export interface RowFields<Name extends string = string> {
  readonly of: 'swap' | 'transfer';
  /** In the order of the interface. */
  readonly names: readonly Name[];
  field(name: Name): RowField;
}

/** The types whose values are texts. */
export type TextFieldType = 'hash' | 'address' | 'name' | 'identifier';
const textTypes: readonly RowFieldType[] = ['hash', 'address', 'name', 'identifier'];

/** Whether the values of the field are texts. */
export const isOfText = ({ type }: RowField): boolean => textTypes.includes(type);

/** Names of the declared fields of some types, those that are required or those that are not. */
export type NamesOf<
  Declared extends Readonly<Record<string, RowField>>,
  Type extends RowFieldType,
  Required extends boolean,
> = {
  [N in keyof Declared & string]: Declared[N]['type'] extends Type
    ? Declared[N] extends { readonly isRequired: true }
      ? Required extends true
        ? N
        : never
      : Required extends true
        ? never
        : N
    : never;
}[keyof Declared & string];
