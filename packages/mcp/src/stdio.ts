import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Swapfold } from '@swapfold/core';
import { createMcpServer } from './server.ts';

/** Options of `serveStdio`. */
export interface StdioOptions {
  /** Default: standard input. */
  readonly input?: Readable;
  /** Default: standard output. Nothing else may write to it. */
  readonly output?: Writable;
  /** Called with a failure that is no mistake of the client. */
  readonly onFailure?: (error: unknown) => void;
  /** Ends it at once. */
  readonly signal?: AbortSignal;
}

/**
 * Answers a client over standard input and output, until the input ends and every request is answered. The store stays open.
 */
export async function serveStdio(dex: Swapfold, options: StdioOptions = {}): Promise<void> {
  const { input = process.stdin, output = process.stdout, onFailure, signal: ending } = options;
  const transport = new StdioServerTransport(input as typeof process.stdin, output as typeof process.stdout);
  const server = createMcpServer({
    store: (signal) => ({
      config: dex.config,
      metrics: dex.metrics,
      call: (operation, request) => dex.call(operation, request, { signal }),
      info: () => dex.info(),
    }),
    ...(onFailure === undefined ? {} : { onFailure }),
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  transport.onerror = () => void answerNoMessage(transport);
  await server.connect(transport);
  const open = watchOpen(transport);
  const end = (): void => open.whenNone(() => void server.close());
  input.once('end', end);
  input.once('close', end);
  // Who reads the answers no more waits for none: one that is on its way is never sent.
  const leave = (): void => void server.close();
  output.once('error', leave);
  output.once('close', leave);
  ending?.addEventListener('abort', () => void server.close(), { once: true });
  if (ending?.aborted) await server.close();
  await closed;
  output.off('error', leave);
  output.off('close', leave);
}

/** Tells the client of a line that is no message: it may wait for its answer. */
async function answerNoMessage(transport: StdioServerTransport): Promise<void> {
  const error = { code: ErrorCode.ParseError, message: 'A line is no message of JSON-RPC 2.0; batches are not taken.' };
  await transport.send({ jsonrpc: '2.0', id: null, error } as unknown as JSONRPCMessage).catch(() => undefined);
}

/** Counts the requests that have no answer yet. */
function watchOpen(transport: StdioServerTransport): { whenNone(then: () => void): void } {
  const open = new Set<string | number>();
  let wanted: (() => void) | undefined;
  const done = (id: string | number | undefined): void => {
    if (id !== undefined) open.delete(id);
    if (open.size === 0) wanted?.();
  };
  const { onmessage } = transport;
  transport.onmessage = (message: JSONRPCMessage) => {
    if ('id' in message && 'method' in message) open.add(message.id);
    onmessage?.(message);
    // A request that was cancelled is not answered.
    if ('method' in message && message.method === 'notifications/cancelled') done(cancelledIn(message));
  };
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if ('id' in message && !('method' in message)) done(message.id);
  };
  return {
    whenNone(then) {
      wanted = then;
      done(undefined);
    },
  };
}

function cancelledIn({ params }: { params?: unknown }): string | number | undefined {
  return (params as { requestId?: string | number } | undefined)?.requestId;
}
