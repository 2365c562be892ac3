import { finish, type Share, threadTurns, yielder } from '@swapfold/core/host';
import { readJson } from './json.ts';

/** Bytes of a body that is parsed at once: that, and checking it, takes some tenths of a millisecond. */
const SHORT = 2048;

/**
 * The value of a request's body, parsed as work of its share: a longer one in a turn of the event loop that the share has been given among
 * all long work, which goes on until the caller of this function lets go of the thread.
 *
 * - Errors: `invalid-json`.
 */
export async function parseInTurn(body: Buffer, share: Share): Promise<unknown> {
  if (body.length <= SHORT) return worked(share, () => finish(readJson(body)));
  await threadTurns.next(share);
  return yielder({ share }).run(readJson(body));
}

/** Counts the time until `work` lets go of the thread as its share's. */
export function worked<R>(share: Share, work: () => R): R {
  const begun = performance.now();
  try {
    return work();
  } finally {
    share.worked += performance.now() - begun;
  }
}
