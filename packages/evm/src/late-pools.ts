import type { Notices } from '@swapfold/chain';
import { eventKinds, type Log } from './event-kinds.ts';
import type { InitializeSearch } from './initialize-search.ts';
import type { LogFilter } from './log-filter.ts';
import type { Logs } from './logs.ts';
import type { Reading } from './pieces.ts';
import type { Pools } from './pools.ts';
import { readWhole } from './read-whole.ts';
import type { SwapRow } from './rows.ts';
import { createdLog, type SearchedPool, searchedKey, toRows } from './searched-pools.ts';
import { headersOf, wholeRange } from './whole-range.ts';
import { numberOf } from './words.ts';

interface Parts {
  readonly search: InitializeSearch;
  readonly pools: Pools;
  readonly logsOf: (filter: LogFilter) => Logs;
  readonly notices: Notices;
}

/** Reads the swaps of pools whose tokens became known only when their blocks had been read. */
export class LatePools {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Takes up what a place in the store remembers. */
  resume(remembered: readonly SearchedPool[]): void {
    for (const pool of this.#parts.search.resume(remembered)) this.#know(pool);
  }

  /** Whether pools are still searched for. */
  get isOpen(): boolean {
    return this.#parts.search.isOpen;
  }

  /** Whether there are pools to read. Errors: what ended the search. */
  get isReady(): boolean {
    return this.#parts.search.ready.length > 0;
  }

  /** What a place in the store is to remember: nothing, unless a pool took long. */
  toPlace(): { readonly pools?: unknown } {
    const { pools } = this.#parts.search;
    return pools.length === 0 ? {} : { pools: toRows(pools) };
  }

  forgetFrom(block: number): void {
    this.#parts.search.forgetFrom(block);
  }

  /**
   * The swaps of pools that were found, in blocks up to one, range by range; a place that is made behind a range remembers it. Nothing else may
   * read blocks meanwhile, so that each block is read with the pool or before it.
   *
   * - Errors: `Inconsistent`, after which it can be read again.
   */
  async *read(reading: Reading, to: number): AsyncGenerator<readonly SwapRow[]> {
    const { search, notices } = this.#parts;
    for (let pool = search.ready[0]; pool !== undefined; pool = search.ready[0]) {
      this.#know(pool);
      const of = `pool ${pool.id} of ${pool.manager}`;
      if (pool.made === null) {
        notices.say(
          `initialize ${searchedKey(pool)}`,
          `The node gives no Initialize event of ${of} in blocks 0 to ${pool.unread}: its swaps are left out and counted.`,
        );
      } else {
        notices.tell(
          `The Initialize event of ${of} is in block ${pool.made.block}: its swaps since block ${pool.unread} are read.`,
        );
        yield* this.#swapsOf(reading, pool, to);
      }
      pool.unread = null;
      search.done(pool);
      yield [];
    }
  }

  async *#swapsOf(reading: Reading, pool: SearchedPool, to: number): AsyncGenerator<readonly SwapRow[]> {
    const { swapTopic } = eventKinds.find(({ name }) => name === pool.kind)!;
    const logs = this.#parts.logsOf({ address: [pool.manager], topics: [[swapTopic], [pool.id]] });
    while (pool.unread! <= to) {
      const from = pool.unread!;
      const end = Math.min(to, from + logs.size - 1);
      const [first, last] = await headersOf(reading, [from, end]);
      const found = await wholeRange({ ...reading, logs }, await logs.ofRange(from, end), [first!, last!]);
      const rows = await rowsOf(reading, found);
      pool.unread = end + 1;
      yield rows;
    }
  }

  #know(pool: SearchedPool): void {
    const { made, unread } = pool;
    const log = made === null ? null : createdLog(pool);
    this.#parts.pools.addSearched(searchedKey(pool), log, unread ?? made?.block ?? 0);
  }
}

/** The swaps of logs, whose blocks are read whole, as they would have been read with the others. */
async function rowsOf(reading: Reading, logs: readonly Log[]): Promise<readonly SwapRow[]> {
  const isWanted = new Set(logs.map(({ transactionHash, logIndex }) => `${transactionHash} ${numberOf(logIndex)}`));
  const rows: SwapRow[] = [];
  for (const block of [...new Set(logs.map(({ blockNumber }) => numberOf(blockNumber)))].sort((a, b) => a - b)) {
    const [header] = await headersOf(reading, [block]);
    const all = await wholeRange(reading, await reading.logs.ofRange(block, block), [header!, header!]);
    const read = await readWhole(reading, all, undefined);
    rows.push(...read.rows.filter(({ tx_hash, swap_index }) => isWanted.has(`${tx_hash} ${swap_index}`)));
  }
  return rows;
}
