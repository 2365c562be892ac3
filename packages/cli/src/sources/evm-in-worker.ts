import { MessageChannel } from 'node:worker_threads';
import type { SourceItem } from '@swapfold/core';
import { type EvmSource, type EvmSourceOptions, evmSource } from '@swapfold/evm';
import { startThread } from '../threads/start-thread.ts';
import { takeItems } from '../threads/take-items.ts';

/** Options that can be handed to another thread. */
type PlainOptions = Omit<EvmSourceOptions, 'transport' | 'onNotice'>;

/** What a thread that reads a chain is given. */
export interface ChainTask {
  readonly options: PlainOptions;
  readonly after: string | null;
}

/** What the source gives, and the events so far that became no swap. */
export interface ChainItem {
  readonly item: SourceItem;
  readonly undecoded: EvmSource['undecoded'];
}

/**
 * `evmSource` in a thread of its own, so that a chain is read on one core while another stores what was read: the columns are handed over, not
 * copied.
 *
 * - Errors: `invalid-input` for wrong options, at once.
 */
export function evmSourceInWorker(options: PlainOptions, onNotice: (message: string) => void): EvmSource {
  const { name, undecoded } = evmSource(options);
  return {
    name,
    undecoded,
    async *read(after, { signal }): AsyncGenerator<SourceItem> {
      if (signal.aborted) return;
      const { port1: notices, port2 } = new MessageChannel();
      notices.on('message', onNotice);
      notices.unref();
      const task: ChainTask = { options, after };
      const thread = startThread('chain-reader', { ...task, notices: port2 }, [port2]);
      const end = (): void => void thread.terminate();
      signal.addEventListener('abort', end);
      try {
        for await (const { item, undecoded: counts } of takeItems<ChainItem>(thread, 'reading a chain')) {
          Object.assign(undecoded, counts);
          yield item;
        }
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        signal.removeEventListener('abort', end);
        notices.close();
      }
    },
  };
}
