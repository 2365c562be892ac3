import { SwapfoldError } from '../errors.ts';
import { type ChainKeys, inChainOrder, joinKeys, takeKeys } from '../ingest/chain-keys.ts';
import type { ApplyContext } from '../ingest/context.ts';
import type { Swaps } from '../ledger/value.ts';
import { lastSeqAt, MAX_SWAP_INDEX, timeOf } from '../records/chain-order.ts';
import { type Batch, type ColumnName, columnsOf, concatBatches, type Table, takeRows } from '../records/columns.ts';
import { hash53 } from '../records/hash.ts';
import { KeySet } from '../records/key-index.ts';
import { swapsTable, tokenRegistryTable, transactionsTable, walletRegistryTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { compare } from '../storage/predicate.ts';
import { CHUNK, Derivation, derivationContext } from './derivation.ts';
import { type ShardReader, ShardSource } from './shard-source.ts';

export interface MergeOptions {
  readonly context: ApplyContext;
  readonly onProgress?: ((swaps: number) => void) | undefined;
}

/**
 * Writes the shards of a market into an empty store, which is then the one that all swaps at once would have given: the swaps of all
 * shards are put into chain order, second by second, and everything is derived from them.
 *
 * - `shards`: all of them, each once, of stores with the same configuration.
 * - Shape: the number of swaps.
 * - Errors: `invalid-input` where two shards hold the same swap.
 */
export async function mergeShards(
  writer: Writer,
  shards: readonly ShardReader[],
  { context, onProgress }: MergeOptions,
): Promise<number> {
  const sources = await Promise.all(shards.map((shard) => ShardSource.open(writer, shard, context.dictionary)));
  const derivation = new Derivation(writer, derivationContext(writer, context));
  let firstTx = 0;
  let done = 0;
  for (let after = -1; ; ) {
    const until = await endOfChunk(sources, after);
    if (until === undefined) break;
    const { swaps, keys } = await swapsUntil(sources, after, until);
    firstTx += await writeTransactions(writer, swaps, keys, firstTx);
    await derivation.add(swaps);
    await writer.append(swapsTable, swaps);
    done += swaps.length;
    onProgress?.(done);
    after = lastSeqAt(until);
  }
  await derivation.end();
  await derivation.markAllDirty(writer);
  for (const table of [tokenRegistryTable, walletRegistryTable]) await copyRegistry(writer, sources, table as Table);
  return done;
}

/** The second that the next chunk ends with: all shards together have about `CHUNK` swaps up to it, or some have that second alone. */
async function endOfChunk(sources: readonly ShardSource[], after: number): Promise<number | undefined> {
  const most = Math.ceil(CHUNK / sources.length);
  let end: number | undefined;
  let last: number | undefined;
  for (const { reader } of sources) {
    const { length, columns } = await reader.read({
      table: swapsTable,
      columns: ['seq'],
      where: compare('seq', 'gt', after),
      order: [{ column: 'seq', direction: 'asc' }],
      limit: most,
    });
    if (length === 0) continue;
    const time = timeOf(columns.seq[length - 1]!);
    last = Math.max(last ?? time, time);
    if (length === most) end = Math.min(end ?? time, time);
  }
  return end ?? last;
}

/** The swaps of all shards up to a second, in chain order. */
async function swapsUntil(
  sources: readonly ShardSource[],
  after: number,
  until: number,
): Promise<{ readonly swaps: Swaps; readonly keys: ChainKeys }> {
  const parts: { readonly swaps: Swaps; readonly keys: ChainKeys }[] = [];
  for (const source of sources) parts.push(await source.swaps(after, until));
  const given = concatBatches(
    swapsTable,
    columnsOf(swapsTable),
    parts.map(({ swaps }) => swaps),
  );
  const keys = joinKeys(parts.map((part) => part.keys));
  const { swaps, order } = inChainOrder(given, keys);
  return { swaps, keys: takeKeys(keys, order) };
}

/** Gives transactions ids from `firstTx` on, in chain order, writes them, and gives their number. A transaction may have swaps of several shards. */
async function writeTransactions(
  writer: Writer,
  { columns: c, length }: Swaps,
  keys: ChainKeys,
  firstTx: number,
): Promise<number> {
  const places = new Map<string, number>();
  const first: number[] = [];
  const seen = new KeySet(length);
  for (let row = 0; row < length; row++) {
    const hash = keys.txHash[row]!;
    const place = places.get(hash) ?? first.push(row) - 1;
    places.set(hash, place);
    const identity = place * (MAX_SWAP_INDEX + 1) + keys.swapIndex[row]!;
    if (seen.has(identity))
      throw new SwapfoldError(
        'invalid-input',
        `Two parts hold swap ${keys.swapIndex[row]} of transaction "${hash}", with different wallets; import the parts from one input.`,
      );
    seen.add(identity);
    c.tx[row] = firstTx + place;
  }
  const added = takeKeys(keys, first);
  await writer.append(transactionsTable, {
    length: added.length,
    columns: {
      tx: Int32Array.from(first, (_, place) => firstTx + place),
      tx_key: Float64Array.from(added.txHash, hash53),
      tx_hash: added.txHash as string[],
      block_time: added.time,
      block_slot: added.slot,
      tx_index: added.index,
    },
  });
  return added.length;
}

/** Registries are the same in all shards, as far as they were imported: what the store or an earlier shard says of an address stands. */
async function copyRegistry(writer: Writer, sources: readonly ShardSource[], table: Table): Promise<void> {
  const seen = new Set<number>();
  for await (const { columns } of writer.stream<Table, string>({ table, columns: ['id'] }))
    for (const id of columns.id as Int32Array) seen.add(id);
  for (const source of sources) {
    for await (const batch of source.reader.stream<Table, string>({
      table,
      columns: columnsOf(table) as ColumnName<Table>[],
    })) {
      source.translate(table, batch);
      const ids = batch.columns.id as Int32Array;
      const added = takeRows(
        batch,
        Array.from(ids.keys()).filter((row) => !seen.has(ids[row]!)),
      ) as Batch;
      for (const id of ids) seen.add(id);
      await writer.append(table, added);
    }
  }
}
