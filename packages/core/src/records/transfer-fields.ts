import type { NamesOf, RowField, RowFields, TextFieldType } from './fields.ts';

/**
 * The fields of a transfer, in the order of the interface. The place for a new one is the end.
 *
 * A missing optional field and `null` mean the same: the feed does not say.
 */
export const transferFields = {
  tx_hash: { type: 'hash', isOfTransaction: true, isRequired: true, meaning: 'Hash of the transaction.' },
  transfer_index: {
    type: 'whole',
    meaning:
      'Place in the transaction: a number that no other transfer of it has, such as a log index. A row without one gets a number from 2^52 on, made of what it says.',
  },
  block_time: {
    type: 'time',
    isOfTransaction: true,
    isRequired: true,
    meaning: 'Unix seconds, UTC. Where the store has swaps of the transaction, their time counts.',
  },
  block_slot: {
    type: 'whole',
    isOfTransaction: true,
    meaning: 'Slot or number of the block. A rollback needs it.',
  },
  tx_index: {
    type: 'whole',
    isOfTransaction: true,
    isInputOnly: true,
    meaning: 'Place of the transaction in its block.',
  },
  token: { type: 'address', isToken: true, isRequired: true, meaning: 'Address of the token.' },
  token_amount: { type: 'quantity', isRequired: true, meaning: 'Amount of the token, whole tokens.' },
  from: {
    type: 'address',
    column: 'sender',
    meaning: 'Address of the wallet that it leaves. Missing, or the zero address: the tokens were minted.',
  },
  to: {
    type: 'address',
    column: 'recipient',
    meaning: 'Address of the wallet that it reaches. Missing, or the zero address: the tokens were burnt.',
  },
  cost_usd: {
    type: 'quantity',
    meaning: 'What the tokens cost the wallet that they reach, USD; 0 is a cost of 0. Not their value at the time.',
  },
  kind: { type: 'name', meaning: 'What it was, in words of your own, such as airdrop.' },
  includes_swaps: {
    type: 'flag',
    meaning:
      'True if the rows of the transaction list all movements of the token, those of its swaps among them. One row with it speaks for its transaction.',
  },
} as const satisfies Readonly<Record<string, RowField>>;

/** Name of a field of a transfer. */
export type TransferFieldName = keyof typeof transferFields;

/** Name of a field that holds numbers, in columns. */
export type TransferNumberField = Exclude<TransferFieldName, TransferTextField>;
/** Name of a field that holds texts. */
export type TransferTextField = NamesOf<typeof transferFields, TextFieldType, boolean>;

/** Every field of a transfer, in the order of the interface. */
export const transferFieldNames = Object.keys(transferFields) as readonly TransferFieldName[];

/** What a field is: the declaration without its literal types. */
export function transferField(name: TransferFieldName): RowField {
  return transferFields[name];
}

/** The fields of transfers as every kind of rows has them. */
export const fieldsOfTransfers: RowFields<TransferFieldName> = {
  of: 'transfer',
  names: transferFieldNames,
  field: transferField,
};
