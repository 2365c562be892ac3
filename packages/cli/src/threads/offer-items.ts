import type { MessagePort } from 'node:worker_threads';
import { SwapfoldError } from '@swapfold/core';
import type { ThreadAnswer } from './take-items.ts';

/** Answers each message with the next item. `buffersOf` names the memory of one that the receiver gets, instead of a copy. */
export function offerItems<T>(
  port: MessagePort,
  items: AsyncIterable<T>,
  buffersOf: (item: T) => readonly ArrayBuffer[],
): void {
  const iterator = items[Symbol.asyncIterator]();
  port.on('message', async () => {
    const answer = await nextOf(iterator);
    port.postMessage(answer, answer.kind === 'item' ? buffersOf(answer.item) : []);
  });
}

async function nextOf<T>(iterator: AsyncIterator<T>): Promise<ThreadAnswer<T>> {
  try {
    const { done, value } = await iterator.next();
    return done ? { kind: 'end' } : { kind: 'item', item: value };
  } catch (error) {
    if (!(error instanceof SwapfoldError)) return { kind: 'failure', error };
    return { kind: 'refusal', code: error.code, message: error.message, details: error.details };
  }
}
