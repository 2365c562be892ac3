import { type Swapfold, SwapfoldError } from '@swapfold/core';
import type { Admission } from '../admission.ts';
import { checkContentType, readBody } from '../body.ts';
import { type Body, pack } from '../compress.ts';
import type { Exchange } from '../exchange.ts';
import { parseJson } from '../json.ts';
import { type PushRoute, pushRoutes } from './declarations.ts';
import { checkRowsType, readRows } from './read-rows.ts';

/** How the routes that write do so. */
export interface PushOptions {
  /** Seconds that a swap may be ahead of the clock. */
  readonly maxAhead: number;
}

/** The routes that write, of a server that takes what is pushed. */
export function createPushRoutes(
  dex: Swapfold,
  admission: Admission,
  options: PushOptions,
): readonly {
  readonly path: string;
  readonly methods: readonly string[];
  answer(exchange: Exchange): Promise<Body>;
}[] {
  return pushRoutes.map((route) => ({
    path: `/v1/${dex.config.chain}${route.path}`,
    methods: ['POST'],
    answer: (exchange) => push(exchange, { dex, admission, route, ...options }),
  }));
}

interface Push extends PushOptions {
  readonly dex: Swapfold;
  readonly admission: Admission;
  readonly route: PushRoute;
}

async function push(exchange: Exchange, { dex, admission, route, maxAhead }: Push): Promise<Body> {
  const { request, share } = admitted(exchange, admission, route);
  const { pushes } = admission;
  const gate = route.isLong ? admission.refreshGate : admission.pushGate;
  const isOfRows = route.takes === 'rows';
  if (isOfRows) checkRowsType(request.headers);
  else checkContentType(request.headers);
  // Before anything is read.
  gate.check(share);
  const { sent, held } = await (isOfRows ? rowsOf(exchange, admission) : objectOf(exchange, admission));
  try {
    const turn = gate.enter(exchange);
    if (turn !== undefined) await turn;
    try {
      const answer = await route.run(dex, sent, { signal: exchange.hungUp(), maxAhead });
      return await pack(exchange, JSON.stringify(answer));
    } catch (error) {
      throw error instanceof SwapfoldError && error.code === 'read-only' ? notWritable(error) : error;
    } finally {
      gate.leave(exchange);
    }
  } finally {
    (isOfRows ? pushes : admission.bodies).add(share, -held);
  }
}

/** The exchange, whose caller may use the route. */
function admitted(exchange: Exchange, admission: Admission, { permission }: PushRoute): Exchange {
  admission.admit(exchange, permission);
  return exchange;
}

interface Sent {
  readonly sent: unknown;
  /** Bytes that a budget holds for it. */
  readonly held: number;
}

async function rowsOf({ request, share }: Exchange, { pushes }: Admission): Promise<Sent> {
  const { rows, bytes } = await readRows(request, pushes, share);
  return { sent: rows, held: bytes };
}

async function objectOf({ request, share }: Exchange, { bodies }: Admission): Promise<Sent> {
  const body = await readBody(request, bodies, share);
  try {
    return { sent: parseJson(body), held: body.length };
  } catch (error) {
    bodies.add(share, -body.length);
    throw error;
  }
}

function notWritable(cause: SwapfoldError): SwapfoldError {
  return new SwapfoldError('internal', 'The store of this server is open for reading only.', { cause });
}
