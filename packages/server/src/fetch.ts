import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';

/** Who asks, as far as the framework knows. */
export interface FetchedFrom {
  /** The address of the caller: rates and shares of callers without a key go by it. Default: all are one. */
  readonly address?: string | undefined;
}

/** Answers a Web `Request`, for frameworks that have those in place of Node's. WebSockets need Node's. */
export type FetchHandler = (request: Request, from?: FetchedFrom) => Promise<Response>;

/** Answers that have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 304]);

/** The listener as a function of Web's requests: it reads and writes streams in the place of a connection. */
export function fetchHandlerOf(listener: RequestListener): FetchHandler {
  return (request, { address = '' } = {}) =>
    new Promise((resolve) => {
      const asked = incoming(request, address);
      const response = outgoing(asked, request.method, resolve);
      const hangUp = (): void => void response.destroy();
      if (request.signal.aborted) hangUp();
      request.signal.addEventListener('abort', hangUp, { once: true });
      response.once('close', () => request.signal.removeEventListener('abort', hangUp));
      listener(asked, response);
    });
}

/** What the routes use of a request of Node. */
function incoming(request: Request, address: string): IncomingMessage {
  const { host, pathname, search } = new URL(request.url);
  const body =
    request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as ReadableStream, { objectMode: false });
  // A caller that hangs up while it sends is told to whoever reads; nobody may.
  body.on('error', () => undefined);
  Object.defineProperty(body, 'complete', { get: () => body.readableEnded });
  return Object.assign(body, {
    method: request.method,
    url: pathname + search,
    headers: { host, ...Object.fromEntries(request.headers) },
    // Nobody says on which address it came: it may be one of this machine alone, which the pages of other sites reach by names of their own.
    socket: { remoteAddress: address, localAddress: '127.0.0.1' },
  }) as unknown as IncomingMessage;
}

/** What the routes use of a response of Node: `answer` is called with its head, the body comes after. */
function outgoing(request: IncomingMessage, method: string, answer: (response: Response) => void): ServerResponse {
  const body = new PassThrough();
  body.on('error', () => undefined);
  return Object.assign(body, {
    req: request,
    socket: null,
    writeHead(status: number, { Connection: _, ...headers }: Readonly<Record<string, string>> = {}) {
      const isEmpty = bodiless.has(status) || method === 'HEAD';
      if (isEmpty) body.resume();
      answer(
        new Response(isEmpty ? null : (Readable.toWeb(body) as ConstructorParameters<typeof Response>[0]), {
          status,
          headers,
        }),
      );
      return this;
    },
  }) as unknown as ServerResponse;
}
