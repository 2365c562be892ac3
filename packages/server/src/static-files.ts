import { createHash } from 'node:crypto';
import { LastingText, pack } from './compress.ts';
import type { Route } from './route.ts';

/** A file that the server returns to whoever asks, such as a file of `@swapfold/explorer`. */
export interface StaticFile {
  /** From the root, such as `/` or `/explorer/app.js`. */
  readonly path: string;
  /** Its `Content-Type`. */
  readonly type: string;
  readonly text: string;
  /** Headers of its answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The route of a file: no key, and 304 for a caller that has it. */
export function fileRoute({ path, type, text, headers = {} }: StaticFile): Route {
  const lasting = new LastingText(text, 'small');
  // Weak: the same for each encoding.
  const tag = `W/"${createHash('sha256').update(text).digest('base64url')}"`;
  return {
    path,
    methods: ['GET', 'HEAD'],
    answer(exchange) {
      Object.assign(exchange.headers, headers, { 'Content-Type': type, 'Cache-Control': 'no-cache', ETag: tag });
      if (exchange.request.headers['if-none-match'] !== tag) return pack(exchange, lasting);
      exchange.status = 304;
      exchange.headers.Vary = 'Accept-Encoding';
      return '';
    },
  };
}
