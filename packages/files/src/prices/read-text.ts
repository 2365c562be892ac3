import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { SwapfoldError } from '@swapfold/core';
import { readFailure, type StreamSource } from '../bytes.ts';
import { NO_TEXT } from './shapes.ts';

const unzip = promisify(gunzip);

/** A string cannot hold much more. Five years of minutes are half of it. */
const MOST_BYTES = 500_000_000;

/** How files begin that are no text. */
const foreign: readonly (readonly [start: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a zip file: unpack it, or pipe it in (unzip -p FILE.zip | swapfold import prices -)'],
  [[0x50, 0x41, 0x52, 0x31], 'a Parquet file: prices are read from CSV and JSON'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'packed with zstd: unpack it, or pack it with gzip'],
  [[0xff, 0xfe], 'UTF-16 text: save it as UTF-8'],
  [[0xfe, 0xff], 'UTF-16 text: save it as UTF-8'],
];

/**
 * The text of a file or of a stream, unpacked if it is gzip.
 *
 * - Errors: `invalid-input` if it cannot be read, is damaged, is too large, or is no text.
 */
export async function readText(from: string | StreamSource): Promise<string> {
  const name = nameOf(from);
  const refuse = (why: string, cause?: unknown): never => {
    throw new SwapfoldError('invalid-input', `${name} ${why}.`, { cause });
  };
  const noText = (what: string): never => {
    const message = `${name} is ${what}.`;
    throw new SwapfoldError('invalid-input', message, { details: [{ path: NO_TEXT, message }] });
  };
  const tooLarge = (): never => refuse(`has more than ${MOST_BYTES / 1e6} MB: import it in parts`);
  let bytes: Buffer =
    typeof from === 'string'
      ? await readFile(from).catch((error: unknown) => {
          throw readFailure(from, error);
        })
      : await buffer(from.chunks);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    bytes = await unzip(bytes, { maxOutputLength: MOST_BYTES }).catch((cause: NodeJS.ErrnoException) =>
      cause.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : refuse(`is a damaged gzip file (${cause.message})`, cause),
    );
  if (bytes.length > MOST_BYTES) tooLarge();
  for (const [start, what] of foreign) if (start.every((byte, i) => bytes[i] === byte)) noText(what);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return text.trim() === '' ? noText('empty') : text;
}

/** What messages call a file. */
export function nameOf(from: string | StreamSource): string {
  return typeof from === 'string' ? basename(from) : from.name;
}
