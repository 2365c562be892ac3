import { rm } from 'node:fs/promises';
import { SwapfoldError } from '@swapfold/core';
import type { FileReject } from './batches.ts';
import { carefulRecords, Lines } from './careful.ts';
import { csvInput } from './inputs.ts';
import { joinedPart, SMALL, type SmallFile } from './joined-part.ts';
import { convert } from './parts.ts';
import { CUT_OFF, type FileReading, type HeldPart } from './read-parts.ts';
import { readHeader } from './records.ts';
import { CsvCutter, isCutOff } from './spool.ts';

/** A small CSV file whose records have been looked at. */
export interface SmallCsv extends SmallFile {
  readonly format: 'csv';
  readonly header: readonly string[];
  readonly delimiter: string;
  /** The values of a column in the first rows. */
  readonly valuesOf: (column: string) => readonly unknown[];
  /** The records of the right form, and the number of each. */
  readonly lines: readonly string[];
  readonly numbers: readonly number[];
  readonly rejects: readonly FileReject[];
}

/** Errors: those of the file, and of the first of some if it lacks columns. `undefined` for one that is not small, or has a quote that is never closed. */
export async function smallCsv(
  file: FileReading,
  chunks: AsyncGenerator<Buffer>,
  isFirst: boolean,
): Promise<SmallCsv | undefined> {
  const { path, partitions } = file;
  const { header, delimiter, rest, firstRows } = await readHeader(path, chunks);
  const valuesOf = (column: string) => firstRows().map((row) => row[header.indexOf(column)]);
  if (isFirst) file.choose(header, { valuesOf });
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
  const isLastCutOff = (file.options.wholeLines ?? false) && isCutOff([all.subarray(end)]);
  const lines: string[] = [];
  const write = async (line: string) => void lines.push(line);
  const records = isLastCutOff ? all.subarray(0, end) : all;
  const looked = await carefulRecords(records, { width: header.length, delimiter, write });
  const form = JSON.stringify(['csv', header, delimiter, [...partitions]]);
  const small = { format: 'csv' as const, path, header, delimiter, form, bytes, valuesOf, lines, ...looked };
  if (!isLastCutOff) return small;
  const rows = looked.rows + 1;
  return { ...small, rows, rejects: [...looked.rejects, { row: rows, field: '', reason: CUT_OFF }] };
}

/** Errors: those of DuckDB. */
export async function joinCsv(file: FileReading, files: readonly SmallCsv[]): Promise<HeldPart> {
  const { header, delimiter, valuesOf } = files[0]!;
  const numbers: number[] = [];
  const rejects: FileReject[] = [];
  const written = new Lines();
  try {
    let before = 0;
    for (const one of files) {
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
    const rows = { file: file.path, numbers, rejects };
    return await joinedPart(file, files, { converted, given, rows, info: file.info(reading) });
  } finally {
    await rm(written.path, { force: true });
  }
}
