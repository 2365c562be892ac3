import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { SwapfoldError } from '@swapfold/core';
import { type Share, show, yielder } from '@swapfold/core/host';
import type { BodyBudget } from '../body-budget.ts';
import { takenBody } from '../taken-body.ts';
import { RowSplitter } from './row-splitter.ts';

const MIB = 1024 * 1024;

/** What one request may bring. docs/reference/http.md is held to it. */
export const pushLimits = { sentBytes: 16 * MIB, unpackedBytes: 128 * MIB, rows: 100_000 } as const;

const types = ['application/json', 'application/x-ndjson', 'application/ndjson', 'application/jsonl'];

/** Errors: `unsupported-media-type` for a body that is not declared as JSON or NDJSON, as it is or by gzip. */
export function checkRowsType(headers: IncomingHttpHeaders): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
  if (!types.includes(type.toLowerCase()))
    throw new SwapfoldError(
      'unsupported-media-type',
      `Content-Type must be application/json or application/x-ndjson, ${type === '' ? 'which is missing' : `not ${show(type)}`}.`,
    );
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  if (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset))
    throw new SwapfoldError('unsupported-media-type', `The charset must be utf-8, not ${show(charset)}.`);
  if (!['identity', 'gzip'].includes(encodingOf(headers)))
    throw new SwapfoldError(
      'unsupported-media-type',
      `Content-Encoding ${show(headers['content-encoding'])} is not supported; send the body as it is, or by gzip.`,
    );
}

const encodingOf = (headers: IncomingHttpHeaders): string => (headers['content-encoding'] ?? 'identity').toLowerCase();

export interface PushedRows {
  readonly rows: readonly unknown[];
  /** The bytes that the budget holds for them until the caller gives them back. */
  readonly bytes: number;
}

/**
 * The rows of a request's body, read as it comes.
 *
 * - Errors: `body-too-large` for more than `pushLimits`, `invalid-json`, `invalid-request`, `unavailable`, each as soon as it is known; what comes after is
 *   discarded; `aborted` if the caller hangs up.
 */
export async function readRows(request: IncomingMessage, budget: BodyBudget, share: Share): Promise<PushedRows> {
  if (Number(request.headers['content-length'] ?? 0) > pushLimits.sentBytes) throw tooMuch('sentBytes');
  const splitter = new RowSplitter();
  const pause = yielder({ share });
  let bytes = 0;
  let reject: (error: SwapfoldError) => void = () => undefined;
  const isCut = new Promise<never>((_, fail) => {
    reject = fail;
  });
  isCut.catch(() => undefined);
  const receiving = {
    share,
    // The one who needs the room goes on at once.
    cut(error: SwapfoldError): void {
      budget.end(receiving);
      budget.add(share, -bytes);
      bytes = 0;
      reject(error);
    },
  };
  const pieces = piecesOf(request)[Symbol.asyncIterator]();
  budget.begin(receiving);
  try {
    for (;;) {
      const { done, value: piece } = await Promise.race([pieces.next(), isCut]);
      if (done) break;
      if (bytes + piece.length > pushLimits.unpackedBytes) throw tooMuch('unpackedBytes');
      budget.makeRoom(share, piece.length);
      budget.add(share, piece.length);
      bytes += piece.length;
      splitter.add(piece);
      if (splitter.rows.length > pushLimits.rows) throw tooMuch('rows');
      await pause.yieldIfDue();
    }
    splitter.end();
    return { rows: splitter.rows, bytes };
  } catch (error) {
    budget.add(share, -bytes);
    // What is still to come is discarded: the connection takes no other request before.
    void pieces.return(undefined).then(
      () => request.resume(),
      () => request.resume(),
    );
    throw error;
  } finally {
    budget.end(receiving);
  }
}

/** The body, unpacked. */
async function* piecesOf(request: IncomingMessage): AsyncGenerator<Buffer> {
  const taken = takenBody(request);
  if (taken !== undefined) {
    // Parsers unpack what they read.
    yield taken;
    return;
  }
  if (encodingOf(request.headers) === 'identity') {
    yield* sentPieces(request);
    return;
  }
  const unpacked = createGunzip({ chunkSize: 64 * 1024 });
  pipeline(Readable.from(sentPieces(request)), unpacked, () => undefined);
  try {
    yield* unpacked as AsyncIterable<Buffer>;
  } catch (cause) {
    if (cause instanceof SwapfoldError) throw cause;
    throw new SwapfoldError('invalid-request', 'The request body is not gzip, or was cut short.', { cause });
  }
}

async function* sentPieces(request: IncomingMessage): AsyncGenerator<Buffer> {
  let sent = 0;
  try {
    // The connection stays, for the answer.
    for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sent += piece.length;
      if (sent > pushLimits.sentBytes) throw tooMuch('sentBytes');
      yield piece;
    }
  } catch (cause) {
    if (cause instanceof SwapfoldError) throw cause;
    throw new SwapfoldError('aborted', 'The caller hung up.', { cause });
  }
}

const limitTexts: Readonly<Record<keyof typeof pushLimits, string>> = {
  sentBytes: `is over ${pushLimits.sentBytes} bytes (16 MiB)`,
  unpackedBytes: `unpacks to more than ${pushLimits.unpackedBytes} bytes (128 MiB)`,
  rows: `has more than ${pushLimits.rows} rows`,
};

function tooMuch(limit: keyof typeof pushLimits): SwapfoldError {
  return new SwapfoldError('body-too-large', `The request body ${limitTexts[limit]}; send less in one request.`);
}
