import { closeSync, openSync, writeSync } from 'node:fs';
import { columnsToObjects, type SwapColumns } from '@swapfold/core';
import { swapFieldNames } from '@swapfold/core/host';

/** Writes swaps as CSV: one header row with every field of a swap, numbers in full precision, missing values empty. */
export function writeSwapsCsv(batches: Iterable<SwapColumns>, path: string): void {
  writeLines(path, csvLines(batches));
}

/** Writes swaps as NDJSON: one object a line, numbers in full precision, missing values `null`. */
export function writeSwapsNdjson(batches: Iterable<SwapColumns>, path: string): void {
  writeLines(path, jsonLines(batches));
}

/** Writes registry rows as NDJSON. */
export function writeRecordsNdjson(rows: Iterable<object>, path: string): void {
  writeLines(path, recordLines(rows));
}

function* csvLines(batches: Iterable<SwapColumns>): Iterable<string> {
  yield swapFieldNames.join(',');
  for (const batch of batches) {
    for (const swap of columnsToObjects(batch)) yield swapFieldNames.map((name) => csvField(swap[name])).join(',');
  }
}

function* jsonLines(batches: Iterable<SwapColumns>): Iterable<string> {
  for (const batch of batches) yield* recordLines(columnsToObjects(batch));
}

function* recordLines(rows: Iterable<object>): Iterable<string> {
  for (const row of rows) yield JSON.stringify(row);
}

function csvField(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function writeLines(path: string, lines: Iterable<string>): void {
  const file = openSync(path, 'w');
  try {
    let chunk: string[] = [];
    for (const line of lines) {
      chunk.push(line);
      if (chunk.length === 4096) {
        writeSync(file, `${chunk.join('\n')}\n`);
        chunk = [];
      }
    }
    if (chunk.length > 0) writeSync(file, `${chunk.join('\n')}\n`);
  } finally {
    closeSync(file);
  }
}
