import { SwapfoldError } from '../errors.ts';
import type { Dictionary } from '../ingest/dictionary.ts';
import { fromTheStart, markDirty } from '../ingest/dirty.ts';
import { hash53 } from '../ingest/hash.ts';
import { type Part, partOf } from '../ingest/part.ts';
import { placeRows } from '../ingest/place.ts';
import { lastSeqAt, pairOf, timeOf } from '../records/chain-order.ts';
import { type Batch, type ColumnName, columnsOf, NO_ID, newBatch, type Table, takeRows } from '../records/columns.ts';
import {
  balancesTable,
  legsTable,
  lotsTable,
  nativePricesTable,
  swapsTable,
  textsTable,
  tokenRegistryTable,
  tradesTable,
  transactionsTable,
  walletRegistryTable,
} from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { between, compare } from '../storage/predicate.ts';

/** A store that holds one part of the wallets. */
export interface PartReader {
  readonly part: Part;
  readonly reader: Reader;
}

export interface MergeOptions {
  readonly dictionary: Dictionary;
  readonly onProgress?: ((swaps: number) => void) | undefined;
}

/** Swaps of one part that are merged at once. */
const CHUNK = 50_000;

/** Columns of type `id` that hold no text: codes, counts, and the transaction, which has ids of its own. */
const codes = new Set(['tx', 'swap_type', 'direction', 'position_state', 'is_self', 'ordinal', 'is_reported']);

/**
 * Writes the parts of a market into an empty store, which is then the one that all swaps at once would have given. Nothing is folded
 * again: positions, lots and balances are their wallet's and come from its part as they are; swaps and legs of all parts are put
 * into chain order, second by second. What belongs to tokens is folded from there by the refresh that follows.
 *
 * - `parts`: all of them, each once, of stores with the same configuration.
 * - Shape: the number of swaps.
 * - Errors: `invalid-input` where two parts hold the same swap.
 */
