import type { FileInfo } from './batches.ts';
import { type Converted, type PartRows, partOf } from './parts.ts';
import type { FileReading, HeldPart, JoinedFile } from './read-parts.ts';
import type { Given } from './typed.ts';

/** Unpacked bytes of a file that may be read with others. Reading a larger one takes longer than planning a statement for it. */
export const SMALL = 1 << 20;

/** What is known of a small file before it is read with others. */
export interface SmallFile {
  readonly path: string;
  /** Files of one form can be read as one. */
  readonly form: string;
  readonly bytes: number;
  /** With those at fault. */
  readonly rows: number;
  /** How it is read, as people are told, if that is not the same of all files. */
  readonly info?: Pick<FileInfo, 'sql' | 'unused'>;
}

/** The converted rows of several files as a part. `rows.numbers` and `rows.rejects` count the rows of all files as if they were one. */
export async function joinedPart(
  file: FileReading,
  files: readonly SmallFile[],
  o: { readonly converted: Converted; readonly given: Given; readonly rows: PartRows; readonly info: FileInfo },
): Promise<HeldPart> {
  const { converted, given, rows, info } = o;
  const part = partOf(converted, given, rows, { info, batchRows: file.batchRows });
  const zoneless = converted.firstZoneless;
  const { numbers } = rows;
  const zonelessRow = zoneless === null ? 0 : typeof numbers === 'number' ? numbers + zoneless + 1 : numbers[zoneless]!;
  let before = 0;
  const joined = files.map(({ path, rows: own, info: of }): JoinedFile => {
    const isZoneless = zonelessRow > before && zonelessRow <= before + own;
    const place = { file: path, before, rows: own, isZoneless, ...(of && { info: of }) };
    before += own;
    return place;
  });
  if (before === part.rows) return { ...part, joined };
  await part.drop();
  throw new Error(`${part.rows} rows came of files with ${before}`);
}
