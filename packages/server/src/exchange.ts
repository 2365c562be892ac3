import type { IncomingMessage } from 'node:http';

/** What is known of a request while it is answered. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly requestId: string;
  /** Headers of the answer. */
  readonly headers: Record<string, string>;
  /** Whether somebody still waits for the answer. */
  readonly isWanted: () => boolean;
  /** A signal that tells when nobody does any more. */
  readonly hungUp: () => AbortSignal;
  /** The path of the route that answers it. */
  route: string | undefined;
  /** The name of the key's holder. */
  caller: string | undefined;
}
