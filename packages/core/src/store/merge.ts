import { SwapfoldError } from '../errors.ts';
import { rankRows } from '../ingest/chain-keys.ts';
import { fromTheStart, markDirty } from '../ingest/changes.ts';
import type { Dictionary } from '../ingest/dictionary.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import { type Batch, type ColumnName, columnsOf, newBatch, type Table, takeRows } from '../records/columns.ts';
import { hash53 } from '../records/hash.ts';
import {
  balancesTable,
  legsTable,
  lotsTable,
  nativePricesTable,
  poolSwapsTable,
  swapsTable,
  tokenRegistryTable,
  tradePoolsTable,
  tradesTable,
  transactionsTable,
  walletRegistryTable,
} from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { compare } from '../storage/predicate.ts';
import { type ShardReader, type ShardRows, ShardSource, type ShardTransaction } from './shard-source.ts';

export interface MergeOptions {
  readonly dictionary: Dictionary;
  readonly onProgress?: ((swaps: number) => void) | undefined;
}

/** Swaps of one shard that are merged at once. */
const CHUNK = 50_000;

/**
 * Writes the shards of a market into an empty store, which is then the one that all swaps at once would have given. Nothing is folded
 * again: positions, lots and balances are their wallet's and come from its shard as they are; swaps and legs of all shards are put
 * into chain order, second by second. What belongs to tokens is folded from there by the refresh that follows.
 *
 * - `shards`: all of them, each once, of stores with the same configuration.
 * - Shape: the number of swaps.
 * - Errors: `invalid-input` where two shards hold the same swap.
 */
export async function mergeShards(
  writer: Writer,
  shards: readonly ShardReader[],
  options: MergeOptions,
): Promise<number> {
  const sources = await Promise.all(shards.map((shard) => ShardSource.open(writer, shard, options.dictionary)));
  const wallets = new Set<number>();
  const tokens = new Set<number>();
  let nextTx = 0;
  let done = 0;
  for (let after = -1; ; ) {
    const until = await endOfChunk(sources, after);
    if (until === undefined) break;
    const merged = await mergeChunk(writer, sources, after, until, nextTx);
    nextTx += merged.transactions;
    done += merged.swaps.length;
    for (const wallet of merged.swaps.columns.wallet) wallets.add(wallet);
    for (const token of merged.swaps.columns.token_in) tokens.add(token);
    for (const token of merged.swaps.columns.token_out) tokens.add(token);
    options.onProgress?.(done);
    after = lastSeqAt(until);
  }
  for (const source of sources) {
    for (const table of [lotsTable, balancesTable]) await source.copyPairs(writer, table);
  }
  for (const table of [tokenRegistryTable, walletRegistryTable]) await copyRegistry(writer, sources, table as Table);
  await markDirty(writer, 'wallets', fromTheStart(wallets));
  await markDirty(writer, 'tokens', fromTheStart(tokens));
  return done;
}

/** The second that the next chunk ends with: every shard has at most `CHUNK` swaps up to it, or that second alone. */
async function endOfChunk(sources: readonly ShardSource[], after: number): Promise<number | undefined> {
  let end: number | undefined;
  let last: number | undefined;
  for (const { reader } of sources) {
    const { length, columns } = await reader.read({
      table: swapsTable,
      columns: ['seq'],
      where: compare('seq', 'gt', after),
      order: [{ column: 'seq', direction: 'asc' }],
      limit: CHUNK,
    });
    if (length === 0) continue;
    const time = timeOf(columns.seq[length - 1]!);
    last = Math.max(last ?? time, time);
    if (length === CHUNK) end = Math.min(end ?? time, time);
  }
  return end ?? last;
}

