import { SwapfoldError } from '@swapfold/core';
import { readLines } from '@swapfold/files';

/**
 * The answers of a node that a file holds, one a line of JSON; also packed as gzip or zstd.
 *
 * - Errors: `invalid-input` for a file that cannot be read, or a line that is no JSON.
 */
export async function* readAnswers(path: string): AsyncGenerator<unknown> {
  let line = 0;
  for await (const bytes of readLines(path)) {
    line++;
    const text = bytes.toString();
    if (text.trim() !== '') yield parsed(text, path, line);
  }
}

function parsed(text: string, path: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SwapfoldError(
      'invalid-input',
      `${path}, line ${line}: no JSON: ${reason}. Give one answer of a node a line.`,
      { cause },
    );
  }
}
