import { rm } from 'node:fs/promises';
import { SwapfoldError } from '@swapfold/core';
import type { FileReject } from './batches.ts';
import { openText, peekFile } from './bytes.ts';
import { carefulRecords, Lines } from './careful.ts';
import { formatOf } from './format.ts';
import { csvInput, partitionsOf } from './inputs.ts';
import type { RowFileOptions } from './options.ts';
import { convert, partOf } from './parts.ts';
import { CUT_OFF, FileReading, type HeldPart, type JoinedFile } from './read-parts.ts';
import { readHeader } from './records.ts';
import type { RowKind } from './row-kinds.ts';
import { CsvCutter, isCutOff } from './spool.ts';

/** Unpacked bytes of a file that may be read with others. Reading a larger one takes longer than planning a statement for it. */
const SMALL = 1 << 20;

/** Files and unpacked bytes that are read at once. */
const [MOST_FILES, MOST_BYTES] = [256, 16 << 20];

/** A small CSV file whose records have been looked at. */
interface SmallCsv {
  readonly header: readonly string[];
  readonly delimiter: string;
  /** Files of one form can be read as one. */
  readonly form: string;
  readonly bytes: number;
  /** The values of a column in the first rows. */
  readonly valuesOf: (column: string) => readonly unknown[];
  /** The records of the right form, and the number of each. */
  readonly lines: readonly string[];
  readonly numbers: readonly number[];
  readonly rejects: readonly FileReject[];
  readonly rows: number;
}

/**
 * The first of some files as one part of at most `batchRows` rows, if they are small CSV files of one header: a statement for all of them in
 * place of one for each.
 *
 * `undefined` unless two or more can be read so. Nothing fails here: what is wrong with a file comes to light where it is read by itself.
 */
export async function joinCsv(
  paths: Iterable<string>,
  options: RowFileOptions,
  kind: RowKind,
): Promise<HeldPart | undefined> {
  const files: (SmallCsv & { readonly path: string })[] = [];
  let [bytes, rows] = [0, 0];
  for (const path of paths) {
    const found = await smallCsv(path, options.wholeLines ?? false).catch(() => undefined);
    if (found === undefined || found.form !== (files[0] ?? found).form) break;
    rows += found.rows;
    // One part is one transaction.
    if (rows > (options.batchRows ?? Number.POSITIVE_INFINITY)) break;
    if (files.length === 0 && !hasColumns(path, found, options, kind)) break;
    files.push({ ...found, path });
    bytes += found.bytes;
    if (files.length === MOST_FILES || bytes >= MOST_BYTES) break;
  }
  return files.length < 2 ? undefined : joined(files, options, kind);
}

/** Whether a file has the columns that its rows need. */
function hasColumns(path: string, { header, valuesOf }: SmallCsv, options: RowFileOptions, kind: RowKind): boolean {
  try {
    new FileReading(path, options, kind).choose(header, { valuesOf });
    return true;
  } catch (error) {
    if (error instanceof SwapfoldError) return false;
    throw error;
  }
}

/** Errors: those of the file. `undefined` for one that is not small, no CSV, or has a quote that is never closed. */
async function smallCsv(path: string, wholeLines: boolean): Promise<SmallCsv | undefined> {
  const { size, head } = await peekFile(path);
  const told = size > SMALL ? undefined : formatOf(path, head).format;
  if (told === undefined || told === 'parquet' || told === 'arrow') return undefined;
  const { format, chunks, close } = await openText(path, () => undefined);
  try {
    if (format !== 'csv') return undefined;
    const { header, delimiter, rest, firstRows } = await readHeader(path, chunks);
    const valuesOf = (column: string) => firstRows().map((row) => row[header.indexOf(column)]);
    const read: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of rest) {
      read.push(chunk);
      bytes += chunk.length;
      if (bytes > SMALL) return undefined;
    }
    const all = Buffer.concat(read);
    const cutter = new CsvCutter(delimiter.charCodeAt(0), () => new SwapfoldError('invalid-input', path));
    const end = cutter.scan(all);
    if (cutter.failure(true) !== undefined) return undefined;
    const isLastCutOff = wholeLines && isCutOff([all.subarray(end)]);
    const lines: string[] = [];
    const write = async (line: string) => void lines.push(line);
    const records = isLastCutOff ? all.subarray(0, end) : all;
    const looked = await carefulRecords(records, { width: header.length, delimiter, write });
    const form = JSON.stringify([header, delimiter, [...partitionsOf(path)]]);
    if (!isLastCutOff) return { header, delimiter, form, bytes, valuesOf, lines, ...looked };
    const rows = looked.rows + 1;
    const rejects = [...looked.rejects, { row: rows, field: '', reason: CUT_OFF }];
    return { header, delimiter, form, bytes, valuesOf, lines, numbers: looked.numbers, rejects, rows };
  } finally {
    await close();
  }
}

async function joined(
  files: readonly (SmallCsv & { readonly path: string })[],
  options: RowFileOptions,
  kind: RowKind,
): Promise<HeldPart> {
  const { path, header, delimiter, valuesOf } = files[0]!;
  const places: Omit<JoinedFile, 'isZoneless'>[] = [];
  const numbers: number[] = [];
  const rejects: FileReject[] = [];
  const written = new Lines();
  const file = new FileReading(path, options, kind);
  try {
    let before = 0;
    for (const one of files) {
      places.push({ file: one.path, before, rows: one.rows });
      for (const row of one.numbers) numbers.push(before + row);
      for (const reject of one.rejects) rejects.push({ ...reject, row: before + reject.row });
      before += one.rows;
      await written.add(one.lines.join(''));
    }
    await written.end();
    const reading = file.choose(header, { valuesOf });
    const form = { header, delimiter, hasLines: true };
    const input = csvInput([written.path], form, reading.columns, file.partitions);
    const given = await file.given(reading, input);
    const converted = await convert(await file.connection(), input, given, false);
    file.at = { bytesRead: 1, bytesTotal: 1 };
    const info = file.info(reading);
    const part = partOf(converted, given, { file: path, numbers, rejects }, { info, batchRows: file.batchRows });
    const zoneless = numbers[converted.firstZoneless ?? -1] ?? 0;
    const isIn = (row: number, { before, rows }: (typeof places)[0]): boolean => row > before && row <= before + rows;
    return { ...part, joined: places.map((place) => ({ ...place, isZoneless: isIn(zoneless, place) })) };
  } finally {
    file.close();
    await rm(written.path, { force: true });
  }
}
