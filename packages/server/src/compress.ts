import { promisify } from 'node:util';
import { type BrotliOptions, brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { type Encoding, readAcceptEncoding } from './accept-encoding.ts';
import type { Exchange } from './exchange.ts';

/** Shorter answers, in bytes, are sent as they are: a packet holds them either way. */
const LEAST = 1024;
/** Shorter answers, in bytes, are compressed at once: it takes less than a thread of its own does, some 0.05 ms. */
const SHORT = 8192;
/** Output of one step on another thread. */
const CHUNK = 65_536;

type Effort = 'fast' | 'small';
/** Of gzip and brotli. */
const levels = { fast: { gzip: 4, br: 1 }, small: { gzip: 9, br: 9 } } as const satisfies Record<
  Effort,
  Record<Encoding, number>
>;

/** What is sent of an answer: its text, or that compressed. */
export type Body = string | Compressed;

export interface Compressed {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
}

/** A text that is sent again and again: it is compressed once in each way. */
export class LastingText {
  readonly text: string;
  readonly #effort: Effort;
  readonly #compressed = new Map<Encoding, Promise<Compressed>>();

  /** `small` takes some 20 times the work, for what is sent over and over. */
  constructor(text: string, effort: Effort = 'fast') {
    this.#effort = effort;
    this.text = text;
  }

  compressed(encoding: Encoding): Promise<Compressed> {
    let bytes = this.#compressed.get(encoding);
    if (bytes === undefined) {
      bytes = Promise.resolve(compress(this.text, encoding, this.#effort));
      this.#compressed.set(encoding, bytes);
      // The next caller tries again.
      bytes.catch(() => this.#compressed.delete(encoding));
    }
    return bytes;
  }
}

/** The body of an answer, compressed if the caller accepts that and the answer has 1 KB or more. Says in the headers what it depends on. */
export function pack(exchange: Exchange, answer: string | LastingText): Body | Promise<Body> {
  const { headers, isCompressing, request } = exchange;
  const text = typeof answer === 'string' ? answer : answer.text;
  if (!isCompressing || !exchange.isWanted) return text;
  const header = request.headers['accept-encoding'];
  if (isShort(text) && !mayRefuseIdentity(header)) return text;
  headers.Vary = headers.Vary === undefined ? 'Accept-Encoding' : `${headers.Vary}, Accept-Encoding`;
  const { encoding, refusesIdentity } = readAcceptEncoding(header);
  if (encoding === undefined || (isShort(text) && !refusesIdentity)) return text;
  return typeof answer === 'string' ? compress(text, encoding) : answer.compressed(encoding);
}

/** A character takes one to three bytes. */
function isShort(text: string): boolean {
  return text.length < LEAST && (text.length * 3 < LEAST || Buffer.byteLength(text) < LEAST);
}

function mayRefuseIdentity(header: string | undefined): boolean {
  return header !== undefined && /identity|\*/i.test(header);
}

const gzipInPool = promisify(gzip);
const brotliInPool = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress);

function compress(text: string, encoding: Encoding, effort: Effort = 'fast'): Compressed | Promise<Compressed> {
  const given = Buffer.from(text);
  const isBrotli = encoding === 'br';
  const level = levels[effort][encoding];
  const params = { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: given.length };
  if (given.length < SHORT)
    return {
      encoding,
      bytes: isBrotli ? brotliCompressSync(given, { params }) : gzipSync(given, { level }),
    };
  const bytes = isBrotli
    ? brotliInPool(given, { params, chunkSize: CHUNK })
    : gzipInPool(given, { level, chunkSize: CHUNK });
  return bytes.then((packed) => ({ encoding, bytes: packed }));
}
