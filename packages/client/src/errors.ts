/** One thing that is wrong with a request. */
export interface FaultDetail {
  readonly path: string;
  readonly message: string;
}

/**
 * What a server answered in place of what was asked for.
 *
 * - `code`: one of the codes of docs/reference/errors.md, such as `unknown-field`; `unreachable` if there was no answer, and `no-json` if it came from
 *   something else than a Swapfold server, such as a proxy.
 * - `status`: 0 without an answer.
 */
export class ClientError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: readonly FaultDetail[];
  /** Names the request in the log of the server. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    given: {
      readonly code: string;
      readonly status?: number;
      readonly details?: readonly FaultDetail[];
      readonly requestId?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, given.cause === undefined ? undefined : { cause: given.cause });
    this.name = 'ClientError';
    this.code = given.code;
    this.status = given.status ?? 0;
    this.details = given.details ?? [];
    this.requestId = given.requestId;
  }
}

/** The error of an answer that is none of the server's successes. */
export async function errorOf(response: Response): Promise<ClientError> {
  const { status } = response;
  const text = await response.text().catch(() => '');
  try {
    const { error, code, details, request_id: requestId } = JSON.parse(text);
    if (typeof code === 'string') return new ClientError(error, { code, status, details, requestId });
  } catch {
    // Falls through to the same error.
  }
  return notJson(status);
}

/** The error of an answer that a Swapfold server does not give, such as a page of a proxy. */
export function notJson(status: number, cause?: unknown): ClientError {
  return new ClientError(`The answer has status ${status} and is no JSON of a Swapfold server.`, {
    code: 'no-json',
    status,
    cause,
  });
}
