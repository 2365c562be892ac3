import { isRequiredField, isTextField, type SwapColumns, type SwapFieldName, swapFieldNames } from '@swapfold/core';
import type { Field } from './fields.ts';
import { type ReadOptions, readTable } from './read-table.ts';
import { rowId } from './row-ids.ts';
import type { FileReject } from './table-builder.ts';

export interface SwapFileOptions extends ReadOptions {
  /** Derives `tx_hash` from the row's content where it is missing, with `swap_index` 0. Without, such rows are rejected. */
  readonly rowIds?: boolean | undefined;
}

export interface SwapFileBatch {
  readonly batch: SwapColumns;
  /** Number of each of the batch's rows in the file, counting its data rows from 1. */
  readonly rowNumbers: Float64Array;
  /** The rows that could not be read since the batch before. */
  readonly rejects: readonly FileReject[];
  /** Columns of the file that hold no field, as they are told. */
  readonly unused: readonly string[];
  /** How far into the file, in bytes on disk. */
  readonly bytesRead: number;
  readonly bytesTotal: number;
}

/**
 * The swaps of a file, in its order, as column batches.
 *
 * - Formats: CSV, NDJSON (both also gzip) and Parquet, told by the name, or by the content where the name does not tell.
 * - Columns: the fields of `SwapInput`; `map` names others. Columns of no field are not read; `unused` names them.
 * - A row that cannot be read is a reject, and the rest goes on.
 * - Errors: `invalid-input` for a file that cannot be read or lacks a needed column, naming the file and the place.
 */
export async function* readSwapFile(path: string, options: SwapFileOptions = {}): AsyncGenerator<SwapFileBatch> {
  const rowIds = options.rowIds ?? false;
  for await (const table of readTable(path, { ...options, fields: swapFields(rowIds) })) {
    const { length, rowNumbers, rejects, unused, bytesRead, bytesTotal } = table;
    const columns = table.columns as Partial<SwapColumns['columns']>;
    yield {
      batch: { length, columns: rowIds ? withRowIds(columns, length) : (columns as SwapColumns['columns']) },
      rowNumbers,
      rejects,
      unused,
      bytesRead,
      bytesTotal,
    };
  }
}

function swapFields(rowIds: boolean): Record<SwapFieldName, Field> {
  const derived: readonly string[] = rowIds ? ['tx_hash', 'swap_index'] : [];
  const fieldOf = (name: SwapFieldName): Field => ({
    kind: isTextField(name) ? 'text' : 'number',
    isNeeded: isRequiredField(name) && !derived.includes(name),
  });
  return {
    ...(Object.fromEntries(swapFieldNames.map((name) => [name, fieldOf(name)])) as Record<SwapFieldName, Field>),
    block_time: { kind: 'time', isNeeded: true },
    tx_hash: {
      kind: 'unique',
      isNeeded: !rowIds,
      mayMiss: rowIds,
      advice: '; or, for a file without transaction hashes, use --row-ids',
    },
  };
}

function withRowIds(columns: Partial<SwapColumns['columns']>, length: number): SwapColumns['columns'] {
  const given = columns.tx_hash as readonly (string | null)[] | undefined;
  const hashes: string[] = [];
  const indexes = new Float64Array(length);
  for (let row = 0; row < length; row++) {
    const found = given?.[row];
    hashes.push(found ?? rowId(columns, row));
    indexes[row] = found == null ? 0 : (columns.swap_index?.[row] ?? Number.NaN);
  }
  return { ...columns, tx_hash: hashes, swap_index: indexes } as SwapColumns['columns'];
}
