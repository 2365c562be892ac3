import assert from 'node:assert/strict';
import { formatTime, type RefreshCall, type SwapColumns, type Swapfold, type TextColumn } from '@swapfold/core';
import { readSwapFile } from 'swapfold';
import { databases } from '../databases.ts';
import { type Engine, filesOf } from '../files.ts';
import { tailOf } from '../market.ts';
import { openStore } from '../open.ts';
import { knownCount } from '../plain/known.ts';
import { openPlain } from '../plain/sql.ts';
import { slice } from '../slice.ts';
import { summary, type Times, timed, timePair } from '../timing.ts';

/** What is timed of a block of a thousand; the processor's time on all cores. */
type Step = 'ingest' | 'refresh' | 'search' | 'processor';

export interface IncrementalFigures extends Readonly<Record<Step, Times>> {
  /** A batch from its arrival until a search sees it. */
  readonly batch: Times;
  /** The same of blocks of a hundred. */
  readonly hundred: Times;
  /** The refresh of all that follows the blocks, milliseconds, and how many blocks there were. */
  readonly aging: number;
  readonly blocks: number;
  readonly known: { readonly ours: Times; readonly baseline: Times };
}

/** The time for batches that are all known, as part of that for the blocks. */
const KNOWN_PART = 1 / 12;

/** Swaps of a block, and of one of a smaller chain. */
const BLOCK = 1000;
const SMALL_BLOCK = 100;

/** The time for the small blocks, as part of that for the others. */
const SMALL_PART = 1 / 4;

/** A block's refresh folds those who traded; profiles that time alone has changed wait for a refresh of all. */
const TRADED: RefreshCall = { scope: 'traded' };

/** Feeds blocks of new swaps to a copy of the store, and a batch of known ones. */
export async function arriveInBlocks(task: {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
  readonly blocks: number;
  /** Blocks of a hundred swaps, after the others. */
  readonly hundreds: number;
  readonly seconds: number;
}): Promise<IncrementalFigures> {
  const files = filesOf(task.root, task.swaps);
  const path = files.scratch(`incremental.${task.engine}`);
  await databases[task.engine].copy(files.store[task.engine], path);
  const dex = await openStore(task.engine, path);
  const known = await timeKnown(dex, task);
  const times: Record<'batch' | Step, number[]> = { batch: [], ingest: [], refresh: [], search: [], processor: [] };
  // A service that is asked about tokens as well has both kinds of profiles in memory, and each refresh brings both up to date.
  await dex.tokens.search({ limit: 1 });
  const deadline = performance.now() + task.seconds * 1000;
  // The small blocks are the end of the tail.
  const kept = Math.ceil((task.hundreds * SMALL_BLOCK) / BLOCK);
  const most = Math.min(task.blocks + 2, Math.floor(tailOf(task.swaps) / BLOCK) - kept);
  let blocks = 0;
  const arrive = async (batch: SwapColumns) => ({
    ingest: await timed(() => dex.ingest(batch)),
    refresh: await timed(() => dex.refresh(TRADED)),
    search: await timed(() => assertSeen(dex, batch)),
  });
  const hundreds: number[] = [];
  let hundredsUntil = Number.POSITIVE_INFINITY;
  let isDone = false;
  for await (const { batch } of readSwapFile(files.tail, { batchRows: BLOCK })) {
    if (isDone) {
      for (let from = 0; from < batch.length && hundreds.length < task.hundreds; from += SMALL_BLOCK) {
        const { ingest, refresh, search } = await arrive(
          slice(batch, from, Math.min(from + SMALL_BLOCK, batch.length)),
        );
        hundreds.push(ingest + refresh + search);
      }
      if (hundreds.length >= task.hundreds || performance.now() > hundredsUntil) break;
      continue;
    }
    const begun = process.cpuUsage();
    const { ingest, refresh, search } = await arrive(batch);
    const { user, system } = process.cpuUsage(begun);
    // The first two find nothing warm.
    if (blocks++ >= 2) {
      times.ingest.push(ingest);
      times.refresh.push(refresh);
      times.search.push(search);
      times.processor.push((user + system) / 1000);
      times.batch.push(ingest + refresh + search);
    }
    isDone = blocks === most || (blocks > 4 && performance.now() > deadline);
    if (isDone) hundredsUntil = performance.now() + task.seconds * SMALL_PART * 1000;
  }
  const aging = await timed(() => dex.refresh());
  await dex.close();
  await databases[task.engine].remove(path);
  return {
    batch: summary(times.batch),
    hundred: summary(hundreds),
    ingest: summary(times.ingest),
    refresh: summary(times.refresh),
    search: summary(times.search),
    processor: summary(times.processor),
    aging,
    blocks,
    known,
  };
}

/** A search for what is as new as the last swap of the batch has to find who made it. */
async function assertSeen(dex: Swapfold, { columns, length }: SwapColumns): Promise<void> {
  const since = formatTime(columns.block_time[length - 1]!);
  const wallet = textAt(columns.wallet, length - 1);
  const { count, data } = await dex.wallets.search({
    filter: { updated_at: { $gte: since } },
    sort: { field: 'updated_at' },
    limit: 100,
    options: {},
  });
  assert.ok(count > 100 || data.some((profile) => profile.wallet_address === wallet), `${wallet} is not to be seen`);
}

function textAt(column: TextColumn, row: number): string | null {
  return 'dictionary' in column ? column.dictionary[column.ids[row]!]! : column[row]!;
}

/** A batch that the store has, whole, against a look for its hashes within its range of time. */
async function timeKnown(
  dex: Swapfold,
  {
    engine,
    swaps,
    root,
    seconds,
  }: { readonly engine: Engine; readonly swaps: number; readonly root: string; readonly seconds: number },
): Promise<IncrementalFigures['known']> {
  const files = filesOf(root, swaps);
  const batches: SwapColumns[] = [];
  for await (const { batch } of readSwapFile(files.known, { batchRows: 50_000 })) batches.push(batch);
  const [batch] = batches as [SwapColumns];
  const plain = await openPlain(engine, files.plain[engine]);
  const count = await knownCount(plain, files.known, batch);
  const figures = await timePair(
    {
      ours: () => dex.ingest(batch),
      baseline: () => count(),
      check(ours, baseline) {
        assert.equal((ours as { duplicate: number }).duplicate, batch.length);
        assert.equal(baseline, batch.length);
      },
    },
    { runs: 15, seconds: seconds * KNOWN_PART },
  );
  await plain.close();
  return figures;
}
