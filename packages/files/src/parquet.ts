import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { SwapfoldError } from '@swapfold/core';
import type { FileReject } from './batches.ts';
import { peekFile } from './bytes.ts';
import type { Reading } from './choose.ts';
import { columnsOf, firstLine, rowsOf, sqlName, sqlPath } from './duck.ts';
import { isNumber } from './fields.ts';
import { type InputColumns, parquetInput, parquetTexts } from './inputs.ts';
import { convert, partOf } from './parts.ts';
import { OWN } from './presets.ts';
import type { FileReading, HeldPart } from './read-parts.ts';
import type { Given } from './typed.ts';

/** Rows that are converted at once. */
const ROWS = 250_000;

const NUMBER = /^(U?(TINY|SMALL|BIG)?INT(EGER)?|DOUBLE|FLOAT)$/;

/**
 * The parts of a Parquet file, in its order. Of a file whose columns have the types of their fields, the first part is the whole file, for an
 * engine that reads it by itself.
 *
 * - Errors: `invalid-input` for a damaged file, naming the row group.
 */
export async function* readParquetParts(file: FileReading): AsyncGenerator<HeldPart> {
  const { path } = file;
  const { size } = await peekFile(path);
  file.onProgress({ bytesRead: 0, bytesTotal: size });
  const connection = await file.connection();
  const read = `read_parquet(${sqlPath(path)}, hive_partitioning = false)`;
  const [types, groups] = await Promise.resolve()
    .then(async () => {
      const types = await columnsOf(connection, `select * from ${read}`);
      const groups = await rowsOf(
        connection,
        `select distinct row_group_id::integer, row_group_num_rows::bigint::double from parquet_metadata(${sqlPath(path)}) order by 1`,
      );
      return [types, groups.map(([, rows]) => Number(rows))] as const;
    })
    .catch((cause: Error) => {
      const message = `${basename(path)} is not a whole Parquet file: ${firstLine(cause.message)}`;
      throw new SwapfoldError('invalid-input', message, { cause });
    });
  const texts = parquetTexts(types);
  const reading = file.choose([...texts.keys()]);
  const rows = groups.reduce((sum, count) => sum + count, 0);
  const none = parquetInput([path], texts, reading.columns, { partitions: file.partitions, range: { from: 0, to: 0 } });
  const given = await file.given(reading, none).catch((error: unknown) => {
    throw file.damage(error);
  });
  const isWhole = rows > 0 && isPlain(reading, given, types) && !(await lacksIndex(connection, reading, read));
  if (isWhole) yield wholeFile({ file, reading, given, texts, groups }, rows);
  const step = Math.max(1, Math.round(ROWS / file.batchRows)) * file.batchRows;
  const source: Source = { file, reading, given, texts, groups };
  for (let from = 0; from < rows; from += step) {
    const to = Math.min(from + step, rows);
    file.onProgress({ bytesRead: Math.floor((size * to) / rows), bytesTotal: size });
    yield* rangeOf(source, from, to);
  }
}

/** Whether each column has the type of its field, so that an engine may read the file by itself. */
function isPlain(reading: Reading, { types, rowIds, fields }: Given, own: ReadonlyMap<string, string>): boolean {
  if (reading.name !== OWN || rowIds) return false;
  return [...types].every(([field, type]) => {
    if (!own.has(reading.byField.get(field)!)) return false;
    return isNumber(fields[field]!.kind) ? NUMBER.test(type) : type === 'VARCHAR';
  });
}

/** Whether a row has no index of its own. */
async function lacksIndex(connection: DuckDBConnection, { byField }: Reading, read: string): Promise<boolean> {
  const column = byField.get('swap_index');
  if (column === undefined) return true;
  const [[lacks]] = (await rowsOf(connection, `select exists (from ${read} where ${sqlName(column)} is null)`)) as [
    [boolean],
  ];
  return lacks;
}

/** Rows that tell whether a file is worth a store. */
const FIRST_ROWS = 1000;

function wholeFile(source: Source, rows: number): HeldPart {
  const { file, reading } = source;
  const columns = Object.fromEntries([...reading.byField].filter(([field]) => !file.without.has(field)));
  const plain = { parquet: file.path, rows, columns, file: file.path, numbers: 1 };
  return {
    ...file.info(reading),
    ...{ rejects: [], passed: new Map(), isZoneless: false, unindexed: 0, rows: 0 },
    file: plain,
    batches: async function* () {
      for await (const part of rangeOf(source, 0, Math.min(rows, FIRST_ROWS))) yield* part.batches();
    },
    drop: async () => undefined,
  };
}

interface Source {
  readonly file: FileReading;
  readonly reading: Reading;
  readonly given: Given;
  readonly texts: ReadonlyMap<string, string>;
  readonly groups: readonly number[];
}

async function* rangeOf(source: Source, from: number, to: number): AsyncGenerator<HeldPart> {
  const { file, reading, given, texts } = source;
  const columns: InputColumns = reading.columns;
  const input = parquetInput([file.path], texts, columns, { partitions: file.partitions, range: { from, to } });
  const converted = await convert(await file.connection(), input, given, false).catch((error: Error) => error);
  const info = { info: file.info(reading), batchRows: file.batchRows };
  if (!(converted instanceof Error)) {
    if (converted.rows !== to - from)
      throw damaged(source, from, new Error(`it has ${converted.rows} of ${to - from} rows`));
    yield partOf(converted, given, { file: file.path, numbers: from }, info);
  } else if (converted instanceof SwapfoldError) throw converted;
  else if (to - from === 1 && isOfText(converted)) {
    const reject: FileReject = { row: from + 1, field: '', reason: 'is not UTF-8' };
    yield {
      ...info.info,
      ...{ rejects: [reject], passed: new Map(), isZoneless: false, unindexed: 0, rows: 1 },
      batches: async function* () {},
      drop: async () => undefined,
    };
  } else if (to - from > 1) {
    // What is damaged is named by its row group; a text that is none, by its row.
    const edges = isOfText(converted)
      ? [Math.floor((from + to) / 2)]
      : edgesOf(source.groups).filter((edge) => edge > from && edge < to);
    if (edges.length === 0) throw damaged(source, from, converted);
    for (const [i, start] of [from, ...edges].entries()) yield* rangeOf(source, start, edges[i] ?? to);
  } else throw damaged(source, from, converted);
}

function isOfText(error: Error): boolean {
  return /Invalid string encoding|not valid UTF8|Invalid unicode/i.test(error.message);
}

function edgesOf(groups: readonly number[]): number[] {
  let edge = 0;
  return groups.map((rows) => {
    edge += rows;
    return edge;
  });
}

function damaged({ file, groups }: Source, row: number, cause: Error): SwapfoldError {
  const edges = edgesOf(groups);
  const at = Math.max(
    0,
    edges.findIndex((edge) => edge > row),
  );
  const place = `row group ${at + 1} of ${groups.length} (rows ${edges[at]! - groups[at]! + 1} to ${edges[at]})`;
  return new SwapfoldError(
    'invalid-input',
    `${basename(file.path)}: ${place} is damaged: ${firstLine(cause.message)}`,
    { cause },
  );
}
