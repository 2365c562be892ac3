import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import type { FileReject } from './batches.ts';
import { openText, peekFile, type StreamSource } from './bytes.ts';
import { type Careful, carefulCsv, carefulJson } from './careful.ts';
import { checkSelect, columnsOf, firstLine, sqlName, sqlPath, sqlText } from './duck.ts';
import { listColumns } from './fields.ts';
import { formatOf } from './format.ts';
import { csvInput, jsonColumns, jsonInput, type Partitions } from './inputs.ts';
import type { SwapFileOptions } from './options.ts';
import { convert, partOf } from './parts.ts';
import { FileReading, type HeldPart, PIECE } from './read-parts.ts';
import { batchesOfParts, type SwapFileBatch } from './read-swap-file.ts';
import { type JsonList, listNamed, readHeader, searchJson, shownLists } from './records.ts';
import { type RowKind, rowKinds } from './row-kinds.ts';
import { CsvCutter, LineCutter, type Spooled, spool } from './spool.ts';

/** What `readSwapSql` and `readSqlParts` take beside a SELECT of one's own. */
export interface SqlOptions
  extends Pick<SwapFileOptions, 'batchRows' | 'records' | 'set' | 'onProgress' | 'rowIds' | 'balances'> {
  /** One SELECT, `from input`, which has the rows of all files, columns by name, or from anything that DuckDB reads. */
  readonly sql: string;
}

/** A list that has ten times as many items as any other holds the rows. */
const BY_FAR = 10;

/** Whether DuckDB has to fetch it. */
export const isRemote = (path: string): boolean => /^(https?|s3|gs|gcs|r2|hf):\/\//i.test(path);

/**
 * The rows that a SELECT of one's own gives, as one part. Columns of CSV and JSON are texts; those of Parquet have their types.
 *
 * - Errors: `invalid-input` for what is not one SELECT, for a column of no field, and with DuckDB's words where it fails.
 */
export async function* readSqlParts(
  inputs: readonly (string | StreamSource)[],
  options: SqlOptions,
  kind: RowKind = rowKinds.swaps,
): AsyncGenerator<HeldPart> {
  const name = inputs.length === 1 ? nameOf(inputs[0]!) : 'input';
  const file = new FileReading(name, options, kind);
  const made: string[] = [];
  try {
    const connection = await file.connection();
    const rejects: FileReject[] = [];
    const run = async (isCareful: boolean) => {
      const tables: string[] = [];
      rejects.length = 0;
      for (const from of inputs)
        tables.push(await tableOf(from, { file, made, rejects, isCareful, records: options.records }));
      await connection.run(`create or replace temp view input as ${tables.join(' union all by name ')}`);
      const columns = [...(await columnsOf(connection, 'select * from input')).keys()];
      await checkSelect(connection, options.sql, (error) => nameHint(error, columns));
      const select = `select * from (${options.sql.trim().replace(/;(\s*--.*)*\s*$/, '')}\n)`;
      const given = file.typed(select, await columnsOf(connection, select), false);
      return [given, await convert(connection, 'from input', given, false)] as const;
    };
    const isText = (error: Error): boolean =>
      !(error instanceof SwapfoldError) && /CSV|JSON|unicode|utf-?8/i.test(error.message);
    const [given, converted] = await run(false)
      .catch((error: Error) => {
        // What DuckDB cannot read is looked at record by record; a stream cannot be read twice.
        if (!isText(error) || inputs.some((from) => typeof from !== 'string')) throw error;
        return run(true);
      })
      .catch((error: Error) => {
        throw error instanceof SwapfoldError
          ? error
          : new SwapfoldError('invalid-input', `The option sql: ${firstLine(error.message)}`, { cause: error });
      });
    file.at = { bytesRead: 1, bytesTotal: 1 };
    const info = { preset: 'sql', sql: options.sql, unused: [], ...file.at };
    yield partOf(converted, given, { file: name, numbers: 0, rejects }, { info, batchRows: file.batchRows });
  } finally {
    file.close();
    for (const path of made) await rm(path, { force: true });
  }
}

/** The swaps that a SELECT of one's own gives, as column batches. Errors: those of DuckDB as `invalid-input`. */
export const readSwapSql = (
  inputs: readonly (string | StreamSource)[],
  options: SqlOptions,
): AsyncGenerator<SwapFileBatch> => batchesOfParts(readSqlParts(inputs, options));

/** What to write for a name that DuckDB has not found: one with a dot needs quotes, else it is a table and its column. */
function nameHint({ message }: Error, columns: readonly string[]): string {
  const [, what, name] = /Referenced (table|column) "([^"]*)" not found/.exec(message) ?? [];
  if (what === undefined || columns.length === 0) return '';
  const dotted = columns.find((column) => column.toLowerCase().startsWith(`${name!.toLowerCase()}.`));
  if (what === 'table' && dotted !== undefined)
    return ` A column with a dot in its name is written in quotes: ${sqlName(dotted)}. The file has: ${listColumns(columns)}.`;
  return what === 'column' ? ` The file has: ${listColumns(columns)}.` : '';
}

const nameOf = (from: string | StreamSource): string => (typeof from === 'string' ? from : from.name);

interface Tables {
  readonly file: FileReading;
  /** Files that are to be removed. */
  readonly made: string[];
  readonly rejects: FileReject[];
  readonly isCareful: boolean;
  readonly records?: string | undefined;
}

