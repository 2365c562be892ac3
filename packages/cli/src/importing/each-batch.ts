import type { SwapfoldError } from '@swapfold/core';
import { isWithoutColumns } from '@swapfold/files';
import type { Input } from './inputs.ts';

/** A batch of one of several files. */
export interface FileItem<B> {
  readonly file: string;
  readonly batch: B;
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

/** A file of a folder or of a pattern that does not have the columns, and what is missing. */
export interface PassedFile {
  readonly file: string;
  readonly error: SwapfoldError;
}

/**
 * The batches of the files, one file after the other.
 *
 * - `onPassed` is called with a file that no argument names and that does not have the columns: the others go on.
 * - Errors: `FileFailure`, with what was thrown as its cause, also if every file was passed over.
 */
export async function* eachBatch<B>(
  inputs: readonly Input[],
  read: (file: string) => AsyncIterable<B>,
  onPassed: (passed: PassedFile) => void,
): AsyncGenerator<FileItem<B>> {
  let first: PassedFile | undefined;
  let hasRead = false;
  for (const { file, isNamed } of inputs) {
    try {
      for await (const batch of read(file)) yield { file, batch };
      hasRead = true;
    } catch (error) {
      if (isNamed || !isWithoutColumns(error)) throw new FileFailure(file, error);
      first ??= { file, error };
      onPassed({ file, error });
    }
  }
  if (first !== undefined && !hasRead) throw new FileFailure(first.file, first.error);
}
