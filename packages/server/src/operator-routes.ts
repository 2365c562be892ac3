import { SwapfoldError } from '@swapfold/core';
import { parseRequest, requestObject } from '@swapfold/core/host';
import type { Admission } from './admission.ts';
import { checkContentType, MAX_LOOKUP, readBody } from './body.ts';
import { checkOrigin } from './cors.ts';
import type { Exchange } from './exchange.ts';
import { type OperatorCall, operatorCalls } from './operator-table.ts';
import { parseInTurn } from './parse-in-turn.ts';
import type { Route } from './route.ts';

/** A backup that a server has written. */
export interface WrittenBackup {
  /** The name of its file, without the folder. */
  readonly file: string;
  readonly bytes: number;
}

/** What the host of a server does for keys whose `operations` name it. What is absent has no route. */
export interface Operator {
  /** `server.backup`: writes a backup where the host has chosen, because a caller names no path. */
  readonly backup?: (() => Promise<WrittenBackup>) | undefined;
  /** `server.stop`: ends the server. It is called once the answer is sent. */
  readonly stop?: (() => void) | undefined;
  /** Whether a server without keys does it for whoever reaches it. Default false. */
  readonly withoutKeys?: boolean | undefined;
}

interface Serving {
  readonly admission: Admission;
  /** Origins whose pages may call, in addition to this host. */
  readonly cors: readonly string[];
}

/** The routes of what a host does for its operator. */
export function operatorRoutes(operator: Operator, { admission, cors }: Serving): readonly Route[] {
  return operatorCalls
    .filter(({ name }) => workOf(operator, name) !== undefined)
    .map(({ name, path }) => ({
      path,
      methods: ['POST'],
      async answer(exchange): Promise<string> {
        checkOrigin(exchange.request, cors, 'call');
        admission.admit(exchange, name);
        if (admission.isOpen && operator.withoutKeys !== true) throw keyNeeded(name);
        checkContentType(exchange.request.headers);
        await readNothing(exchange, admission);
        return JSON.stringify(await workOf(operator, name)!(exchange));
      },
    }));
}

function workOf(
  { backup, stop }: Operator,
  name: OperatorCall['name'],
): ((exchange: Exchange) => Promise<object> | object) | undefined {
  switch (name) {
    case 'server.backup':
      return backup;
    case 'server.stop':
      return stop && ((exchange) => stopping(exchange, stop));
  }
}

function stopping({ response, isWanted }: Exchange, stop: () => void): object {
  if (isWanted) response.once('close', stop);
  else stop();
  return { status: 'stopping' };
}

/** Reads a body that has no field. Errors: `invalid-json`, `unknown-field`. */
async function readNothing({ request, share }: Exchange, { bodies }: Admission): Promise<void> {
  const body = await readBody(request, { budget: bodies, share, most: MAX_LOOKUP });
  try {
    parseRequest(requestObject({}), body.length === 0 ? {} : await parseInTurn(body, share));
  } finally {
    bodies.add(share, -body.length);
  }
}

function keyNeeded(name: string): SwapfoldError {
  return new SwapfoldError(
    'forbidden',
    `A server without keys does not do this: start it with a key whose "operations" name "${name}".`,
  );
}
