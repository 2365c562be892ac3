/**
 * What the failure of a call means.
 *
 * - `too-much`: the range, the batch or the answer is larger than the node or the transport takes.
 * - `rate-limited`: the node asks for a pause.
 * - `unknown-block`: the node does not have the block, or not its state.
 * - `skipped`: the slot has no block.
 * - `unsupported`: the node does not have the method.
 * - `reverted`: the contract that was called failed.
 * - `timeout`, `unavailable`: no answer, or one that says nothing of the call.
 */
export type FailureKind =
  | 'too-much'
  | 'rate-limited'
  | 'unknown-block'
  | 'skipped'
  | 'unsupported'
  | 'reverted'
  | 'timeout'
  | 'unavailable';

/** A failed call. The message holds what the node said and never its address, which may hold a key. */
export class NodeFailure extends Error {
  readonly kind: FailureKind;
  /** HTTP status, if there was one. */
  readonly status: number | undefined;
  /** The number of the error in the node's own answer, if there was one. */
  readonly code: number | undefined;
  /** Milliseconds that the node asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(
    kind: FailureKind,
    message: string,
    of: { status?: number | undefined; code?: number | undefined; retryAfter?: number | undefined },
  ) {
    super(message);
    this.name = 'NodeFailure';
    this.kind = kind;
    this.status = of.status;
    this.code = of.code;
    this.retryAfter = of.retryAfter;
  }
}

/** What the answers of the nodes of a chain mean: sentences, of which the first that fits counts, and codes of errors. */
export interface FailureMeanings {
  readonly sentences: readonly (readonly [FailureKind, RegExp])[];
  readonly byCode: Readonly<Record<number, FailureKind>>;
  /** Codes that say more than any sentence. */
  readonly firmCodes: ReadonlySet<number>;
  /** A message that says first of all that a contract failed: the rest of it is what the contract chose. */
  readonly reverted?: RegExp;
}

/** What a transport threw, by what it means. */
export type FailureReader = (error: unknown) => NodeFailure;

const rate = /rate.?limit|too many requests|requests? (limit|per)|per second|throughput|compute units|capacity|quota/i;

const byStatus: Readonly<Record<number, FailureKind>> = {
  429: 'rate-limited',
  413: 'too-much',
  408: 'timeout',
  504: 'timeout',
};

interface Link {
  readonly name?: string;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly details?: unknown;
  readonly shortMessage?: unknown;
  readonly message?: unknown;
  readonly headers?: { readonly get?: (name: string) => string | null };
  readonly cause?: unknown;
}

/** Reads failures by what the nodes of a chain mean with them. */
export const failureReader =
  (meanings: FailureMeanings): FailureReader =>
  (error) =>
    failureOf(error, meanings);

function failureOf(error: unknown, { sentences, byCode, firmCodes, reverted }: FailureMeanings): NodeFailure {
  const links: Link[] = [];
  for (let link = error as Link | undefined; link instanceof Object && links.length < 10; link = link.cause as Link)
    links.push(link);
  const code = links.map((link) => link.code).find((value) => typeof value === 'number' && value !== -1) as number;
  const status = links.map((link) => link.status).find((value) => typeof value === 'number') as number | undefined;
  const text = textOf(links);
  const seconds = Number(links.map((link) => link.headers?.get?.('retry-after')).find(Boolean) ?? Number.NaN);
  const of = { status, code, retryAfter: Number.isFinite(seconds) ? seconds * 1000 : undefined };
  const isNamed = (name: string): boolean => links.some((link) => link.name === name);
  if (isNamed('ResponseBodyTooLargeError')) return new NodeFailure('too-much', text, of);
  if (isNamed('TimeoutError')) return new NodeFailure('timeout', text, of);
  const kind =
    // A contract that fails chooses the text itself.
    (byCode[code] === 'reverted' || reverted?.test(text) ? 'reverted' : undefined) ??
    (rate.test(text) ? 'rate-limited' : undefined) ??
    (firmCodes.has(code) ? byCode[code] : undefined) ??
    sentences.find(([, pattern]) => pattern.test(text))?.[0] ??
    byCode[code] ??
    (status === undefined ? undefined : byStatus[status]) ??
    'unavailable';
  return new NodeFailure(kind, text, of);
}

/** What the node said, or what happened to the connection; addresses of nodes are left out, because they may hold a key. */
function textOf(links: readonly Link[]): string {
  const said = links.map((link) => link.details).filter((details) => typeof details === 'string' && details !== '');
  // The messages of viem's own errors repeat the address and the request.
  const plain = links.filter((link) => link.shortMessage === undefined).map((link) => link.message);
  const happened = links.map((link) => link.shortMessage).find((message) => typeof message === 'string');
  const text = said.at(-1) ?? plain.at(-1) ?? happened ?? 'The transport failed.';
  return String(text)
    .replace(/(https?|wss?):\/\/\S+/g, '(address)')
    .slice(0, 300);
}
