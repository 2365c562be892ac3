import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { SwapfoldError } from '@swapfold/core';
import type { FileInfo, FileReject, SwapPart } from './batches.ts';
import { type OnProgress, openText, type StreamSource } from './bytes.ts';
import { type Careful, carefulCsv, carefulJson, type OwnColumn } from './careful.ts';
import { chooseReading, type Reading, resolvePresets } from './choose.ts';
import { columnsOf, connect, firstLine, sqlText } from './duck.ts';
import { type Fields, isWithoutColumns, PRESENT, withoutColumns } from './fields.ts';
import { fitsOf } from './hints.ts';
import {
  type CsvForm,
  csvInput,
  type InputColumns,
  jsonColumns,
  jsonInput,
  type Partitions,
  partitionsOf,
} from './inputs.ts';
import type { RowFileOptions } from './options.ts';
import { type Converted, convert, type PartRows, partOf } from './parts.ts';
import { OWN } from './presets.ts';
import { columnReader, isRecord } from './record-paths.ts';
import { type JsonList, listNamed, readHeader, searchJson, unclosed } from './records.ts';
import { fieldsOfKind, type RowKind, rowKinds } from './row-kinds.ts';
import { CsvCutter, LineCutter, type Spooled, spool } from './spool.ts';
import type { Given } from './typed.ts';

/** Bytes of text that are converted at once. */
export const PIECE = 96 << 20;

/** A part, and how to remove the file that it lies in. */
export type HeldPart = SwapPart & {
  readonly drop: () => Promise<void>;
  /** The files whose rows it has, if they are several: its rows are numbered as if they were one. */
  readonly joined?: readonly JoinedFile[];
};

/** One of several files that are read as one. */
export interface JoinedFile {
  readonly file: string;
  /** Rows of the files before it, and its own, with those at fault. */
  readonly before: number;
  readonly rows: number;
  /** Whether the first time without a zone is in it. */
  readonly isZoneless: boolean;
  /** How it is read, if not as the part says. */
  readonly info?: Pick<FileInfo, 'sql' | 'unused'>;
}

const balanceFields: ReadonlySet<string> = new Set(
  ['pre', 'post'].flatMap((when) => ['in', 'out'].map((side) => `${when}_token_balance_${side}`)),
);
const NONE: ReadonlySet<string> = new Set();

/** What reads one file. */
export class FileReading {
  readonly path: string;
  readonly options: RowFileOptions;
  readonly kind: RowKind;
  readonly fields: Fields;
  readonly partitions: Partitions;
  at = { bytesRead: 0, bytesTotal: Number.NaN };
  /** Rows that were read so far, with those at fault. */
  rows = 0;
  #connection: DuckDBConnection | undefined;

  constructor(from: string | StreamSource, options: RowFileOptions, kind: RowKind = rowKinds.swaps) {
    this.path = typeof from === 'string' ? from : from.name;
    this.options = options;
    this.kind = kind;
    this.fields = fieldsOfKind(kind, options.rowIds ?? false);
    this.partitions = typeof from === 'string' ? partitionsOf(from) : new Map();
  }

  readonly onProgress: OnProgress = (progress) => {
    this.at = progress;
    this.options.onProgress?.(progress);
  };

  async connection(): Promise<DuckDBConnection> {
    if (this.#connection === undefined) {
      this.#connection = await connect();
      for (const [name, value] of Object.entries(withSymbols(this.options)))
        await this.#connection.run(`set variable "${name.replaceAll('"', '""')}" = ${sqlText(value)}`);
    }
    return this.#connection;
  }

  close(): void {
    this.#connection?.closeSync();
  }

