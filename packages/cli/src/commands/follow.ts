import type { Swapfold } from '@swapfold/core';
import { SwapfoldError } from '@swapfold/core';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { checkSources, followSource, sourcesOf } from '../following/follow-all.ts';
import { watchInterruption } from '../interruption.ts';
import { type StoreOptions, withStore } from '../open-store.ts';
import { addLiveOptions, type LiveOptions } from '../options/live-options.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { note, print } from '../output.ts';
import { textLog } from '../request-log.ts';
import { formatCount } from '../text/numbers.ts';

interface FollowOptions extends StoreOptions, LiveOptions {}

/** `swapfold follow SOURCE... --db URL` */
export function addFollow(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('follow')
    .summary('store swaps as they come, from files, folders and pipes')
    .argument('<source...>', '-, a FIFO, a file, a folder, evm:URL or solana:URL, a node')
    .description(
      'Stores swaps as they come, and refreshes the profiles by itself, until it is stopped (Ctrl-C, SIGTERM) or its sources end. A SOURCE is - (NDJSON on standard input, which ends with it), a FIFO, a file of NDJSON or CSV (read to its end, then as it grows), a folder (each file once), or evm: or solana: and the address of a node, for the swaps of its chain. The place in a file is stored with its swaps: the next run goes on there.',
    );
  addLiveOptions(addStoreOptions(command))
    .addHelpText(
      'after',
      examplesHelp([
        'decoder | swapfold follow - --db live.db',
        'swapfold follow /var/spool/swaps --db live.duckdb --refresh-all-every 1m',
        'swapfold follow solana:http://127.0.0.1:8899 --db live.db',
        'swapfold follow evm:http://127.0.0.1:8545 --pool 0x88... --config eth.json --db eth.db',
        'swapfold follow swaps.ndjson --db live.db --map ts=block_time',
      ]),
    )
    .action(async (sources: string[], options: FollowOptions) => {
      await checkSources(sources, options);
      end(await withStore(options, (dex) => follow(dex, sources, options)));
    });
}

async function follow(dex: Swapfold, given: readonly string[], options: FollowOptions): Promise<ExitCode> {
  const log = textLog(false);
  const counts = { added: 0, duplicate: 0, conflicting: 0, rejected: 0, passed_over: 0 };
  const onUnread = (rows: number): void => {
    counts.rejected += rows;
  };
  const sources = await sourcesOf(given, options, { dex, log, onUnread });
  const { maxAhead, refreshEvery: every, refreshAllEvery: allEvery } = options;
  const stop = new AbortController();
  const interruption = watchInterruption(() => {
    note('Stopping ...');
    stop.abort();
  });
  const fresh = new AbortController();
  const refreshing = dex.keepFresh({
    every,
    allEvery,
    signal: fresh.signal,
    onError: (err) => log.error({ err }, 'The profiles were not refreshed:'),
  });
  try {
    const results = await Promise.all(
      sources.map((source) => untilStopped(followSource(dex, source, { signal: stop.signal, maxAhead, log }), stop)),
    );
    fresh.abort();
    await refreshing;
    for (const result of results)
      for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += result?.[name] ?? 0;
    print(
      Object.entries(counts)
        .filter(([name, count]) => name !== 'passed_over' || count > 0)
        .map(([name, count]) => `${formatCount(count)} ${name.replace('_', ' ')}`)
        .join(', '),
    );
    if (!stop.signal.aborted) await untilStopped(dex.refresh({ signal: stop.signal }), stop);
    const stored = counts.added + counts.duplicate + counts.conflicting;
    return stored === 0 && counts.rejected > 0 ? exitCodes.failed : exitCodes.ok;
  } finally {
    stop.abort();
    fresh.abort();
    await refreshing.catch(() => undefined);
    interruption.dispose();
  }
}

/** What a source gave, also if it was stopped. */
async function untilStopped<R>(
  following: Promise<R>,
  stop: AbortController,
): Promise<R | SwapfoldError['result'] | undefined> {
  try {
    return await following;
  } catch (error) {
    if (!(stop.signal.aborted && error instanceof SwapfoldError && error.code === 'aborted')) {
      stop.abort();
      throw error;
    }
    return error.result;
  }
}
