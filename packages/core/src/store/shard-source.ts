import { type ChainKeys, keysOf } from '../ingest/chain-keys.ts';
import type { Dictionary } from '../ingest/dictionary.ts';
import type { Swaps } from '../ledger/value.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, NO_ID, type Table, takeRows } from '../records/columns.ts';
import { isInShard, type Shard, walletKey } from '../records/shard.ts';
import { swapsTable, textsTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { between } from '../storage/predicate.ts';

/** A store that holds one shard of the wallets. */
export interface ShardReader {
  readonly shard: Shard;
  readonly reader: Reader;
}

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

  /** The swaps of the shard's own wallets in a range of seconds, and where they belong. It has others for the native price only. */
  async swaps(after: number, until: number): Promise<{ readonly swaps: Swaps; readonly keys: ChainKeys }> {
    const read = await this.reader.read({
      table: swapsTable,
      columns: columnsOf(swapsTable),
      where: between('seq', after + 1, lastSeqAt(until)),
      order: [{ column: 'seq', direction: 'asc' }],
    });
    const { wallet } = read.columns;
    const swaps = takeRows(
      read,
      Array.from(wallet.keys()).filter((row) => this.#isOwn[wallet[row]!] === 1),
    );
    const keys = await keysOf(this.reader, swaps, [[timeOf(after + 1), until]]);
    this.translate(swapsTable as Table, swaps as unknown as Batch);
    return { swaps, keys };
  }

  /** Writes the merged store's ids over the shard's, but for transactions, which have ids of their own. */
  translate(table: Table, rows: Batch): void {
    for (const name of columnsOf(table)) {
      if (table.columns[name] !== 'id' || name === 'tx') continue;
      const ids = (rows.columns as Record<string, Int32Array>)[name]!;
      for (let i = 0; i < ids.length; i++) if (ids[i]! >= 0) ids[i] = this.#idOf[ids[i]!]!;
    }
  }
}
