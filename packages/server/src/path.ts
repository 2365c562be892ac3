import type { IncomingMessage } from 'node:http';

/** The path of a request, without its query: queries mean nothing here. Doubled slashes, as of a base URL that ends in one, count once. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  return url
    .replace(/^https?:\/\/[^/?#]*/i, '')
    .split(/[?#]/, 1)[0]!
    .replace(/\/{2,}/g, '/');
}
