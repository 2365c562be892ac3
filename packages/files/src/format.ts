import { basename } from 'node:path';
import { SwapfoldError } from '@swapfold/core';
import { withoutColumns } from './fields.ts';

/** `ndjson` has a value a line; `json` may have, or be a document. */
export type FileFormat = 'csv' | 'ndjson' | 'json' | 'parquet' | 'arrow';

/** Formats by the end of a file's name. */
const extensions: ReadonlyMap<string, FileFormat> = new Map([
  ['csv', 'csv'],
  ['tsv', 'csv'],
  ['ndjson', 'ndjson'],
  ['jsonl', 'ndjson'],
  ['json', 'json'],
  ['parquet', 'parquet'],
  ['pq', 'parquet'],
  ['arrow', 'arrow'],
  ['arrows', 'arrow'],
  ['feather', 'arrow'],
]);

/** How files begin that are read from their end, which no stream and no gzip file can be. */
const binary = [
  { format: 'parquet', name: 'Parquet', start: 'PAR1' },
  { format: 'arrow', name: 'Arrow', start: 'ARROW1' },
] as const;

/** What a stored stream of Arrow begins with. */
const ARROW_STREAM = Buffer.from([0xff, 0xff, 0xff, 0xff]);

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Whether the end of a file's name tells that it can be read. */
export function hasKnownExtension(path: string): boolean {
  return extensions.has(extensionOf(path));
}

function extensionOf(path: string): string {
  return basename(path)
    .toLowerCase()
    .replace(/\.(gz|zst|zstd)$/, '')
    .split('.')
    .at(-1)!;
}

/** How a file is packed, if it is. */
export type Packing = 'gzip' | 'zstd' | undefined;

/** What a file's name and first bytes tell. `format` is undefined where it takes the unpacked content to tell. */
export function formatOf(path: string, head: Buffer): { format: FileFormat | undefined; packing: Packing } {
  const name = basename(path).toLowerCase();
  const packing = packingOf(head);
  const format = extensions.get(extensionOf(path));
  if (head.length === 0) throw withoutColumns(`${basename(path)} is empty.`);
  for (const [end, what] of [
    ['.gz', 'gzip'],
    ['.zst', 'zstd'],
  ] as const)
    if (name.endsWith(end) && packing !== what)
      throw new SwapfoldError(
        'invalid-input',
        `${basename(path)} is not a ${what} file: its first bytes are not those of one.`,
      );
  const named = binary.find((one) => one.format === format);
  if (packing !== undefined) return { format: named === undefined ? format : undefined, packing };
  refuseForeign(path, head);
  const found = binaryOf(head);
  if (found !== undefined) return { format: found.format, packing };
  if (format === 'arrow' && head.subarray(0, 4).equals(ARROW_STREAM)) return { format, packing };
  if (named !== undefined)
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)} is not ${named.name === 'Arrow' ? 'an' : 'a'} ${named.name} file: it does not begin with ${named.start}.`,
    );
  return { format: format ?? formatOfContent(path, head), packing };
}

function packingOf(head: Buffer): Packing {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return head.subarray(0, 4).equals(ZSTD) || isSkippable(head) ? 'zstd' : undefined;
}

/** A frame of zstd that holds nothing, as `pzstd` writes one before each frame. */
function isSkippable(head: Buffer): boolean {
  return head.length >= 4 && (head.readUInt32LE() & 0xfffffff0) === 0x184d2a50;
}

/** CSV or JSON, by the first character. */
export function formatOfContent(path: string, head: Buffer): 'csv' | 'json' {
  const found = binaryOf(head);
  if (found !== undefined)
    throw new SwapfoldError(
      'invalid-input',
      `${basename(path)} is a packed file around ${found.name === 'Arrow' ? 'an' : 'a'} ${found.name} file: unpack it first.`,
    );
  refuseForeign(path, head);
  const first = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  return first.startsWith('{') || first.startsWith('[') ? 'json' : 'csv';
}

function binaryOf(head: Buffer): (typeof binary)[number] | undefined {
  return binary.find(({ start }) => head.subarray(0, start.length).equals(Buffer.from(start)));
}

function refuseForeign(path: string, head: Buffer): void {
  const starts: readonly (readonly [bytes: readonly number[], what: string])[] = [
    [[0xff, 0xfe], 'UTF-16 text: save it as UTF-8'],
    [[0xfe, 0xff], 'UTF-16 text: save it as UTF-8'],
    [[0x50, 0x4b, 0x03, 0x04], 'a zip file: unpack it, or pack it with gzip'],
    [[0x42, 0x5a, 0x68], 'packed with bzip2: unpack it, or pack it with gzip'],
  ];
  for (const [bytes, what] of starts) {
    if (bytes.every((byte, i) => head[i] === byte))
      throw new SwapfoldError('invalid-input', `${basename(path)} is ${what}.`);
  }
}
