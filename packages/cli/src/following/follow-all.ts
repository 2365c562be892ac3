import { setTimeout as wait } from 'node:timers/promises';
import { type FollowResult, type Source, type Swapfold, SwapfoldError } from '@swapfold/core';
import { parseConfig } from '@swapfold/core/host';
import { type FileReject, fileSource, readPresets, requireFile } from '@swapfold/files';
import { readConfigFile } from '../config-file.ts';
import { inOptionWords } from '../importing/option-words.ts';
import { isStore, type StoreOptions } from '../open-store.ts';
import type { LiveOptions } from '../options/live-options.ts';
import type { ChainSource } from '../sources/chain-in-worker.ts';
import { evmSourceOf, isNodeUrl, parseNodeUrl, requireEvm, undecodedLine } from '../sources/evm.ts';
import { isSolanaUrl, parseSolanaUrl, solanaSourceOf } from '../sources/solana.ts';

/** Receives what happens to sources. */
export interface FollowLog {
  say(message: string): void;
  error(fields: object, message: string): void;
}

/** Rows at fault of which the log gives the reason, of each piece that is read. */
const MOST_TOLD = 3;

/** Seconds until a source that failed is read again: at first, and at most. */
const [FIRST, LAST] = [1, 30];

/** Looks at sources before a store is made for them, which would stay. Errors: `invalid-input`. */
export async function checkSources(given: readonly string[], { db, config }: StoreOptions): Promise<void> {
  if (await isStore(db)) return;
  for (const text of given) {
    if (isNodeUrl(text)) {
      parseNodeUrl(text);
      requireEvm(parseConfig(await readConfigFile(config)));
    } else if (isSolanaUrl(text)) parseSolanaUrl(text);
    else if (text !== '-') await requireFile(text);
  }
}

/** The sources that the command line names. `onUnread` gets how many rows could not be read. Errors: `invalid-input`, also for one that is named twice. */
export async function sourcesOf(
  given: readonly string[],
  live: LiveOptions,
  {
    dex,
    log,
    onUnread,
  }: {
    readonly dex: Pick<Swapfold, 'config'>;
    readonly log: FollowLog;
    readonly onUnread?: (rows: number) => void;
  },
): Promise<readonly Source[]> {
  const { map, rowIds, preset } = live;
  const options = {
    map,
    rowIds,
    presets: await readPresets(preset),
    chain: dex.config.chain,
    onUnread(rejects: readonly FileReject[], name: string) {
      tellRejects(log, name, rejects);
      onUnread?.(rejects.length);
    },
    onFailed: (path: string, err: unknown) =>
      log.error(
        { err },
        `${path} was not read; it is tried again when its size changes, or in half a minute if the system refused it:`,
      ),
  };
  const sources: Source[] = [];
  for (const text of given) {
    const ways = { ...live, onNotice: (message: string) => log.say(message) };
    const source = isNodeUrl(text)
      ? await evmSourceOf(parseNodeUrl(text), dex, ways)
      : isSolanaUrl(text)
        ? await solanaSourceOf(parseSolanaUrl(text), dex, ways)
        : await fileSource(text, options);
    if (sources.some(({ name }) => name === source.name))
      throw new SwapfoldError('invalid-input', `The source ${text} is given twice.`);
    sources.push(source);
  }
  return sources;
}

interface Storing {
  readonly signal: AbortSignal;
  readonly maxAhead: number;
  readonly log: FollowLog;
  /** Called after each item. */
  readonly onStored?: () => void;
}

/** Stores what a source gives until it ends. Reports rows at fault, and in the end the events of a chain that are no swaps. */
export async function followSource(
  dex: Swapfold,
  source: Source,
  { signal, maxAhead, log, onStored }: Storing,
): Promise<FollowResult> {
  let told = 0;
  const unread = new Set<string>();
  try {
    return await dex.follow(source, {
      signal,
      maxAhead,
      onReject({ field, reason }) {
        if (told++ < MOST_TOLD) log.say(`${source.name}: a row is left out: ${field} ${inOptionWords(reason)}`);
      },
      onItem() {
        onStored?.();
        for (const [reason, count] of Object.entries((source as Partial<ChainSource>).undecoded ?? {})) {
          if (count === 0 || unread.has(reason)) continue;
          unread.add(reason);
          log.say(`${source.name}: what cannot be read is counted from now on: ${reason.replaceAll('_', ' ')}.`);
        }
        if (told > MOST_TOLD) log.say(`${source.name}: ${told - MOST_TOLD} more rows are left out.`);
        told = 0;
      },
    });
  } finally {
    const line = undecodedLine(source);
    if (line !== undefined) log.say(`${source.name}: ${line}`);
  }
}

/** Follows a source beside what else the process does: it reports one that fails, and reads it again. Resolves when it ends or the signal aborts. */
export async function keepFollowing(dex: Swapfold, source: Source, options: Storing): Promise<void> {
  const { signal, log } = options;
  let patience = FIRST;
  const onStored = (): void => {
    patience = FIRST;
  };
  for (; ; patience = Math.min(patience * 2, LAST)) {
    try {
      await followSource(dex, source, { ...options, onStored });
      log.say(`The source ${source.name} has ended.`);
      return;
    } catch (err) {
      if (signal.aborted || (err instanceof SwapfoldError && err.code === 'closed')) return;
      log.error({ err }, `The source ${source.name} failed; it is read again in ${patience} s:`);
    }
    await wait(patience * 1000, undefined, { signal }).catch(() => undefined);
  }
}

function tellRejects(log: FollowLog, name: string, rejects: readonly FileReject[]): void {
  for (const { field, reason } of rejects.slice(0, MOST_TOLD))
    log.say(`${name}: a row is left out: ${field === '' ? 'it' : field} ${inOptionWords(reason)}`);
  if (rejects.length > MOST_TOLD) log.say(`${name}: ${rejects.length - MOST_TOLD} more rows are left out.`);
}
