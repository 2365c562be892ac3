import { stat } from 'node:fs/promises';
import { basename, isAbsolute, join } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { hasKnownExtension, isRemote, peekFile, type StreamSource } from '@swapfold/files';
import { glob, isDynamicPattern } from 'tinyglobby';
import { note } from '../output.ts';

/** Stands for standard input among files. */
export const STDIN = '-';

/** A file to be read, or `-`. */
export interface Input {
  readonly file: string;
  /** Whether an argument is its name: otherwise a folder or a pattern has it. */
  readonly isNamed: boolean;
}

/**
 * The files that arguments stand for: a file, the files of a folder and its folders that can be read, those that a pattern matches, or `-`.
 * What comes from a folder or a pattern is sorted.
 *
 * - Errors: `invalid-input` for a folder or a pattern without a file, for a file that is not there, and for a second `-`.
 */
export async function expandInputs(given: readonly string[]): Promise<Input[]> {
  if (given.filter((one) => one === STDIN).length > 1)
    throw new SwapfoldError('invalid-input', 'Standard input (-) can be read once.');
  const files = (await Promise.all(given.map(filesOf))).flat();
  // A mistyped name should not come to light hours later.
  for (const { file } of files) if (file !== STDIN && !isRemote(file)) await peekFile(file);
  return files;
}

async function filesOf(given: string): Promise<Input[]> {
  if (given === STDIN || isRemote(given)) return [{ file: given, isNamed: true }];
  const found = await stat(given).catch(() => undefined);
  if (found?.isDirectory()) {
    const inside = await glob('**/*', { cwd: given, expandDirectories: false });
    const files = inside.filter(hasKnownExtension).map((name) => join(given, name));
    const others = inside.filter((name) => !hasKnownExtension(name)).toSorted();
    if (files.length > 0 && others.length > 0) note(passedLine(given, others));
    if (files.length > 0) return unnamed(files);
    throw new SwapfoldError(
      'invalid-input',
      `${given} has no file that can be read: none ends in .csv, .tsv, .json, .ndjson, .jsonl (all also .gz and .zst), .parquet, .pq, .arrow, .arrows or .feather.`,
    );
  }
  // Any other name that is not there is told when it is opened.
  if (found !== undefined || !isDynamicPattern(given)) return [{ file: given, isNamed: true }];
  const files = await glob(given.replaceAll('\\', '/'), { expandDirectories: false, absolute: isAbsolute(given) });
  if (files.length === 0) throw new SwapfoldError('invalid-input', `No file matches ${given}.`);
  return unnamed(files);
}

function passedLine(folder: string, files: readonly string[]): string {
  const shown = files.slice(0, 10).join(', ');
  const rest = files.length > 10 ? ` and ${files.length - 10} more` : '';
  return `${folder}: passed over, by their names no files that can be read: ${shown}${rest}. Name them to have them read by their content.`;
}

const unnamed = (files: readonly string[]): Input[] => files.toSorted().map((file) => ({ file, isNamed: false }));

/** A file, or standard input, to be read. */
export function sourceOf(file: string): string | StreamSource {
  return file === STDIN ? { name: inputName(file), chunks: process.stdin } : file;
}

/** What messages call a file. */
export function inputName(file: string): string {
  return file === STDIN ? 'standard input' : basename(file);
}