/** A SELECT of all columns of a file. */
async function tableOf(from: string | StreamSource, o: Tables): Promise<string> {
  if (typeof from === 'string' && isRemote(from)) return remoteTable(from);
  const one = new FileReading(from, {});
  const head = typeof from === 'string' ? formatOf(from, (await peekFile(from)).head) : undefined;
  if (head?.format === 'parquet')
    return withPartitions(`read_parquet(${sqlPath(one.path)}, hive_partitioning = false)`, one.partitions);
  if (head?.format === 'arrow')
    throw new SwapfoldError(
      'invalid-input',
      `${basename(one.path)} is an Arrow file, which the option sql cannot read: write it as Parquet.`,
    );
  const { format, chunks, close } = await openText(from, () => undefined);
  try {
    if (format === 'csv') return await csvTable(one, chunks, o);
    return await jsonTable(one, chunks, { ...o, isLines: format === 'ndjson' });
  } finally {
    await close();
  }
}

function withPartitions(from: string, partitions: Partitions): string {
  const constants = [...partitions].map(
    ([name, value]) => `, ${value === null ? 'null::varchar' : sqlText(value)} as ${sqlName(name)}`,
  );
  return `select *${constants.join('')} from ${from}`;
}

/** DuckDB fetches it, with its own extension, and says itself where it cannot. */
function remoteTable(url: string): string {
  if (/\.(parquet|pq)($|\?)/i.test(url)) return `select * from read_parquet(${sqlText(url)})`;
  if (/\.(nd)?jsonl?(\.gz|\.zst)?($|\?)/i.test(url)) return `select * from read_json(${sqlText(url)})`;
  return `select * from read_csv(${sqlText(url)}, all_varchar = true)`;
}

async function csvTable(one: FileReading, chunks: AsyncGenerator<Buffer>, o: Tables): Promise<string> {
  const { header: given, delimiter, rest } = await readHeader(one.path, chunks);
  // As DuckDB calls a column without a name.
  const header = given.map((name, i) => (name === '' ? `column${i}` : name));
  const cutter = new CsvCutter(
    delimiter.charCodeAt(0),
    () => new SwapfoldError('invalid-input', `${basename(one.path)}: a quote is never closed.`),
  );
  const pieces = await piecesOf(spool(rest, { cutter, bytes: PIECE, isEager: false }), o);
  const isCareful = o.isCareful || pieces.some(({ isRegular }) => !isRegular);
  const paths = isCareful
    ? await looked(pieces, one, o, ({ path }) => carefulCsv(path, header.length, delimiter))
    : pieces.map(({ path }) => path);
  const twice = header.find((name, i) => header.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < i);
  if (twice !== undefined)
    throw new SwapfoldError('invalid-input', `${basename(one.path)} has the column "${twice}" twice.`);
  const columns = new Map(header.map((name) => [name, name]));
  for (const name of one.partitions.keys()) columns.set(name, name);
  if (paths.length === 0) return `${withoutRows([...columns.keys()])}`;
  const hasLines = isCareful || pieces.some((piece) => piece.hasLines);
  return csvInput(paths, { header, delimiter, hasLines }, columns, one.partitions);
}

async function jsonTable(
  one: FileReading,
  chunks: AsyncGenerator<Buffer>,
  o: Tables & { readonly isLines: boolean },
): Promise<string> {
  const { lists, lines } = await searchJson(one.path, chunks, { isLines: o.isLines, isEager: false });
  const list = listOf(one.path, lists, o.records);
  const { found, literal } = jsonColumns(list.items);
  const pieces = await piecesOf(
    spool(lines(list), { cutter: new LineCutter(one.path), bytes: PIECE, isEager: false }),
    o,
  );
  const columns = new Map([...found, ...one.partitions.keys()].map((name) => [name, name]));
  const paths = pieces.map(({ path }) => path);
  const plain = o.isCareful ? undefined : jsonInput(paths, columns, { partitions: one.partitions, literal });
  if (plain !== undefined) return plain;
  const places = new Map(found.map((name, i) => [name, `c${i}`]));
  const careful = await looked(pieces, one, o, ({ path }) => carefulJson(path, found, new Map()));
  const renamed = new Map([...columns.keys()].map((name) => [name, places.get(name) ?? name]));
  return (
    jsonInput(careful, renamed, { partitions: one.partitions, literal: new Set(places.values()) }) ?? withoutRows(found)
  );
}

/** The list of a JSON file that holds the rows. Errors: `invalid-input` where several may. */
function listOf(path: string, lists: readonly JsonList[], records: string | undefined): JsonList {
  if (records !== undefined) return listNamed(path, lists, records);
  if (lists[0]!.path === '') return lists[0]!;
  const within = lists.filter((list) => list.path !== '').toSorted((a, b) => b.count - a.count);
  const [longest, next] = within;
  if (next === undefined || longest!.count >= BY_FAR * next.count) return longest!;
  throw new SwapfoldError(
    'invalid-input',
    `${basename(path)} has several lists: ${shownLists(lists)}. Say which holds the rows with the option records ${longest!.path}.`,
  );
}

async function piecesOf(pieces: AsyncGenerator<Spooled>, { made }: Tables): Promise<Spooled[]> {
  const all: Spooled[] = [];
  for await (const piece of pieces) {
    all.push(piece);
    made.push(piece.path);
  }
  return all;
}

/** Looks at each record of the pieces, and gives the files of those that could be read. */
async function looked(
  pieces: readonly Spooled[],
  { path: file }: FileReading,
  { made, rejects }: Tables,
  look: (piece: Spooled) => Promise<Careful>,
): Promise<string[]> {
  const paths: string[] = [];
  let before = 0;
  for (const piece of pieces) {
    const careful = await look(piece);
    made.push(careful.path);
    paths.push(careful.path);
    for (const reject of careful.rejects) rejects.push({ ...reject, row: before + reject.row, file });
    before += careful.rows;
  }
  return paths;
}

function withoutRows(names: readonly string[]): string {
  return `select ${names.map((name) => `null::varchar as ${sqlName(name)}`).join(', ')} where false`;
}
