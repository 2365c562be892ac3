import type { IncomingMessage } from 'node:http';
import { BodyTaken } from './overload.ts';

/** What parsers of bodies leave on a request: `body` is a value or bytes, `rawBody` the bytes beside it. */
interface Parsed {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * The body of a request that a parser in front of the handler has read, such as `express.json()`: as it came, or its value written as JSON
 * again. `undefined` if nobody has read it.
 *
 * - Errors: `internal`, with a sentence for the operator, if it was read and not left on the request.
 */
export function takenBody(request: IncomingMessage): Buffer | undefined {
  if (!request.readableDidRead && !request.readableEnded && request.readableFlowing !== true) return undefined;
  const { rawBody, body } = request as IncomingMessage & Parsed;
  const taken = Buffer.isBuffer(rawBody) ? rawBody : body;
  if (Buffer.isBuffer(taken)) return taken;
  if (typeof taken === 'string') return Buffer.from(taken);
  // A stream that is still being read is no value.
  if (taken === undefined || !request.readableEnded) throw new BodyTaken();
  return Buffer.from(JSON.stringify(taken));
}
