import { type Swapfold, SwapfoldError } from '@swapfold/core';
import { didYouMean, operations, show } from '@swapfold/core/host';
import type { Admission } from './admission.ts';
import { asyncApiDocument } from './asyncapi/document.ts';
import { LastingText, pack } from './compress.ts';
import type { Exchange } from './exchange.ts';
import { type EventsService, openEvents } from './live/events.ts';
import { openApiDocument } from './openapi/document.ts';
import { answerOperation } from './operation-route.ts';
import { type Operator, operatorRoutes } from './operator-routes.ts';
import { pathOf } from './path.ts';
import { createProbe } from './probe.ts';
import type { Route } from './route.ts';
import { fileRoute, type StaticFile } from './static-files.ts';
import { createUdfRoutes } from './udf/routes.ts';

export type Routes = ReadonlyMap<string, Route>;

const probeMethods = ['GET', 'HEAD'] as const;

/** Where probes ask whether the store answers. */
export const READY_PATH = '/readyz';

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
  /** What the host does for keys that may. */
  readonly operator?: Operator | undefined;
  /** Origins whose pages may call, in addition to this host. */
  readonly cors?: readonly string[] | undefined;
  /** Those of other packages. */
  readonly plugged?: readonly Route[] | undefined;
}

/** The routes of a store: one for each operation, behind a key; beside them those that are open by design, and files. */
export function createRoutes(dex: Swapfold, admission: Admission, options: RouteOptions): Routes {
  const { open, drain, files = [], ingest = false, maxAhead, udf = false, plugged = [] } = options;
  const { operator = {}, cors = [] } = options;
  const operated = operatorRoutes(operator, { admission, cors });
  const hasKeys = !admission.isOpen;
  const document = new LastingText(
    JSON.stringify(openApiDocument(dex, { hasKeys, ingest, udf, operated: operated.map(({ path }) => path) })),
  );
  const described = new LastingText(JSON.stringify(asyncApiDocument(dex, { hasKeys })));
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
    ...operated,
    ...plugged,
    healthRoute,
    { path: READY_PATH, methods: probeMethods, answer: probe },
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
