import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { SwapfoldError } from '@swapfold/core';
import { errorBody } from './overload.ts';

interface Fault {
  readonly status: number;
  readonly message: string;
}

/** By Node's code of the error. */
export const unreadableFaults: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are over 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive whole in time.' },
};
const malformed: Fault = { status: 400, message: 'The request is not HTTP/1.1.' };

/** Answers what never became a request, and closes the connection. Where an answer is under way on it, there is only the closing. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, isAnswering: boolean): void {
  if (isAnswering || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = unreadableFaults[error.code ?? ''] ?? malformed;
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(new SwapfoldError('invalid-request', message), requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
