import { openText, peekFile } from './bytes.ts';
import { formatOf } from './format.ts';
import { joinCsv, type SmallCsv, smallCsv } from './join-csv.ts';
import { joinJson, type SmallJson, smallJson } from './join-json.ts';
import { joinParquet, type SmallParquet, smallParquet } from './join-parquet.ts';
import { SMALL } from './joined-part.ts';
import type { RowFileOptions } from './options.ts';
import { FileReading, type HeldPart } from './read-parts.ts';
import type { RowKind } from './row-kinds.ts';

/** Files and unpacked bytes that are read at once. */
const [MOST_FILES, MOST_BYTES] = [256, 16 << 20];

/** A small file that has been looked at. */
type Small = SmallCsv | SmallJson | SmallParquet;

/**
 * The first of some files as one part of at most `batchRows` rows, if they are small files of one form: a statement for all of them in place
 * of one for each.
 *
 * - Formats: CSV of one header; JSON whose records become rows in the same way; Parquet of one schema.
 * - `undefined` unless two or more can be read so. Nothing fails while files are looked at: what is wrong with one comes to light where it is
 *   read by itself.
 * - Errors: those of DuckDB, if it cannot read the files together.
 */
export async function joinSmall(
  paths: Iterable<string>,
  options: RowFileOptions,
  kind: RowKind,
): Promise<HeldPart | undefined> {
  const files: Small[] = [];
  let [bytes, rows] = [0, 0];
  for (const path of paths) {
    const file = new FileReading(path, options, kind);
    const found = await look(file, files.length === 0).catch(() => undefined);
    file.close();
    if (found === undefined || found.form !== (files[0] ?? found).form) break;
    rows += found.rows;
    // One part is one transaction.
    if (rows > (options.batchRows ?? Number.POSITIVE_INFINITY)) break;
    files.push(found);
    bytes += found.bytes;
    if (files.length === MOST_FILES || bytes >= MOST_BYTES) break;
  }
  const [first] = files;
  if (first === undefined || files.length < 2) return undefined;
  const file = new FileReading(first.path, options, kind);
  file.at = { bytesRead: 1, bytesTotal: 1 };
  try {
    switch (first.format) {
      case 'csv':
        return await joinCsv(file, files as readonly SmallCsv[]);
      case 'json':
        return await joinJson(file, files as readonly SmallJson[]);
      case 'parquet':
        return await joinParquet(file, files as readonly SmallParquet[]);
    }
  } finally {
    file.close();
  }
}

/** Errors: those of the file. `undefined` for one that is not small, or is read by itself for another reason. */
async function look(file: FileReading, isFirst: boolean): Promise<Small | undefined> {
  const { path } = file;
  const { size, head } = await peekFile(path);
  const told = size > SMALL ? undefined : formatOf(path, head).format;
  if (told === undefined || told === 'arrow') return undefined;
  if (told === 'parquet') return smallParquet(file, size);
  const { format, chunks, close } = await openText(path, () => undefined);
  try {
    return await (format === 'csv' ? smallCsv(file, chunks, isFirst) : smallJson(file, chunks, format === 'ndjson'));
  } finally {
    await close();
  }
}
