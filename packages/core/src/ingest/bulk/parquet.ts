import { wrapping } from '../../addresses/token-address.ts';
import type { Config } from '../../config.ts';
import { MAX_QUANTITY } from '../../ledger/value.ts';
import {
  isRequiredField,
  type SwapField,
  type SwapFieldName,
  swapField,
  swapFieldNames,
} from '../../records/swap-fields.ts';
import type { ParquetField, ParquetSwaps } from '../../storage/bulk.ts';
import type { SwapFile } from '../batches.ts';
import { numberRuleOf, textKindOf } from '../field-rules.ts';

/** The file as an engine reads it, with what its fields may hold. */
export function parquetSwaps({ parquet, columns, leftOut }: SwapFile, config: Config, firstRow: number): ParquetSwaps {
  const names = swapFieldNames.filter((name) => columns[name] !== undefined);
  return {
    path: parquet,
    leftOut,
    firstRow,
    fields: names.map((name) => fieldOf(name, columns[name]!, config)),
    products: [
      ['given_price_in', 'token_amount_in'],
      ['given_price_out', 'token_amount_out'],
    ],
    mostProduct: MAX_QUANTITY,
    isWrap: wrapping(config),
  };
}

function fieldOf(name: SwapFieldName, column: string, config: Config): ParquetField {
  const { column: stored = name } = swapField(name);
  return {
    name: stored as ParquetField['name'],
    column,
    holds: holdsOf(swapField(name), config),
    isRequired: isRequiredField(name),
  };
}

function holdsOf(field: SwapField, { address_format }: Config): ParquetField['holds'] {
  switch (field.type) {
    case 'hash':
      return { kind: 'hash', isEvm: address_format === 'evm' };
    case 'address':
    case 'name':
    case 'identifier':
      return { kind: 'text', of: textKindOf(field)! };
    case 'index':
    case 'time':
    case 'whole':
    case 'quantity':
      return { kind: 'number', ...numberRuleOf(field.type, address_format) };
  }
}
