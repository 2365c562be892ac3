import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { PluggedAnswer, PluggedRequest, PluggedRoute } from '@swapfold/server';
import { listingOf, prepareTools } from './listing.ts';
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
    async answer({ headers, body, store, turn }) {
      await prepareTools(store, turn);
      const one = (message: unknown): Promise<PluggedAnswer> => answerMessage(message, { path, headers, store });
      if (!Array.isArray(body)) return one(body);
      const fault = faultOf(body);
      if (fault !== undefined) return refused(fault);
      const texts: string[] = [];
      for (const message of body) {
        await turn();
        const answered = await one(message);
        if (answered.status >= 400) return answered;
        if (answered.text !== '') texts.push(answered.text);
      }
      const type = 'application/json';
      return texts.length === 0 ? { status: 202, type, text: '' } : { status: 200, type, text: `[${texts.join()}]` };
    },
  };
}

/** Answers one message. `tools/list` is checked by the SDK as `ping` is, and its answer is written once for all. */
async function answerMessage(
  message: unknown,
  { path, headers, store }: Pick<PluggedRequest, 'headers' | 'store'> & { readonly path: string },
): Promise<PluggedAnswer> {
  const isListing = isRequest(message) && message.method === 'tools/list';
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createMcpServer({ store: () => store });
  // Its optional members are typed otherwise than those of the interface.
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  try {
    const request = new Request(`http://localhost${path}`, { method: 'POST', headers: sent(headers) });
    const parsedBody = isListing ? { jsonrpc: message.jsonrpc, id: message.id, method: 'ping' } : message;
    const response = await transport.handleRequest(request, { parsedBody });
    const type = response.headers.get('content-type') ?? 'application/json';
    const text = await response.text();
    if (!isListing || response.status !== 200) return { status: response.status, type, text };
    const id = JSON.stringify(message.id);
    return { status: 200, type, text: `{"jsonrpc":"2.0","id":${id},"result":${listingOf(store)}}` };
  } finally {
    await server.close();
  }
}

interface JsonRpcRequest {
  readonly jsonrpc: unknown;
  readonly id: unknown;
  readonly method: unknown;
}

/** Whether an answer is wanted: a notice has no id. */
function isRequest(message: unknown): message is JsonRpcRequest {
  return typeof message === 'object' && message !== null && 'method' in message && 'id' in message;
}

/** Messages of one batch. Each is answered in a turn of its own. */
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

/** The headers that the protocol reads. */
function sent(headers: Readonly<Record<string, string>>): Record<string, string> {
  const read = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];
  return Object.fromEntries(read.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}
