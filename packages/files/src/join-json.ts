import { writeFile } from 'node:fs/promises';
import { scratchFile } from './duck.ts';
import { joinedPart, SMALL, type SmallFile } from './joined-part.ts';
import { convertPiece, type FileReading, type HeldPart, jsonForm, type TextForm } from './read-parts.ts';
import { linesOf } from './record-paths.ts';
import { searchJson } from './records.ts';

/** A small JSON file whose records have been looked at: an object a line, or a document. */
export interface SmallJson extends SmallFile {
  readonly format: 'json';
  readonly textForm: TextForm;
  /** Its records, one a line. */
  readonly lines: readonly Buffer[];
}

/** Errors: those of the file. `undefined` for one that is not small, or whose first records do not tell how it is read. */
export async function smallJson(
  file: FileReading,
  chunks: AsyncGenerator<Buffer>,
  isLines: boolean,
): Promise<SmallJson | undefined> {
  const { lists, lines, isAnswer } = await searchJson(file.path, upTo(SMALL, chunks), { isLines, isEager: false });
  const [list, textForm] = jsonForm(file, lists, isAnswer);
  if (textForm === undefined || textForm.reading.isAwaiting === true) return undefined;
  const parts: Buffer[] = [];
  for await (const part of lines(list)) parts.push(part);
  const all = Buffer.concat(parts);
  const records = [...linesOf(all)];
  const { sql, unused } = file.info(textForm.reading);
  return {
    ...{ format: 'json', path: file.path, bytes: all.length, rows: records.length, info: { sql, unused } },
    ...{ form: JSON.stringify(['json', list.path, textForm.key]), textForm, lines: records },
  };
}

/** Errors: one if more bytes come. */
async function* upTo(most: number, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > most) throw new Error(`It has more than ${most} bytes.`);
    yield chunk;
  }
}

/** Errors: those of DuckDB. */
export async function joinJson(file: FileReading, files: readonly SmallJson[]): Promise<HeldPart> {
  const path = scratchFile('txt');
  const lines = files.flatMap((one) => one.lines.flatMap((line) => [line, LINE_END]));
  await writeFile(path, Buffer.concat(lines));
  const { textForm } = files[0]!;
  const { converted, given, rows } = await convertPiece(file, textForm, { path, isRegular: true, hasLines: false });
  return joinedPart(file, files, { converted, given, rows, info: file.info(textForm.reading, textForm.list) });
}

const LINE_END = Buffer.from('\n');
