import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Source, type SourceItem, SwapfoldError } from '@swapfold/core';
import { batchesOfParts, readParts } from '../read-swap-file.ts';
import { rowKinds } from '../row-kinds.ts';
import type { RowOptions } from './read-lines.ts';

/** Milliseconds between two looks at the folder. */
const BETWEEN = 500;

/** Milliseconds that a file has not changed before it counts as complete. */
const SETTLED = 1000;

/** Milliseconds until a file is tried again that the system did not let be read. */
const AGAIN = 30_000;

/** Whether the file may be read later as it is: too many files are open, a permission is missing, the disk fails. */
const isOfSystem = (error: unknown): boolean =>
  [error, (error as Error).cause].some((one) => {
    const { errno, code } = (one ?? {}) as NodeJS.ErrnoException;
    // What unpacks has numbers, too, for a file that is damaged.
    return typeof errno === 'number' && !/^Z(STD)?_/.test(String(code));
  });

/** Rows of one transaction. */
const BATCH = 50_000;

/** What has become of the files of a folder, by name: their sizes. Files that have left the folder are in none. */
interface Place {
  readonly read: Record<string, number>;
  /** Files that could not be read: tried again when their size changes. */
  readonly failed: Record<string, number>;
  /** The file at hand, and how many batches of it are stored. */
  readonly at?: { readonly name: string; readonly size: number; readonly batches: number } | undefined;
}

/** How files that are followed are read. */
export interface FolderOptions extends RowOptions {
  /** Called with a file that could not be read, and why. */
  readonly onFailed?: ((path: string, error: unknown) => void) | undefined;
}

/** CSV, NDJSON (both also gzip), Parquet and Arrow files of a folder, each once, by name and size, in the order of their names. */
export function folder(path: string, options: FolderOptions): Source {
  return {
    name: path,
    async *read(after, { signal }) {
      let place: Place = after === null ? { read: {}, failed: {} } : (JSON.parse(after) as Place);
      /** When files are tried again that the system did not let be read. */
      const again = new Map<string, number>();
      while (!signal.aborted) {
        const found = await filesOf(path);
        let hasRead = false;
        for (const { name, size, isSettled } of found) {
          if (place.read[name] === size || place.failed[name] === size || !isSettled || signal.aborted) continue;
          if (Date.now() < (again.get(name) ?? 0)) continue;
          hasRead = true;
          const begun = place.at?.name === name && place.at.size === size ? place.at.batches : 0;
          const names = new Set(found.map((file) => file.name));
          place = { read: only(place.read, names), failed: only(place.failed, names) };
          let batches = begun;
          try {
            for await (const rows of batchesOf(join(path, name), begun, options)) {
              batches++;
              yield itemOf(path, { ...place, at: { name, size, batches } }, rows);
            }
            place = { read: { ...place.read, [name]: size }, failed: only(place.failed, names, name) };
          } catch (error) {
            // Of the file, not of the store: that does not come through here.
            options.onFailed?.(join(path, name), error);
            if (isOfSystem(error)) {
              again.set(name, Date.now() + AGAIN);
              continue;
            }
            place = { read: only(place.read, names, name), failed: { ...place.failed, [name]: size } };
          }
          yield itemOf(path, place, []);
        }
        if (!hasRead) await wait(BETWEEN, undefined, { signal }).catch(() => undefined);
      }
    },
  };
}

/** Characters of a place that a store takes. */
const MOST = 1_000_000;

function itemOf(path: string, place: Place, rows: Extract<SourceItem, { rows: unknown }>['rows']): SourceItem {
  const text = JSON.stringify(place);
  if (text.length <= MOST) return { rows, place: text };
  throw new SwapfoldError(
    'source-failed',
    `${path} has ${Object.keys(place.read).length} files that are read, and the store remembers no more: move them to another folder.`,
  );
}

/** The batches of a file behind those that are stored. */
async function* batchesOf(
  path: string,
  stored: number,
  { kind = 'swaps', map, rowIds, presets, chain, onUnread }: FolderOptions,
) {
  let number = 0;
  const parts = readParts(path, { map, rowIds, presets, chain, batchRows: BATCH }, rowKinds[kind]);
  for await (const { batch, rejects } of batchesOfParts(parts)) {
    if (number++ < stored) continue;
    if (rejects.length > 0) onUnread?.(rejects, path);
    yield batch;
  }
}

async function filesOf(path: string) {
  const names = await readdir(path).catch((cause: unknown) => {
    throw new SwapfoldError('invalid-input', `Cannot read the folder ${path}: ${(cause as Error).message}.`, { cause });
  });
  const now = Date.now();
  const files = [];
  for (const name of names.sort()) {
    if (name.startsWith('.') || /\.(tmp|part|partial)$/.test(name)) continue;
    const found = await stat(join(path, name)).catch(() => undefined);
    if (found?.isFile() !== true || found.size === 0) continue;
    files.push({ name, size: found.size, isSettled: Math.abs(now - found.mtimeMs) >= SETTLED });
  }
  return files;
}

function only(sizes: Readonly<Record<string, number>>, names: ReadonlySet<string>, without?: string) {
  return Object.fromEntries(Object.entries(sizes).filter(([name]) => names.has(name) && name !== without));
}
