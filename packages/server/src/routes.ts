import type { IncomingMessage } from 'node:http';
import { type Swapfold, SwapfoldError } from '@swapfold/core';
import { didYouMean, operations, show } from '@swapfold/core/host';
import type { Admission } from './admission.ts';
import { asyncApiDocument } from './asyncapi/document.ts';
import { type Body, LastingText, pack } from './compress.ts';
import type { Exchange } from './exchange.ts';
import { type EventStream, type EventsService, openEvents } from './live/events.ts';
import { openApiDocument } from './openapi/document.ts';
import { answerOperation } from './operation-route.ts';
import type { ErrorBody } from './overload.ts';
import { createProbe } from './probe.ts';
import { fileRoute, type StaticFile } from './static-files.ts';
import { createUdfRoutes } from './udf/routes.ts';

/** What is answered at a path: `answer` gives the JSON that is sent, which may be compressed. */
export interface Route {
  readonly path: string;
  readonly methods: readonly string[];
  readonly answer: (exchange: Exchange) => Body | EventStream | Promise<Body | EventStream>;
  /** What callers of the route get of the body of an error. Default: the body. */
  readonly errorForm?: (body: ErrorBody) => object;
}

export type Routes = ReadonlyMap<string, Route>;

const probeMethods = ['GET', 'HEAD'] as const;

/** Says that the process is alive, whatever the store does. */
export const healthRoute: Route = { path: '/healthz', methods: probeMethods, answer: () => '{"status":"ok"}' };

/** What routes share with their server. */
interface RouteOptions extends Pick<EventsService, 'open' | 'drain'> {
  readonly files?: readonly StaticFile[] | undefined;
  /** Whether the operations that write are among them. */
  readonly ingest?: boolean | undefined;
  /** Seconds that a pushed swap may be ahead of the clock. */
  readonly maxAhead?: number | undefined;
  /** Whether the routes of the charting library are among them. */
  readonly udf?: boolean | undefined;
  /** Those of other packages. */
  readonly plugged?: readonly Route[] | undefined;
}

/** The routes of a store: one for each operation, behind a key; beside them those that are open by design, and files. */
export function createRoutes(dex: Swapfold, admission: Admission, options: RouteOptions): Routes {
  const { open, drain, files = [], ingest = false, maxAhead, udf = false, plugged = [] } = options;
  const document = new LastingText(JSON.stringify(openApiDocument(dex, { hasKeys: !admission.isOpen, ingest, udf })));
  const described = new LastingText(JSON.stringify(asyncApiDocument(dex, { hasKeys: !admission.isOpen })));
  const probe = createProbe(dex);
  const routes: readonly Route[] = [
    ...operations
      .filter(({ write }) => ingest || write === undefined)
      .map(
        (operation): Route => ({
          path: `/v1/${dex.config.chain}${operation.path}`,
          methods: ['POST'],
          answer: (exchange) => answerOperation(exchange, operation, { dex, admission, maxAhead }),
        }),
      ),
    {
      path: `/v1/${dex.config.chain}/dex/stream`,
      methods: ['POST', 'GET'],
      answer: (exchange) => openEvents(exchange, { dex, admission, open, drain }),
    },
    ...(udf ? createUdfRoutes(dex, admission) : []),
    ...plugged,
    healthRoute,
    { path: '/readyz', methods: probeMethods, answer: probe },
    { path: '/openapi.json', methods: probeMethods, answer: (exchange) => pack(exchange, document) },
    { path: '/asyncapi.json', methods: probeMethods, answer: (exchange) => pack(exchange, described) },
    ...files.map(fileRoute),
  ];
  return new Map(routes.map((route) => [route.path, route]));
}

/** The route of a request. Errors: `not-found`, with the nearest route; `method-not-allowed`, with `Allow` among the headers. */
export function findRoute(routes: Routes, { request, headers }: Exchange): Route {
  const route = routes.get(request.url!) ?? routes.get(pathOf(request));
  if (route === undefined) {
    const path = pathOf(request);
    throw new SwapfoldError(
      'not-found',
      `There is no route ${show(path)}.${didYouMean(path, routes.keys())} GET /openapi.json lists the routes.`,
    );
  }
  if (!route.methods.includes(request.method!)) {
    const allowed = route.methods.join(', ');
    headers.Allow = allowed;
    throw new SwapfoldError('method-not-allowed', `${route.path} takes ${allowed}, not ${request.method}.`);
  }
  return route;
}

/** The path of a request, without its query: queries mean nothing here. Doubled slashes, as of a base URL that ends in one, count once. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  return url
    .replace(/^https?:\/\/[^/?#]*/i, '')
    .split(/[?#]/, 1)[0]!
    .replace(/\/{2,}/g, '/');
}