  /** Errors: `invalid-input` if nothing fits, and if a preset misses a constant. */
  choose(
    found: readonly string[],
    o: {
      readonly mayGrow?: ReadonlySet<string>;
      readonly records?: readonly unknown[];
      /** The values of a column in the first rows, for hints. */
      readonly valuesOf?: (column: string) => readonly unknown[];
    } = {},
  ): Reading {
    const { mayGrow, records, valuesOf } = o;
    const { map = {}, presets, set = {}, chain, valueArrivals } = this.options;
    const { fields, kind } = this;
    const all = [...found, ...[...this.partitions.keys()].filter((name) => !found.includes(name))];
    const reading = chooseReading(this.path, all, {
      ...resolvePresets(presets, kind.rows),
      ...{ map, fields, kind, chain, valueArrivals, mayGrow, records },
      fits: valuesOf && fitsOf(fields, (name) => (found.includes(name) ? valuesOf(name) : [this.partitions.get(name)])),
    });
    for (const { name, what, unless } of reading.sets)
      if (
        !(reading.isAwaiting && unless !== undefined) &&
        !Object.hasOwn(set, name) &&
        !(unless ?? []).some((column) => all.includes(reading.columns.get(column) ?? ''))
      )
        throw new SwapfoldError(
          'invalid-input',
          `${basename(this.path)}: the preset ${reading.name} needs the option set ${name}=VALUE: ${what}.`,
        );
    return reading;
  }

  async given(reading: Reading, input: string): Promise<Given> {
    const types = await columnsOf(await this.connection(), `with input as (${input}) ${reading.select}`);
    return this.typed(reading.select, types, reading.name === OWN);
  }

  typed(select: string, types: Given['types'], isOwn: boolean): Given {
    const { fields, kind, without, options } = this;
    return { fields, kind, without, select, types, isOwn, rowIds: options.rowIds ?? false };
  }

  /** Fields that are not taken. */
  get without(): ReadonlySet<string> {
    return this.options.balances === 'ignore' ? balanceFields : NONE;
  }

  info(reading: Reading, list = ''): FileInfo {
    const { name, addresses, shown, unused } = reading;
    return { preset: name, addresses, sql: shown, unused, ...(list === '' ? {} : { records: list }), ...this.at };
  }

  get batchRows(): number {
    return this.options.batchRows ?? 32_768;
  }

  damage(error: unknown): SwapfoldError {
    if (error instanceof SwapfoldError) return error;
    return new SwapfoldError('invalid-input', `${basename(this.path)}: ${firstLine((error as Error).message)}`, {
      cause: error,
    });
  }
}

/** The constants that are given, and the symbols of the tokens among them that the store knows. */
function withSymbols({ set = {}, symbols }: RowFileOptions): Readonly<Record<string, string>> {
  const known = ['quote', 'token'].flatMap((name) => {
    const symbol = symbols?.get(set[name]?.toLowerCase() ?? '');
    return symbol === undefined ? [] : [[`known_${name}_symbol`, symbol] as const];
  });
  return { ...Object.fromEntries(known), ...set };
}

/** How the pieces of a text file become `input`. */
export interface TextForm {
  readonly reading: Reading;
  /** Files of JSON with the same key become rows in the same way. */
  readonly key?: unknown;
  readonly list?: string;
  /** `undefined` if every record has to be looked at. */
  readonly input: (piece: Spooled) => string | undefined;
  readonly careful: (piece: Spooled) => Promise<Careful>;
  readonly carefulInput: (path: string) => string;
  readonly isJson: boolean;
}

/** The parts of a CSV or JSON file or stream, in its order. */
export async function* readTextParts(file: FileReading, from: string | StreamSource): AsyncGenerator<HeldPart> {
  const { format, chunks, close } = await openText(from, file.onProgress);
  try {
    yield* format === 'csv' ? readCsv(file, chunks) : readJson(file, chunks, format === 'ndjson');
  } finally {
    await close();
  }
}

async function* readCsv(file: FileReading, chunks: AsyncGenerator<Buffer>): AsyncGenerator<HeldPart> {
  const { header, delimiter, rest, firstRows } = await readHeader(file.path, chunks);
  const valuesOf = (column: string) => firstRows().map((row) => row[header.indexOf(column)]);
  const reading = file.choose(header, { valuesOf });
  const form = (hasLines: boolean): CsvForm => ({ header, delimiter, hasLines });
  const input = (path: string, hasLines: boolean): string =>
    csvInput([path], form(hasLines), reading.columns, file.partitions);
  const cutter = new CsvCutter(delimiter.charCodeAt(0), () => unclosed(file.path, file.rows + 1));
  const { isEager = false, wholeLines = false } = file.options;
  let isCutOff = false;
  const onCutOff = (): void => {
    isCutOff = true;
  };
  yield* readPieces(file, spool(rest, { cutter, bytes: PIECE, isEager, onCutOff: wholeLines ? onCutOff : undefined }), {
    reading,
    isJson: false,
    input: ({ path, isRegular, hasLines }) => (isRegular ? input(path, hasLines) : undefined),
    careful: ({ path }) => carefulCsv(path, header.length, delimiter),
    carefulInput: (path) => input(path, true),
  });
  if (isCutOff) yield rejectedPart(file, [{ row: ++file.rows, field: '', reason: CUT_OFF }], 1);
}

