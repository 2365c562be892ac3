import type { FileBatch } from './file-batch.ts';

/** A batch of one of several files. */
export interface FileItem {
  readonly file: string;
  readonly batch: FileBatch;
}

/** A file that could not be read to its end. */
export class FileFailure extends Error {
  constructor(
    readonly file: string,
    override readonly cause: unknown,
  ) {
    super(file);
  }
}

/** The batches of the files, one file after the other. Errors: `FileFailure`, with what was thrown as its cause. */
export async function* eachBatch(
  files: readonly string[],
  read: (file: string) => AsyncIterable<FileBatch>,
): AsyncGenerator<FileItem> {
  for (const file of files) {
    try {
      for await (const batch of read(file)) yield { file, batch };
    } catch (cause) {
      throw new FileFailure(file, cause);
    }
  }
}
