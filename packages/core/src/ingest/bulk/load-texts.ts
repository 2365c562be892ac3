import type { Config } from '../../config.ts';
import { SwapfoldError } from '../../errors.ts';
import { MAX_IDS } from '../../records/chain-order.ts';
import { NO_ID } from '../../records/columns.ts';
import { textsTable } from '../../records/tables.ts';
import type { Reader, Writer } from '../../storage/adapter.ts';
import { ROWS_PER_CHECK, yielder } from '../../yielder.ts';
import { LocalTexts, REFUSED, type TextKind } from '../field-rules.ts';

/** Rows of texts that are written at once. */
const PIECE = 16_384;

/** The texts of a load, all of them in memory: those that the store has, and after them those that swaps bring. */
export class LoadTexts {
  readonly #texts: string[] = [];
  readonly #ids = new Map<string, number>();
  #stored = 0;

  static async open(reader: Reader): Promise<LoadTexts> {
    const loaded = new LoadTexts();
    for await (const { columns } of reader.stream({ table: textsTable, columns: ['id', 'text'] })) {
      for (const [i, text] of (columns.text as string[]).entries()) {
        loaded.#texts[columns.id[i]!] = text;
        loaded.#ids.set(text, columns.id[i]!);
      }
    }
    loaded.#stored = loaded.#texts.length;
    return loaded;
  }

  get length(): number {
    return this.#texts.length;
  }

  textOf(id: number): string {
    return this.#texts[id]!;
  }

  idOf(text: string): number {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#texts.push(text) - 1;
      this.#ids.set(text, id);
      if (id >= MAX_IDS)
        throw new SwapfoldError(
          'store-failed',
          `A store holds at most ${MAX_IDS} distinct addresses, protocols and symbols.`,
        );
    }
    return id;
  }

  /** The ids of texts that a file holds as one kind of field, `NO_ID` for an empty one; `undefined` if the check of the kind refuses one. */
  async idsOfGiven(
    kind: TextKind,
    texts: readonly string[],
    format: Config['address_format'],
  ): Promise<Int32Array | undefined> {
    const local = new LocalTexts(format);
    const ids = new Int32Array(texts.length);
    const pause = yielder();
    for (let from = 0; from < texts.length; from += ROWS_PER_CHECK) {
      const places = local.uses[kind].idsOfAll(texts.slice(from, from + ROWS_PER_CHECK));
      if (places.includes(REFUSED)) return undefined;
      ids.set(places, from);
      await pause.yieldIfDue();
    }
    // Only now that none is refused: a text of a file that is read in another way may be one of no swap.
    for (const [i, place] of ids.entries()) {
      ids[i] = place < 0 ? NO_ID : this.idOf(local.texts[place]!);
      if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    }
    return ids;
  }

  /** Writes the texts that the store lacks. */
  async write(writer: Writer): Promise<void> {
    for (let from = this.#stored; from < this.#texts.length; from += PIECE) {
      const text = this.#texts.slice(from, from + PIECE);
      const id = Int32Array.from(text, (_, i) => from + i);
      await writer.append(textsTable, { length: text.length, columns: { id, text } });
    }
  }
}