/** Why the last row of a file is rejected whose line has no end. */
export const CUT_OFF =
  'is the last one, and its line has no end: digits may be missing. Import the file when it is whole, or add a line end';

async function* readJson(
  file: FileReading,
  chunks: AsyncGenerator<Buffer>,
  isLines: boolean,
): AsyncGenerator<HeldPart> {
  const { isEager = false } = file.options;
  const { lists, lines, isAnswer } = await searchJson(file.path, chunks, { isLines, isEager });
  const [list, form] = jsonForm(file, lists, isAnswer);
  yield* readJsonLines(file, lines(list), form, isEager);
}

/** The rows of lines of JSON. */
export async function* readJsonLines(
  file: FileReading,
  lines: AsyncGenerator<Buffer>,
  form: TextForm | undefined,
  isEager: boolean,
): AsyncGenerator<HeldPart> {
  const pieces = spool(lines, { cutter: new LineCutter(file.path), bytes: PIECE, isEager });
  yield* form === undefined ? rejectPieces(file, pieces) : readPieces(file, pieces, form);
}

/** The list that holds the rows, and how they are read; without a form if no row of it is an object. */
export function jsonForm(
  file: FileReading,
  lists: readonly JsonList[],
  isAnswer: boolean,
): [JsonList, TextForm | undefined] {
  const { records } = file.options;
  const candidates = records === undefined ? lists : [listNamed(file.path, lists, records)];
  let failure: unknown;
  const table = candidates.find(({ path, items }) => path !== '' && items.length > 0 && items.every(Array.isArray));
  for (const list of candidates) {
    const { found, literal, empty } = jsonColumns(list.items);
    if (list !== table && found.length === 0 && list === candidates[0] && candidates.length === 1)
      return [list, undefined];
    try {
      return [list, formOf(file, file.choose(found, sampleOf(list, empty)), { list: list.path, literal })];
    } catch (error) {
      if (!isWithoutColumns(error)) throw error;
      failure ??= error;
    }
  }
  if (table !== undefined)
    throw withoutColumns(
      `${basename(file.path)} has its rows as lists of values, in "${table.path}", beside the names of their columns: write each row as an object, or the rows as CSV. With jq, of "columns" and "rows": jq '[.columns as $c | .rows[] | [$c, .] | transpose | map({(.[0]): .[1]}) | add]'.`,
    );
  // The last page of an answer in pages holds an empty list, and no row.
  if (
    isAnswer &&
    lists.length === 1 &&
    lists[0]!.path === '' &&
    lists[0]!.items.length === 1 &&
    hasEmptyList(lists[0]!.items[0])
  )
    return [{ path: NOWHERE, items: [], count: 0 }, undefined];
  throw failure;
}

/** The first records of a list, and the values of a column in them. */
function sampleOf({ items }: JsonList, mayGrow: ReadonlySet<string>): Parameters<FileReading['choose']>[1] {
  const records = items.filter(isRecord);
  return { mayGrow, records: items, valuesOf: (column) => records.map(columnReader(column)) };
}

/** The path of no list. */
const NOWHERE = '.';

/** No answer holds its list deeper. */
const DEEPEST = 20;

function hasEmptyList(value: unknown, depth = 0): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && depth < DEEPEST && Object.values(value).some((inner) => hasEmptyList(inner, depth + 1));
}