async function mergeChunk(
  writer: Writer,
  sources: readonly ShardSource[],
  after: number,
  until: number,
  firstTx: number,
): Promise<{ swaps: Batch<typeof swapsTable>; transactions: number }> {
  const chunks: ShardRows[] = [];
  for (const source of sources) chunks.push(await source.rows(after, until));
  const owned = chunks.flatMap(({ isOwn }, source) => isOwn.flatMap((own, row) => (own ? [{ source, row }] : [])));
  const place = ({ source, row }: { source: number; row: number }): ShardTransaction =>
    chunks[source]!.transactions.get(chunks[source]!.swaps.columns.tx[row]!)!;
  const keys = {
    length: owned.length,
    time: Float64Array.from(owned, (at) => place(at).time),
    slot: Float64Array.from(owned, (at) => place(at).slot),
    index: Float64Array.from(owned, (at) => place(at).index),
    txHash: owned.map((at) => place(at).hash),
    swapIndex: Float64Array.from(owned, ({ source, row }) => chunks[source]!.swaps.columns.swap_index[row]!),
  };
  const { order, seq } = rankRows(keys);
  const swaps = newBatch(swapsTable, owned.length);
  const txOf = new Map<string, number>();
  const added: ShardTransaction[] = [];
  const seqOf = new Map<string, number>();
  const seqMaps = chunks.map(() => new Map<number, number>());
  for (let i = 0; i < order.length; i++) {
    const { source, row } = owned[order[i]!]!;
    const from = chunks[source]!.swaps.columns;
    const transaction = place({ source, row });
    const identity = identityOf(transaction, from.swap_index[row]!);
    if (seqOf.has(identity)) {
      throw new SwapfoldError(
        'invalid-input',
        `Two parts hold swap ${from.swap_index[row]} of transaction "${transaction.hash}", with different wallets; import the parts from one input.`,
      );
    }
    seqOf.set(identity, seq[i]!);
    seqMaps[source]!.set(from.seq[row]!, seq[i]!);
    let tx = txOf.get(transaction.hash);
    if (tx === undefined) {
      tx = firstTx + added.length;
      txOf.set(transaction.hash, tx);
      added.push(transaction);
    }
    for (const name of columnsOf(swapsTable)) swaps.columns[name][i] = from[name][row]!;
    swaps.columns.seq[i] = seq[i]!;
    swaps.columns.tx[i] = tx;
  }
  await writer.append(transactionsTable, {
    length: added.length,
    columns: {
      tx: Int32Array.from(added, (_, i) => firstTx + i),
      tx_key: Float64Array.from(added, ({ hash }) => hash53(hash)),
      tx_hash: added.map(({ hash }) => hash),
      block_time: Float64Array.from(added, ({ time }) => time),
      block_slot: Float64Array.from(added, ({ slot }) => slot),
      tx_index: Float64Array.from(added, ({ index }) => index),
    },
  });
  await writer.append(swapsTable, swaps);
  for (const [s, source] of sources.entries()) {
    const seqMap = seqMaps[s]!;
    for (const table of [legsTable, poolSwapsTable]) {
      const rows = await source.read(table as Table<{ readonly seq: 'long' }>, after, until);
      await writer.append(
        table as Table,
        placed(rows, (old) => seqMap.get(old)),
      );
    }
    const ofTrade = (old: number): number | undefined => shifted(seqMap.get(old - (old % 2)), old % 2);
    await writer.append(tradePoolsTable, placed(await source.read(tradePoolsTable, after, until), ofTrade));
    const kept = placed(await source.read(tradesTable, after, until), ofTrade);
    const hashes = chunks[s]!.transactions;
    for (let i = 0; i < kept.length; i++) kept.columns.tx[i] = txOf.get(hashes.get(kept.columns.tx[i]!)!.hash)!;
    await writer.append(tradesTable, kept);
  }
  const first = sources[0]!;
  const identities = identitiesOf(chunks[0]!);
  const prints = await first.read(nativePricesTable, after, until);
  await writer.append(
    nativePricesTable,
    placed(prints, (old) => seqOf.get(identities.get(old)!)),
  );
  return { swaps, transactions: added.length };
}

function identityOf({ hash }: ShardTransaction, swapIndex: number): string {
  return `${hash} ${swapIndex}`;
}

function identitiesOf({ swaps, transactions }: ShardRows): ReadonlyMap<number, string> {
  const { seq, tx, swap_index: index } = swaps.columns;
  return new Map(Array.from(seq, (old, row) => [old, identityOf(transactions.get(tx[row]!)!, index[row]!)]));
}

function shifted(seq: number | undefined, half: number): number | undefined {
  return seq === undefined ? undefined : seq + half;
}

/** The rows that have a new place, at it. */
function placed<T extends Table<{ readonly seq: 'long' }>>(
  rows: Batch<T>,
  seqOf: (old: number) => number | undefined,
): Batch<T> {
  const old = rows.columns.seq as unknown as Float64Array;
  const kept: number[] = [];
  const seq: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const at = seqOf(old[i]!);
    if (at === undefined) continue;
    kept.push(i);
    seq.push(at);
  }
  const taken = takeRows(rows, kept) as Batch<T>;
  (taken.columns.seq as unknown as Float64Array).set(seq);
  return taken;
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
