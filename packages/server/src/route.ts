import type { Body } from './compress.ts';
import type { Exchange } from './exchange.ts';
import type { EventStream } from './live/events.ts';
import type { ErrorBody } from './overload.ts';

/** What is answered at a path: `answer` gives the JSON that is sent, which may be compressed. */
export interface Route {
  readonly path: string;
  readonly methods: readonly string[];
  readonly answer: (exchange: Exchange) => Body | EventStream | Promise<Body | EventStream>;
  /** What callers of the route get of the body of an error. Default: the body. */
  readonly errorForm?: (body: ErrorBody) => object;
}