/** How lines of JSON are read. */
export function formOf(
  file: FileReading,
  reading: Reading,
  { list, literal }: { readonly list: string; readonly literal: ReadonlySet<string> },
): TextForm {
  const { columns, byField } = reading;
  const isInFile = (name: string): boolean => !file.partitions.has(name) || literal.has(name);
  const theirs = [...new Set([...columns.values()].filter((name) => name !== undefined && isInFile(name)))] as string[];
  const own = new Map<string, OwnColumn>();
  const add = (name: string, field: string) => own.set(name, { field, kind: file.fields[field]!.kind });
  for (const [field, name] of byField) add(name, field);
  if (reading.name === OWN) for (const name of theirs) if (!own.has(name)) add(name, name);
  const places = new Map(theirs.map((name, i) => [name, `c${i}`]));
  const renamed: InputColumns = new Map(
    [...columns].map(([name, column]) => [name, column === undefined ? undefined : (places.get(column) ?? column)]),
  );
  const isOwn = reading.name === OWN;
  const isByKey = (name = ''): boolean => (name.includes('.') || file.partitions.has(name)) && literal.has(name);
  const used = [...columns].map(([name, column]) => [name, column, isByKey(column)]);
  return {
    reading,
    key: [
      reading.name,
      isOwn ? [...own].sort() : reading.select,
      isOwn ? theirs.filter(isByKey) : used,
      [...file.partitions],
    ],
    list,
    isJson: isOwn,
    input: ({ path }) =>
      columns.has(PRESENT) ? undefined : jsonInput([path], columns, { partitions: file.partitions, literal }),
    careful: ({ path }) => carefulJson(path, theirs, own),
    carefulInput: (path) =>
      jsonInput([path], renamed, { partitions: file.partitions, literal: new Set(places.values()) })!,
  };
}

async function* readPieces(
  file: FileReading,
  pieces: AsyncGenerator<Spooled>,
  form: TextForm,
): AsyncGenerator<HeldPart> {
  let given: Given | undefined;
  for await (const piece of pieces) {
    const found = await convertPiece(file, form, piece, given);
    given = found.given;
    const info = file.info(form.reading, form.list);
    const part = partOf(found.converted, given, found.rows, { info, batchRows: file.batchRows });
    file.rows += part.rows;
    if (part.rows > 0) yield part;
    else await part.drop();
  }
}

/** Converts a piece of a text file, which is gone then. `known`: what the SELECT gives, if an earlier piece told. */
export async function convertPiece(
  file: FileReading,
  form: TextForm,
  piece: Spooled,
  known?: Given,
): Promise<{ readonly converted: Converted; readonly given: Given; readonly rows: PartRows }> {
  let given = known;
  const made = [piece.path];
  const convertAs = async (input: string, isJson: boolean): Promise<Converted> => {
    given ??= await file.given(form.reading, input);
    return convert(await file.connection(), input, given, isJson);
  };
  try {
    const input = form.input(piece);
    const converted = input === undefined ? undefined : await convertAs(input, form.isJson).catch(only);
    if (converted !== undefined && !(form.isJson && (converted.isDoubtful || converted.leftOut.length > 0)))
      return { converted, given: given!, rows: { file: file.path, numbers: file.rows } };
    if (converted !== undefined) made.push(converted.path);
    const careful = await form.careful(piece);
    made.push(careful.path);
    const rows = {
      file: file.path,
      numbers: careful.numbers.map((row) => row + file.rows),
      rejects: careful.rejects.map((reject) => ({ ...reject, row: reject.row + file.rows })),
    };
    const read = await convertAs(form.carefulInput(careful.path), false).catch((error: unknown) => {
      throw file.damage(error);
    });
    return { converted: read, given: given!, rows };
  } finally {
    for (const path of made) await rm(path, { force: true });
  }
}

/** What DuckDB cannot read is looked at record by record; what Swapfold refuses is refused. */
function only(error: unknown): undefined {
  if (error instanceof SwapfoldError) throw error;
}

/** Pieces of a file of which no line is an object. */
async function* rejectPieces(file: FileReading, pieces: AsyncGenerator<Spooled>): AsyncGenerator<HeldPart> {
  for await (const { path } of pieces) {
    const careful = await carefulJson(path, [], new Map());
    for (const made of [path, careful.path]) await rm(made, { force: true });
    const rejects: FileReject[] = careful.rejects.map((reject) => ({ ...reject, row: reject.row + file.rows }));
    file.rows += careful.rows;
    yield rejectedPart(file, rejects, careful.rows);
  }
}

/** A part of which no row is taken. */
function rejectedPart(file: FileReading, rejects: readonly FileReject[], rows: number): HeldPart {
  return {
    ...{ preset: OWN, sql: '', unused: [], ...file.at },
    ...{ rejects, passed: new Map(), isZoneless: false, unindexed: 0, rows },
    batches: async function* () {},
    drop: async () => undefined,
  };
}
