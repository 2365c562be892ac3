import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { glob, isDynamicPattern } from 'tinyglobby';
import { peekFile, type StreamSource } from '../bytes.ts';
import { hasKnownExtension } from '../format.ts';
import { isRemote } from '../read-sql.ts';

/** Stands for standard input among files. */
export const STDIN = '-';

/** A file to be read, or a stream. */
export interface Input {
  /** What rejects name: the path, `-`, or the name of a stream. */
  readonly file: string;
  readonly from: string | StreamSource;
  /** Whether an argument is its name: otherwise a folder or a pattern has it. */
  readonly isNamed: boolean;
}

/** Files of a folder that are not read, because their names say that they are none of swaps. */
export interface Unread {
  readonly folder: string;
  readonly files: readonly string[];
}

/**
 * The files that arguments stand for: a file, the files of a folder and its folders that can be read, those that a pattern matches, or `-`.
 * What comes from a folder or a pattern is sorted.
 *
 * - Errors: `invalid-input` for a folder or a pattern without a file, for a file that is not there, and for a second `-`.
 */
export async function expandInputs(
  given: readonly (string | StreamSource)[],
  onUnread: (unread: Unread) => void,
): Promise<Input[]> {
  if (given.filter((one) => one === STDIN).length > 1)
    throw new SwapfoldError('invalid-input', 'Standard input (-) can be read once.');
  const files = (await Promise.all(given.map((one) => filesOf(one, onUnread)))).flat();
  // A mistyped name should not come to light hours later.
  for (const { from } of files) if (typeof from === 'string' && !isRemote(from)) await peekFile(from);
  return files;
}

async function filesOf(given: string | StreamSource, onUnread: (unread: Unread) => void): Promise<Input[]> {
  if (typeof given !== 'string') return [{ file: given.name, from: given, isNamed: true }];
  if (given === STDIN) return [{ file: STDIN, from: { name: inputName(STDIN), chunks: process.stdin }, isNamed: true }];
  const named = { file: given, from: given, isNamed: true };
  if (isRemote(given)) return [named];
  const found = await stat(given).catch(() => undefined);
  if (found?.isDirectory()) {
    const inside = await glob('**/*', { cwd: given, expandDirectories: false });
    const files = inside.filter(hasKnownExtension).map((name) => join(given, name));
    const others = inside.filter((name) => !hasKnownExtension(name)).toSorted();
    if (files.length > 0 && others.length > 0) onUnread({ folder: given, files: others });
    if (files.length > 0) return unnamed(files);
    throw new SwapfoldError(
      'invalid-input',
      `${given} has no file that can be read: none ends in .csv, .tsv, .json, .ndjson, .jsonl (all also .gz and .zst), .parquet, .pq, .arrow, .arrows or .feather.`,
    );
  }
  // Any other name that is not there is told when it is opened.
  if (found !== undefined || !isDynamicPattern(given)) return [named];
  const files = await glob(given.replaceAll('\\', '/'), { expandDirectories: false, absolute: isAbsolute(given) });
  if (files.length === 0) throw new SwapfoldError('invalid-input', `No file matches ${given}.`);
  return unnamed(files);
}

const unnamed = (files: readonly string[]): Input[] =>
  files.toSorted().map((file) => ({ file, from: file, isNamed: false }));

/** What messages call a file. */
export function inputName(file: string): string {
  return file === STDIN ? 'standard input' : basename(file);
}
