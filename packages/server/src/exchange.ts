import type { IncomingMessage, ServerResponse } from 'node:http';
import { newShare, type Share } from '@swapfold/core/host';
import type { ErrorBody } from './overload.ts';

/** What is known of a request while it is answered. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Headers of the answer. */
  readonly headers: Record<string, string>;
  readonly start = performance.now();
  /** Of an answer that is no failure. */
  status = 200;
  /** The path of the route that answers it. */
  route: string | undefined;
  /** What its route makes of the body of an error. */
  errorForm: ((body: ErrorBody) => object) | undefined;
  /** The name of the key's holder. */
  caller: string | undefined;
  /** Whether the answer may be compressed. */
  readonly isCompressing: boolean;
  /** Whose request it is: the key's, or on an open server the address's. */
  share: Share = newShare();

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    { requestId, isCompressing }: { requestId: string; isCompressing: boolean },
  ) {
    this.isCompressing = isCompressing;
    this.request = request;
    this.response = response;
    this.requestId = requestId;
    this.headers = { 'X-Request-Id': requestId };
  }

  /** Whether somebody still waits for the answer. */
  get isWanted(): boolean {
    return !this.response.destroyed;
  }

  /** A signal that tells when nobody does any more: the response closes before it is finished. */
  hungUp(): AbortSignal {
    const signal = new HungUp();
    const { response } = this;
    if (!this.isWanted) signal.abort();
    response.once('close', () => {
      if (!response.writableFinished) signal.abort();
    });
    return signal;
  }
}

/**
 * A signal of one request. Those of Node 20 survive, with all they lead to, until the whole heap is marked. It tells its listeners;
 * `AbortSignal.any` does not hear it, so what a request asks for must not join it with others.
 */
class HungUp extends EventTarget implements AbortSignal {
  readonly onabort = null;
  aborted = false;
  reason: unknown;

  abort(): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = new DOMException('The caller hung up.', 'AbortError');
    this.dispatchEvent(new Event('abort'));
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
}
