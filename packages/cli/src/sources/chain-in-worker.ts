import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { Source, SourceItem } from '@swapfold/core';
import type { EvmSourceOptions } from '@swapfold/evm';
import type { SolanaSourceOptions } from '@swapfold/solana';
import { startThread } from '../threads/start-thread.ts';
import { ThreadDeath, takeItems } from '../threads/take-items.ts';

/** A source of a chain, and what became no swap, by reason. */
export interface ChainSource extends Source {
  readonly undecoded: Readonly<Record<string, number>>;
}

/** Options that can be handed to another thread. */
export type PlainOptions =
  | { readonly chain: 'evm'; readonly options: Omit<EvmSourceOptions, 'transport' | 'onNotice'> }
  | { readonly chain: 'solana'; readonly options: Omit<SolanaSourceOptions, 'transport' | 'blocks' | 'onNotice'> };

/** What a thread that reads a chain is given. */
export interface ChainTask {
  readonly of: PlainOptions;
  readonly after: string | null;
}

/** What the source gives, and what so far became no swap. */
export interface ChainItem {
  readonly item: SourceItem;
  readonly undecoded: ChainSource['undecoded'];
}

/** The source that options mean, in this thread. Errors: `invalid-input` for wrong options. */
export async function chainSource(of: PlainOptions, onNotice: (message: string) => void): Promise<ChainSource> {
  const source =
    of.chain === 'evm'
      ? (await import('@swapfold/evm')).evmSource({ ...of.options, onNotice })
      : (await import('@swapfold/solana')).solanaSource({ ...of.options, onNotice });
  return source as Source & { readonly undecoded: object } as ChainSource;
}

/**
 * A source of a chain in a thread of its own, so that it is read on one core while another stores what was read: the columns are handed over,
 * not copied. Where no thread can run, this one reads it, slower, and says so once.
 *
 * - Errors: `invalid-input` for wrong options, at once.
 */
export async function chainInWorker(of: PlainOptions, onNotice: (message: string) => void): Promise<ChainSource> {
  const source = await chainSource(of, onNotice);
  const { name, undecoded } = source;
  let canRun = true;
  function giveUp(cause: unknown): void {
    canRun = false;
    const why = cause instanceof Error ? cause.message : String(cause);
    onNotice(`No thread can run beside this one, which reads the chain itself, slower: ${why}`);
  }
  return {
    name,
    undecoded,
    async *read(after, { signal }): AsyncGenerator<SourceItem> {
      if (signal.aborted) return;
      const { port1: notices, port2 } = new MessageChannel();
      notices.on('message', onNotice);
      notices.unref();
      const task: ChainTask = { of, after };
      const thread = canRun ? started(task, port2, giveUp) : undefined;
      if (thread === undefined) {
        notices.close();
        yield* source.read(after, { signal });
        return;
      }
      const end = (): void => void thread.terminate();
      signal.addEventListener('abort', end);
      try {
        for await (const { item, undecoded: counts } of takeItems<ChainItem>(thread, 'reading a chain')) {
          Object.assign(undecoded, counts);
          yield item;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ThreadDeath && error.neverRan)) throw error;
        giveUp(error);
      } finally {
        signal.removeEventListener('abort', end);
        notices.close();
      }
      if (!canRun) yield* source.read(after, { signal });
    },
  };
}

/** `undefined` if none can run. */
function started(task: ChainTask, notices: MessagePort, giveUp: (cause: unknown) => void): Worker | undefined {
  try {
    return startThread('chain-reader', { ...task, notices }, [notices]);
  } catch (error) {
    giveUp(error);
    return undefined;
  }
}
