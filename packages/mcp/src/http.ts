import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { PluggedAnswer, PluggedRoute } from '@swapfold/server';
import { createMcpServer } from './server.ts';

/** Options of `mcpRoute`. */
export interface McpRouteOptions {
  /** Where it answers. Default `/mcp`. */
  readonly path?: string;
}

/**
 * The protocol over Streamable HTTP, for the option `routes` of `serve`.
 *
 * - Stateless: each POST is answered with JSON by itself, so that any of several servers may answer the next one. There are no sessions and
 *   no streams; GET and DELETE are answered 405, as the protocol has it.
 * - Keys, their operations, rates and origins are those of the server.
 *
 * ```ts
 * const server = await serve(dex, { keys: ['a-long-random-key'], routes: [mcpRoute()] });
 * ```
 */
export function mcpRoute({ path = '/mcp' }: McpRouteOptions = {}): PluggedRoute {
  return {
    path,
    async answer({ headers, body, store }) {
      const fault = Array.isArray(body) ? faultOf(body) : undefined;
      if (fault !== undefined) return refused(fault);
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      const server = createMcpServer({ store: () => store });
      // Its optional members are typed otherwise than those of the interface.
      await server.connect(transport as Parameters<typeof server.connect>[0]);
      try {
        const request = new Request(`http://localhost${path}`, { method: 'POST', headers: sent(headers) });
        const response = await transport.handleRequest(request, { parsedBody: withoutCancelling(body) });
        const type = response.headers.get('content-type') ?? 'application/json';
        return { status: response.status, type, text: await response.text() };
      } finally {
        await server.close();
      }
    },
  };
}

/** Messages of one batch. Each answer is made on the thread of all callers. */
const MOST = 10;

function faultOf(batch: readonly unknown[]): string | undefined {
  if (batch.length === 0) return 'A batch holds at least one message.';
  if (batch.length > MOST) return `A batch holds at most ${MOST} messages, not ${batch.length}: send several.`;
  const ids = batch.flatMap((message) => (Object(message) as { id?: unknown }).id ?? []);
  return new Set(ids).size < ids.length ? 'Two messages of the batch have one id.' : undefined;
}

function refused(message: string): PluggedAnswer {
  const error = { jsonrpc: '2.0', id: null, error: { code: -32600, message } };
  return { status: 400, type: 'application/json', text: JSON.stringify(error) };
}

/**
 * A batch without the notices that cancel its own requests: a request that is cancelled gets no response, for which the answer would wait for
 * ever. There is no other request that one could cancel.
 */
function withoutCancelling(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  return body.filter((message) => (Object(message) as { method?: unknown }).method !== 'notifications/cancelled');
}

/** The headers that the protocol reads. */
function sent(headers: Readonly<Record<string, string>>): Record<string, string> {
  const read = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];
  return Object.fromEntries(read.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}
