import type { Yielder } from '../yielder.ts';
import type { TextColumn } from './columns.ts';

/** No text, or an empty one. */
export const MISSING = -2;

/** A text that the check does not take. */
export const REFUSED = -3;

const UNSEEN = -4;

/** Rows between two looks at the clock. */
export const CHECKED = 8192;

/** The distinct texts of a batch by id: each is checked once for each use that has its own check. */
export class LocalTexts {
  readonly texts: string[] = [];
  readonly #ids = new Map<string, number>();

  /** Ids for one use: `check` gives the text as it is stored, `undefined` where it is refused. */
  use(check: (text: string) => string | undefined): TextUse {
    return new TextUse((text) => {
      const normal = check(text);
      if (normal === undefined) return REFUSED;
      let id = this.#ids.get(normal);
      if (id === undefined) {
        id = this.texts.push(normal) - 1;
        this.#ids.set(normal, id);
      }
      return id;
    });
  }
}

/** Ids of the texts of columns, under one check. */
export class TextUse {
  readonly #known = new Map<string, number>();
  readonly #idOf: (text: string) => number;

  constructor(idOf: (text: string) => number) {
    this.#idOf = idOf;
  }

  /** The id of each row's text, `MISSING` or `REFUSED`. Entries of a dictionary that no row uses are not looked at. */
  async ids(column: TextColumn | undefined, rows: number, pause: Yielder): Promise<Int32Array> {
    const ids = new Int32Array(rows);
    if (column === undefined) return ids.fill(MISSING);
    const idAt = this.#idsOf(column);
    for (let row = 0; row < rows; row++) {
      if (row % CHECKED === 0) await pause.yieldIfDue();
      ids[row] = idAt(row);
    }
    return ids;
  }

  #idsOf(column: TextColumn): (row: number) => number {
    if (!('ids' in column)) return (row) => this.#id(column[row]);
    const { dictionary, ids: places } = column;
    const idOfPlace = new Int32Array(dictionary.length).fill(UNSEEN);
    return (row) => {
      const place = places[row]!;
      let id = place < 0 || place >= dictionary.length ? MISSING : idOfPlace[place]!;
      if (id === UNSEEN) idOfPlace[place] = id = this.#id(dictionary[place]);
      return id;
    };
  }

  #id(text: string | null | undefined): number {
    if (text === null || text === undefined || text === '') return MISSING;
    let id = this.#known.get(text);
    if (id === undefined) {
      id = this.#idOf(text);
      this.#known.set(text, id);
    }
    return id;
  }
}

/** Reads text number `row` of a column, `null` where it is missing. */
export function textAt(column: TextColumn, row: number): string | null {
  if (!('ids' in column)) return column[row] ?? null;
  return column.dictionary[column.ids[row]!] ?? null;
}