export async function mergeParts(writer: Writer, parts: readonly PartReader[], options: MergeOptions): Promise<number> {
  const sources = await Promise.all(parts.map((part) => Source.open(writer, part, options.dictionary)));
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

/** The second that the next chunk ends with: every part has at most `CHUNK` swaps up to it, or that second alone. */
async function endOfChunk(sources: readonly Source[], after: number): Promise<number | undefined> {
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

/** The swaps of one part in a range of seconds, with their places in chain order. */
interface Rows {
  readonly swaps: Batch<typeof swapsTable>;
  /** Whether a row is of a wallet of the part: the others are there for the native price only. */
  readonly isOwn: readonly boolean[];
  readonly transactions: ReadonlyMap<number, TransactionRow>;
}

interface TransactionRow {
  readonly hash: string;
  readonly time: number;
  readonly slot: number;
  readonly index: number;
}

async function mergeChunk(
  writer: Writer,
  sources: readonly Source[],
  after: number,
  until: number,
  firstTx: number,
): Promise<{ swaps: Batch<typeof swapsTable>; transactions: number }> {
  const chunks: Rows[] = [];
  for (const source of sources) chunks.push(await source.rows(after, until));
  const owned = chunks.flatMap(({ isOwn }, source) => isOwn.flatMap((own, row) => (own ? [{ source, row }] : [])));
  const place = ({ source, row }: { source: number; row: number }): TransactionRow =>
    chunks[source]!.transactions.get(chunks[source]!.swaps.columns.tx[row]!)!;
  const places = {
    length: owned.length,
    time: Float64Array.from(owned, (at) => place(at).time),
    slot: Float64Array.from(owned, (at) => place(at).slot),
    index: Float64Array.from(owned, (at) => place(at).index),
    txHash: owned.map((at) => place(at).hash),
    swapIndex: Float64Array.from(owned, ({ source, row }) => chunks[source]!.swaps.columns.swap_index[row]!),
  };
  const { order, seq } = placeRows(places);
  const swaps = newBatch(swapsTable, owned.length);
  const txOf = new Map<string, number>();
  const added: TransactionRow[] = [];
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
    const legs = await source.read(legsTable, after, until);
    await writer.append(
      legsTable,
      placed(legs, (old) => seqMap.get(old)),
    );
    const trades = await source.read(tradesTable, after, until);
    const kept = placed(trades, (old) => shifted(seqMap.get(old - (old % 2)), old % 2));
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

function identityOf({ hash }: TransactionRow, swapIndex: number): string {
  return `${hash} ${swapIndex}`;
}

function identitiesOf({ swaps, transactions }: Rows): ReadonlyMap<number, string> {
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

/** One part, whose ids of texts are read as those of the merged store. */
class Source {
  readonly reader: Reader;
  readonly #part: Part;
  readonly #idOf: Int32Array;
  readonly #isOwn: Uint8Array;

  private constructor({ reader, part }: PartReader, idOf: Int32Array, isOwn: Uint8Array) {
    this.reader = reader;
    this.#part = part;
    this.#idOf = idOf;
    this.#isOwn = isOwn;
  }

  static async open(writer: Writer, source: PartReader, dictionary: Dictionary): Promise<Source> {
    const size = ((await source.reader.max(textsTable, 'id')) ?? -1) + 1;
    const idOf = new Int32Array(size).fill(NO_ID);
    const isOwn = new Uint8Array(size);
    for await (const { columns } of source.reader.stream({ table: textsTable, columns: ['id', 'text'] })) {
      const texts = columns.text as string[];
      const ids = await dictionary.intern(writer, texts);
      for (const [i, text] of texts.entries()) {
        idOf[columns.id[i]!] = ids[i]!;
        isOwn[columns.id[i]!] = partOf(text, source.part.of) === source.part.index ? 1 : 0;
      }
    }
    return new Source(source, idOf, isOwn);
  }

  async rows(after: number, until: number): Promise<Rows> {
    const swaps = await this.#read(swapsTable, between('seq', after + 1, lastSeqAt(until)));
    const isOwn = Array.from(swaps.columns.wallet, (wallet) => this.#isOwn[wallet] === 1);
    this.#translate(swapsTable, swaps);
    const rows = await this.reader.read({
      table: transactionsTable,
      columns: ['tx', 'tx_hash', 'block_time', 'block_slot', 'tx_index'],
      where: between('block_time', timeOf(after + 1), until),
    });
    const c = rows.columns;
    const transactions = new Map(
      Array.from(c.tx, (tx, i) => [
        tx,
        { hash: c.tx_hash[i]!, time: c.block_time[i]!, slot: c.block_slot[i]!, index: c.tx_index[i]! },
      ]),
    );
    return { swaps, isOwn, transactions };
  }

  /** Rows of a range of seconds, in order, those of foreign wallets left out where the table has wallets. */
  async read<T extends Table<{ readonly seq: 'long' }>>(table: T, after: number, until: number): Promise<Batch<T>> {
    const rows = await this.#read(table as unknown as Table, between('seq', after + 1, lastSeqAt(until)));
    const own = this.#own(rows);
    this.#translate(table as unknown as Table, own);
    return own as unknown as Batch<T>;
  }

  /** Copies what is kept of the pairs of the part's wallets. */
  async copyPairs<T extends typeof lotsTable | typeof balancesTable>(writer: Writer, table: T): Promise<void> {
    for await (const batch of this.reader.stream<Table, string>({ table: table as Table, columns: columnsOf(table) })) {
      const own = this.#own(batch);
      this.#translate(table as Table, own);
      const { pair, wallet, token } = own.columns as { pair: Float64Array; wallet: Int32Array; token: Int32Array };
      for (let i = 0; i < own.length; i++) pair[i] = pairOf(wallet[i]!, token[i]!);
      await writer.append(table as Table, own);
    }
  }

  /** Writes the merged store's ids over the part's. */
  translate(table: Table, rows: Batch): void {
    this.#translate(table, rows);
  }

  get name(): string {
    return `${this.#part.index}/${this.#part.of}`;
  }

  #own(rows: Batch): Batch {
    const wallets = rows.columns.wallet as Int32Array | undefined;
    if (wallets === undefined) return rows;
    return takeRows(
      rows,
      Array.from(wallets.keys()).filter((row) => this.#isOwn[wallets[row]!] === 1),
    ) as Batch;
  }

  async #read<T extends Table>(table: T, where: Parameters<Reader['count']>[1]): Promise<Batch<T>> {
    return (await this.reader.read<Table, string>({
      table: table as Table,
      columns: columnsOf(table),
      ...(where === undefined ? {} : { where }),
      order: [{ column: 'seq', direction: 'asc' }],
    })) as unknown as Batch<T>;
  }

  #translate(table: Table, rows: Batch | Batch<typeof swapsTable>): void {
    for (const name of columnsOf(table)) {
      if (table.columns[name] !== 'id' || codes.has(name)) continue;
      const ids = (rows.columns as Record<string, Int32Array>)[name]!;
      for (let i = 0; i < ids.length; i++) if (ids[i] !== NO_ID) ids[i] = this.#idOf[ids[i]!]!;
    }
  }
}

/** Registries are the same in all parts, as far as they were imported: what an earlier part says of an address stands. */
async function copyRegistry(writer: Writer, sources: readonly Source[], table: Table): Promise<void> {
  const seen = new Set<number>();
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
