import { http, type Transport, webSocket } from 'viem';
import type { Request, Requests } from './node.ts';

/** Bytes of one answer that are taken: the range is made shorter before that, and viem alone would take 10 MiB. */
const LARGEST_ANSWER = 64 * 1024 * 1024;
const TIMEOUT = 30_000;

/** How the calls of a source reach its node. Repetition is the source's own: viem's would repeat questions that are too large. */
export function requestsOf(of: {
  readonly url?: string | undefined;
  readonly transport?: Transport | undefined;
}): Requests {
  if (of.transport !== undefined) {
    const request = requestOf(of.transport);
    return { single: request, batched: request };
  }
  const url = of.url!;
  if (url.startsWith('ws')) {
    const request = requestOf(webSocket(url, { timeout: TIMEOUT, retryCount: 0 }));
    return { single: request, batched: request };
  }
  const config = { timeout: TIMEOUT, retryCount: 0, maxResponseBodySize: LARGEST_ANSWER };
  return { single: requestOf(http(url, config)), batched: requestOf(http(url, { ...config, batch: { wait: 0 } })) };
}

function requestOf(transport: Transport): Request {
  const { request } = transport({ retryCount: 0 });
  return (call, options) => request(call as never, options as never);
}
