import type { ParquetColumn } from '@swapfold/duckdb';
import type { SchemaElement } from 'hyparquet';
import type { Field } from './fields.ts';
import { isDecimal } from './parquet-decimals.ts';

/** How DuckDB reads a column for a field; `undefined` if each value has to be looked at. */
export function columnForm(element: SchemaElement, field: Field): Pick<ParquetColumn, 'kind' | 'form'> | undefined {
  switch (field.kind) {
    case 'text':
    case 'unique':
      return textForm(element, field, field.kind);
    case 'number':
      return numberForm(element);
    case 'time':
      if (isInstant(element)) return { kind: 'number', form: 'instant' };
      return isText(element) ? undefined : numberForm(element);
    case 'boolean':
    case 'list':
      return undefined;
  }
}

function textForm(
  element: SchemaElement,
  field: Field,
  kind: 'text' | 'unique',
): Pick<ParquetColumn, 'kind' | 'form'> | undefined {
  if (isText(element)) return { kind };
  if (isBytes(element)) return field.isHex ? { kind, form: 'bytes' } : undefined;
  if (!field.isWritten) return undefined;
  // DuckDB and JavaScript write a double in different ways.
  if (isFloat(element)) return kind === 'unique' ? { kind: 'number' } : undefined;
  return isWhole(element) || isDecimal(element) || element.type === 'BOOLEAN' ? { kind, form: 'written' } : undefined;
}

function numberForm(element: SchemaElement): Pick<ParquetColumn, 'kind' | 'form'> | undefined {
  if (isFloat(element) || isWhole(element)) return { kind: 'number' };
  if (isDecimal(element)) return { kind: 'number', form: 'decimal' };
  return isText(element) ? { kind: 'number', form: 'digits' } : undefined;
}

function isText({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return type === 'BYTE_ARRAY' && (converted === 'UTF8' || logical?.type === 'STRING');
}

function isBytes({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  const isArray = type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY';
  return isArray && converted === undefined && logical === undefined;
}

function isFloat({ type, logical_type: logical }: SchemaElement): boolean {
  return (type === 'DOUBLE' || type === 'FLOAT') && logical === undefined;
}

function isWhole({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  if (type !== 'INT32' && type !== 'INT64') return false;
  return converted === undefined ? logical === undefined : /^U?INT_(8|16|32|64)$/.test(converted);
}

/** A timestamp of any unit; INT96 is that of older writers. */
function isInstant({ type, converted_type: converted, logical_type: logical }: SchemaElement): boolean {
  return type === 'INT96' || logical?.type === 'TIMESTAMP' || /^TIMESTAMP_/.test(converted ?? '');
}

/** Whether a timestamp does not say that it is UTC. */
export function isZonelessTime(element: SchemaElement): boolean {
  const { type, logical_type: logical } = element;
  return type === 'INT96' || (logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC);
}
