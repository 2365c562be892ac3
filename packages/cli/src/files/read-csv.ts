import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { CsvScanner, delimiterOf, UnclosedQuote } from './csv-scanner.ts';
import type { TablePlan } from './read-table.ts';
import { type Fault, type TableBatch, TableBuilder } from './table-builder.ts';

/** A record longer than this is one whose quote was never closed. */
const LONGEST_RECORD = 1 << 24;

/** The rows of a CSV file. The first record names the columns; empty lines are no rows. */
export async function* readCsv(chunks: AsyncIterable<Buffer>, plan: TablePlan): AsyncGenerator<TableBatch> {
  let scanner: CsvScanner | undefined;
  let table: CsvTable | undefined;
  for await (const chunk of withEnd(chunks)) {
    if (chunk !== undefined) {
      const piece = scanner === undefined ? withoutByteOrderMark(chunk) : chunk;
      scanner ??= new CsvScanner(delimiterOf(piece));
      scanner.push(piece);
    }
    if (scanner === undefined) continue;
    while (nextRecord(scanner, { plan, isLast: chunk === undefined, row: (table?.builder.rowNumber ?? 0) + 1 })) {
      if (scanner.count === 1 && scanner.starts[0] === scanner.ends[0]) continue;
      if (table === undefined) {
        table = readHeader(scanner, plan);
        continue;
      }
      table.builder.beginRow();
      table.builder.endRow(setRow(scanner, table));
      if (table.builder.isFull) yield table.builder.take();
    }
    if (plan.isEager && table !== undefined && !table.builder.isEmpty) yield table.builder.take();
    if (scanner.waiting > LONGEST_RECORD) throw unclosed(plan, (table?.builder.rowNumber ?? 0) + 1);
  }
  if (table === undefined)
    throw new SwapfoldError(
      'invalid-input',
      `${basename(plan.path)} is empty: a CSV file begins with the names of its columns.`,
    );
  if (!table.builder.isEmpty) yield table.builder.take();
}

interface CsvTable {
  readonly builder: TableBuilder;
  /** Place of each of the builder's columns among the record's fields. */
  readonly places: Int32Array;
  readonly width: number;
}

function readHeader(scanner: CsvScanner, plan: TablePlan): CsvTable {
  const found = Array.from({ length: scanner.count }, (_, i) => scanner.text(i).trim());
  const matched = plan.match(found);
  const { byField } = matched;
  const builder = new TableBuilder(matched, byField.keys(), plan.batchRows);
  return {
    builder,
    places: Int32Array.from(builder.names, (name) => found.indexOf(byField.get(name)!)),
    width: found.length,
  };
}

/** Sets the row at hand from the record. */
function setRow(scanner: CsvScanner, { builder, places, width }: CsvTable): Fault | undefined {
  const { bytes, starts, ends, doubled } = scanner;
  if (scanner.fault !== undefined) return ['', scanner.fault];
  if (scanner.count !== width) return ['', `has ${scanner.count} columns where the header has ${width}`];
  if (!scanner.isAscii && !isUtf8(bytes.subarray(starts[0], ends[width - 1]))) return ['', 'is not UTF-8'];
  const encoding = scanner.isAscii ? 'latin1' : 'utf8';
  const row = builder.length;
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    const start = starts[place]!;
    const end = ends[place]!;
    const column = builder.builders[i]!;
    const reason =
      start === end || isNull(bytes, start, end)
        ? column.setMissing(row)
        : doubled[place] === 1
          ? column.setText(row, scanner.text(place))
          : column.setBytes(row, bytes, start, end, encoding);
    if (reason !== undefined) return [builder.names[i]!, reason];
  }
  return undefined;
}

const NIL = Buffer.from('<nil>');
const [BACKSLASH, CAPITAL_N] = [92, 78];

/** Whether the field is what some exports write for nothing: `<nil>` (Dune's API), `\N` (PostgreSQL, MySQL). */
function isNull(bytes: Buffer, start: number, end: number): boolean {
  const first = bytes[start];
  if (first === BACKSLASH) return end - start === 2 && bytes[start + 1] === CAPITAL_N;
  return first === NIL[0] && end - start === NIL.length && bytes.compare(NIL, 0, NIL.length, start, end) === 0;
}

function nextRecord(scanner: CsvScanner, o: { plan: TablePlan; isLast: boolean; row: number }): boolean {
  try {
    return scanner.next(o.isLast);
  } catch (error) {
    throw error instanceof UnclosedQuote ? unclosed(o.plan, o.row) : error;
  }
}

function unclosed(plan: TablePlan, row: number): SwapfoldError {
  return new SwapfoldError(
    'invalid-input',
    `${basename(plan.path)}: a quote that opens in row ${row} is never closed.`,
  );
}

function withoutByteOrderMark(chunk: Buffer): Buffer {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
}

/** The chunks, then `undefined` once. */
async function* withEnd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined> {
  yield* chunks;
  yield undefined;
}
