import type { Dictionary } from '../ingest/dictionary.ts';
import { lastSeqAt, pairOf, timeOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, NO_ID, type Table, takeRows } from '../records/columns.ts';
import { isInShard, type Shard, walletKey } from '../records/shard.ts';
import { type balancesTable, type lotsTable, swapsTable, textsTable, transactionsTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { between } from '../storage/predicate.ts';

/** A store that holds one shard of the wallets. */
export interface ShardReader {
  readonly shard: Shard;
  readonly reader: Reader;
}

/** The swaps of one shard in a range of seconds, with their places in chain order. */
export interface ShardRows {
  readonly swaps: Batch<typeof swapsTable>;
  /** Whether a row is of a wallet of the shard: the others are there for the native price only. */
  readonly isOwn: readonly boolean[];
  readonly transactions: ReadonlyMap<number, ShardTransaction>;
}

export interface ShardTransaction {
  readonly hash: string;
  readonly time: number;
  readonly slot: number;
  readonly index: number;
}

/** Columns of type `id` that hold no text: codes, counts, and the transaction, which has ids of its own. */
const codes = new Set(['tx', 'swap_type', 'direction', 'position_state', 'is_self', 'ordinal', 'is_reported', 'place']);

/** One shard, whose ids of texts are read as those of the merged store. */
export class ShardSource {
  readonly reader: Reader;
  readonly #idOf: Int32Array;
  readonly #isOwn: Uint8Array;

  private constructor(reader: Reader, idOf: Int32Array, isOwn: Uint8Array) {
    this.reader = reader;
    this.#idOf = idOf;
    this.#isOwn = isOwn;
  }

  static async open(writer: Writer, source: ShardReader, dictionary: Dictionary): Promise<ShardSource> {
    const size = ((await source.reader.max(textsTable, 'id')) ?? -1) + 1;
    const idOf = new Int32Array(size).fill(NO_ID);
    const isOwn = new Uint8Array(size);
    for await (const { columns } of source.reader.stream({ table: textsTable, columns: ['id', 'text'] })) {
      const texts = columns.text as string[];
      const ids = await dictionary.intern(writer, texts);
      for (const [i, text] of texts.entries()) {
        idOf[columns.id[i]!] = ids[i]!;
        isOwn[columns.id[i]!] = isInShard(walletKey(text), source.shard) ? 1 : 0;
      }
    }
    return new ShardSource(source.reader, idOf, isOwn);
  }

  async rows(after: number, until: number): Promise<ShardRows> {
    const swaps = await this.#read(swapsTable, between('seq', after + 1, lastSeqAt(until)));
    const isOwn = Array.from(swaps.columns.wallet, (wallet) => this.#isOwn[wallet] === 1);
    this.translate(swapsTable, swaps);
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
    this.translate(table as unknown as Table, own);
    return own as unknown as Batch<T>;
  }

  /** Copies the positions of the pairs of the shard's wallets. */
  async copyPairs<T extends typeof lotsTable | typeof balancesTable>(writer: Writer, table: T): Promise<void> {
    for await (const batch of this.reader.stream<Table, string>({ table: table as Table, columns: columnsOf(table) })) {
      const own = this.#own(batch);
      this.translate(table as Table, own);
      const { pair, wallet, token } = own.columns as { pair: Float64Array; wallet: Int32Array; token: Int32Array };
      for (let i = 0; i < own.length; i++) pair[i] = pairOf(wallet[i]!, token[i]!);
      await writer.append(table as Table, own);
    }
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

  /** Writes the merged store's ids over the shard's. */
  translate(table: Table, rows: Batch | Batch<typeof swapsTable>): void {
    for (const name of columnsOf(table)) {
      if (table.columns[name] !== 'id' || codes.has(name)) continue;
      const ids = (rows.columns as Record<string, Int32Array>)[name]!;
      for (let i = 0; i < ids.length; i++) if (ids[i]! >= 0) ids[i] = this.#idOf[ids[i]!]!;
    }
  }
}
