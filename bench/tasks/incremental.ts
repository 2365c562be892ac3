import assert from 'node:assert/strict';
import type { RefreshOptions, SwapColumns, Swapfold } from '@swapfold/core';
import { formatTime, type TextColumn } from '@swapfold/core/host';
import { readSwapFile } from 'swapfold';
import { databases, openStore } from '../databases.ts';
import { type Engine, filesOf } from '../files.ts';
import { tailOf } from '../market.ts';
import { summary, type Times, timed } from '../timing.ts';

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
  readonly known: Times;
}

/** Swaps of a block, and of one of a smaller chain. */
const BLOCK = 1000;
const SMALL_BLOCK = 100;

/** The time for the small blocks, as part of that for the others. */
const SMALL_PART = 1 / 4;

/** A block's refresh folds those who traded; profiles that time alone has changed wait for a refresh of all. */
const TRADED: RefreshOptions = { scope: 'traded' };

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
  const known = await timeKnown(dex, files.parquet);
  const times: Record<'batch' | Step, number[]> = { batch: [], ingest: [], refresh: [], search: [], processor: [] };
  // A service that is asked about tokens as well has both kinds of profiles in memory, and each refresh brings both up to date.
  await dex.tokens.search({ limit: 1 });
  const deadline = performance.now() + task.seconds * 1000;
  // The small blocks are the end of the tail, at most half of it.
  const tail = Math.floor(tailOf(task.swaps) / BLOCK);
  const kept = Math.min(Math.ceil((task.hundreds * SMALL_BLOCK) / BLOCK), Math.floor(tail / 2));
  const most = Math.min(task.blocks + 2, tail - kept);
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

/** How long a batch takes that the store has, whole. */
async function timeKnown(dex: Swapfold, file: string): Promise<Times> {
  const times: number[] = [];
  for await (const { batch } of readSwapFile(file, { batchRows: 10_000 })) {
    for (let i = 0; i < 15; i++)
      times.push(await timed(async () => assert.equal((await dex.ingest(batch)).duplicate, batch.length)));
    break;
  }
  return summary(times);
}

/** Rows [from, to) of a batch. */
function slice({ columns }: SwapColumns, from: number, to: number): SwapColumns {
  const cut = Object.entries(columns).map(([name, column]) => [
    name,
    'dictionary' in column ? { ...column, ids: column.ids.slice(from, to) } : column.slice(from, to),
  ]);
  return { length: to - from, columns: Object.fromEntries(cut) } as SwapColumns;
}
