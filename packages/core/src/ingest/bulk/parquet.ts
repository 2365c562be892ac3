import type { Config } from '../../config.ts';
import { MAX_QUANTITY } from '../../ledger/value.ts';
import { isRequiredField, type SwapFieldName, swapField, swapFieldNames } from '../../records/swap-fields.ts';
import type { ParquetField, ParquetSwaps } from '../../storage/bulk.ts';
import type { SwapFile } from '../batches.ts';
import { numberRuleOf } from '../field-rules.ts';

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
  };
}

function fieldOf(name: SwapFieldName, column: string, config: Config): ParquetField {
  const { type, column: stored = name } = swapField(name);
  return {
    name: stored as ParquetField['name'],
    column,
    holds: holdsOf(type, config),
    isRequired: isRequiredField(name),
  };
}

function holdsOf(type: ReturnType<typeof swapField>['type'], { address_format }: Config): ParquetField['holds'] {
  switch (type) {
    case 'hash':
      return { kind: 'hash', isEvm: address_format === 'evm' };
    case 'address':
    case 'name':
    case 'identifier':
      return { kind: 'text', of: type };
    case 'index':
    case 'time':
    case 'whole':
    case 'quantity':
      return { kind: 'number', ...numberRuleOf(type, address_format) };
  }
}
