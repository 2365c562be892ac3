import { type Source, type Swapfold, SwapfoldError, type TransferColumns } from '@swapfold/core';
import type { StreamSource } from '../bytes.ts';
import { fileSource } from '../follow/source-of.ts';
import type { Books } from './books.ts';
import type { ImportFilesOptions } from './options.ts';
import type { NewStore } from './target.ts';

const none = { added: 0, duplicate: 0, conflicting: 0, rejected: 0, passed_over: 0 };

/** Stores what comes in files until the signal aborts, or all of them have ended. */
export async function followFiles(
  to: Swapfold | NewStore,
  inputs: readonly (string | StreamSource)[],
  { kind = 'swaps', presets, map, rowIds, signal }: ImportFilesOptions,
  books: Books,
): Promise<void> {
  const dex = 'ingest' in to ? to : await to.open?.();
  const paths = inputs.filter((input) => typeof input === 'string');
  if (dex === undefined || (kind !== 'swaps' && kind !== 'transfers') || paths.length < inputs.length)
    throw new SwapfoldError(
      'invalid-input',
      'Only files of swaps and of transfers can be followed, by their paths, into a store.',
    );
  books.open([]);
  books.files = inputs.length;
  const options = {
    ...{ kind, presets, map, rowIds, chain: dex.config.chain },
    onUnread: (rejects: Parameters<Books['add']>[1]['rejects'], file: string) =>
      books.add(file, { rows: rejects.length, rejects, fraction: 0 }),
    onFailed: (file: string) => books.say({ kind: 'stopped', file }),
  };
  await Promise.all(
    paths.map(async (path) => {
      const found = await fileSource(path, options);
      const source = kind === 'transfers' ? ofTransfers(found) : found;
      let before = none;
      await dex.follow(source, {
        signal,
        onReject: (reject) => books.refuse({ ...reject, from: reject.from ?? { file: found.name, row: reject.row } }),
        onConflict: (conflict) => books.conflict(conflict),
        onItem(result) {
          const {
            added,
            duplicate,
            conflicting,
            rejected,
            passed_over = 0,
          } = kind === 'transfers' ? result.transfers : result;
          const now = { added, duplicate, conflicting, rejected, passed_over };
          const more = (name: keyof typeof none): number => now[name] - before[name];
          const counts = { added: more('added'), duplicate: more('duplicate'), conflicting: more('conflicting') };
          const rows = counts.added + counts.duplicate + counts.conflicting + more('rejected') + more('passed_over');
          books.add(found.name, { rows, rejects: [], counts, fraction: 0 });
          before = now;
        },
      });
    }),
  );
}

/** A source whose rows are transfers. Its name tells it from that of the swaps of the same file. */
function ofTransfers(source: Source): Source {
  return {
    ...source,
    name: `transfers ${source.name}`,
    async *read(after, options) {
      for await (const item of source.read(after, options))
        yield item.rows === undefined
          ? item
          : { ...item, rows: [], transfers: item.rows as unknown as TransferColumns };
    },
  };
}
