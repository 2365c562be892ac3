import { isRequiredField, type SwapColumns, type SwapFieldName, swapFieldNames } from '@swapfold/core';
import { chooseReading, type Reading } from '../presets/choose.ts';
import { readAs } from '../presets/compile.ts';
import type { Preset } from '../presets/preset.ts';
import { resolvePresets } from '../presets/resolve.ts';
import { shapeBatch } from '../presets/shape.ts';
import type { ColumnMap, Field, Fields } from './fields.ts';
import type { StreamSource } from './open-stream.ts';
import { type ReadOptions, readTable, type TableBatchAt } from './read-table.ts';
import { parseRecordPath } from './record-paths.ts';
import { rowId } from './row-ids.ts';
import type { FileReject, PlainFile } from './table-builder.ts';

/** Options of `readSwapFile`. */
export interface SwapFileOptions extends ReadOptions {
  /** Column names of the file by the field they hold: `{ their_name: 'our_name' }`. */
  readonly map?: ColumnMap | undefined;
  /** Derives `tx_hash` from the row's content if it is missing, with `swap_index` 0. Without, such rows are rejected. */
  readonly rowIds?: boolean | undefined;
  /**
   * The shapes that the file may have: names of built-in presets, presets of your own, and `swapfold` for Swapfold's own columns. Default: all
   * that come with Swapfold. A file with Swapfold's own columns is read as such if it may; else the one preset whose columns it has is taken.
   */
  readonly presets?: readonly (string | Preset)[] | undefined;
}

/** Rows of a file of swaps, as columns. */
export interface SwapFileBatch {
  readonly batch: SwapColumns;
  /** Number of each of the batch's rows in the file, counting its data rows from 1. */
  readonly rowNumbers: Float64Array;
  /** The rows that could not be read since the batch before. */
  readonly rejects: readonly FileReject[];
  /** How many rows were passed over since the batch before because they are no swaps, by reason. */
  readonly passed: ReadonlyMap<string, number>;
  /** The name of the preset that the file is read with; `swapfold` for Swapfold's own columns. */
  readonly preset: string;
  /** The format of the file's addresses, if its preset says so. */
  readonly addresses?: Preset['addresses'];
  /** Where each field comes from, as people read it. */
  readonly mapping: readonly (readonly [field: string, source: string])[];
  /** Columns of the file that hold no field, as the import reports them. */
  readonly unused: readonly string[];
  /** True if a time without a zone was read, as UTC. */
  readonly isZoneless: boolean;
  /** How far into the file, in bytes on disk. */
  readonly bytesRead: number;
  /** `NaN` of a stream. */
  readonly bytesTotal: number;
  /** With the first batch of a Parquet file of Swapfold's own columns, if each has the type of its field. */
  readonly plainFile?: PlainFile | undefined;
}

/**
 * The swaps of a file or of a stream of bytes, in its order, as column batches.
 *
 * - Formats: CSV, JSON (both also gzip), Parquet and Arrow, told by the name, or by the content where the name does not tell. A stream is CSV or JSON.
 * - Columns: the fields of `SwapInput`, or those of a preset; `map` names others. Columns of no field are not read; `unused` names them.
 * - A row that cannot be read is a reject, and the rest goes on.
 * - Errors: `invalid-input` for a file that cannot be read or lacks needed columns, naming the file and the place.
 */
export async function* readSwapFile(
  from: string | StreamSource,
  options: SwapFileOptions = {},
): AsyncGenerator<SwapFileBatch> {
  const { map = {}, rowIds = false } = options;
  const shapes = resolvePresets(options.presets);
  const path = typeof from === 'string' ? from : from.name;
  const fields = ownFields(rowIds);
  let reading: Reading | undefined;
  const match = (found: readonly string[]): Reading['matched'] => {
    reading = chooseReading(path, found, { fields, ...shapes, map });
    return reading.matched;
  };
  const records = shapes.presets.flatMap((preset) => preset.records ?? []).map((text) => parseRecordPath(text)!);
  for await (const table of readTable(from, { ...options, match, records })) yield swapsOf(table, reading, rowIds);
}

/** The swaps of a batch. Without a reading, no row of the file could be read. */
function swapsOf(table: TableBatchAt, reading: Reading | undefined, rowIds: boolean): SwapFileBatch {
  const { unused, isZoneless, bytesRead, bytesTotal } = table;
  const isPreset = reading?.kind === 'preset';
  const { length, rowNumbers, rejects, passed, ...read } = isPreset ? shapeBatch(reading, table) : table;
  const columns = read.columns as Partial<SwapColumns['columns']>;
  const isOwn = !isPreset && rowIds;
  return {
    batch: { length, columns: isOwn ? withRowIds(columns, length) : (columns as SwapColumns['columns']) },
    rowNumbers,
    rejects,
    passed,
    preset: isPreset ? reading.preset.name : 'swapfold',
    addresses: isPreset ? reading.preset.addresses : undefined,
    mapping: isPreset ? reading.mapping : [...(reading?.matched.byField ?? [])],
    unused,
    isZoneless,
    bytesRead,
    bytesTotal,
    plainFile: isPreset || rowIds ? undefined : table.plainFile,
  };
}

function ownFields(rowIds: boolean): Fields {
  const derived: readonly string[] = rowIds ? ['tx_hash', 'swap_index'] : [];
  const fieldOf = (name: SwapFieldName): Field => ({
    ...readAs(name),
    isNeeded: isRequiredField(name) && !derived.includes(name),
  });
  const fields = Object.fromEntries(swapFieldNames.map((name) => [name, fieldOf(name)]));
  const advice = '; or, for a file without transaction hashes, use --row-ids';
  return { ...fields, tx_hash: { ...fields.tx_hash!, mayMiss: rowIds, advice } };
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
