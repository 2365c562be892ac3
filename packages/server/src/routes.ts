import type { IncomingMessage, ServerResponse } from 'node:http';
import { didYouMean, operations, type Swapfold, SwapfoldError, show } from '@swapfold/core';
import { checkContentType, readBody } from './body.ts';
import { parseJson } from './json.ts';
import type { KeyRing } from './keys.ts';
import { openApiDocument } from './openapi/document.ts';

/** What is answered at a path: `answer` gives the value that is sent as JSON. */
export interface Route {
  readonly path: string;
  readonly methods: readonly string[];
  readonly answer: (request: IncomingMessage) => unknown;
}

export type Routes = ReadonlyMap<string, Route>;

const probeMethods = ['GET', 'HEAD'] as const;

/** Tells that the process lives, whatever the store does. */
export const healthRoute: Route = { path: '/healthz', methods: probeMethods, answer: () => ({ status: 'ok' }) };

/** The routes of a store: one for each operation, behind a key; beside them those that are open by design. */
export function createRoutes(dex: Swapfold, keys: KeyRing): Routes {
  const document = openApiDocument(dex, { hasKeys: !keys.isOpen });
  const routes: readonly Route[] = [
    ...operations.map(
      ({ name, path }): Route => ({
        path: `/v1/${dex.config.chain}/dex${path}`,
        methods: ['POST'],
        answer: async (request) => {
          const key = request.headers['x-api-key'];
          keys.check(Array.isArray(key) ? key.join() : key, name);
          checkContentType(request.headers);
          return dex.call(name, parseJson(await readBody(request)));
        },
      }),
    ),
    healthRoute,
    { path: '/readyz', methods: probeMethods, answer: () => probeStore(dex) },
    { path: '/openapi.json', methods: probeMethods, answer: () => document },
  ];
  return new Map(routes.map((route) => [route.path, route]));
}

/** The route of a request. Errors: `not-found`, with the nearest route; `method-not-allowed`, with `Allow` set on the response. */
export function findRoute(routes: Routes, request: IncomingMessage, response: ServerResponse): Route {
  const path = pathOf(request);
  const route = routes.get(path);
  if (route === undefined)
    throw new SwapfoldError(
      'not-found',
      `There is no route ${show(path)}.${didYouMean(path, routes.keys())} GET /openapi.json lists the routes.`,
    );
  if (!route.methods.includes(request.method!)) {
    const allowed = route.methods.join(', ');
    response.setHeader('Allow', allowed);
    throw new SwapfoldError('method-not-allowed', `${route.path} takes ${allowed}, not ${request.method}.`);
  }
  return route;
}

/** The path of a request, without its query: queries mean nothing here. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0]!;
}

/** A look-up that touches the store and costs next to nothing: what an address holds that nobody has. */
async function probeStore(dex: Swapfold): Promise<{ status: 'ready' }> {
  try {
    await dex.call('portfolios.get', { wallet: nobody[dex.config.address_format] });
    return { status: 'ready' };
  } catch (cause) {
    throw new SwapfoldError('unavailable', 'The store does not answer.', { cause });
  }
}

const nobody = { solana: '1'.repeat(32), evm: `0x${'0'.repeat(40)}`, any: '-' } as const;
