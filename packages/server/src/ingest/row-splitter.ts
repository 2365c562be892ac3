import { SwapfoldError } from '@swapfold/core';
import { JsonDepth } from '@swapfold/core/host';
import { parseJson } from '../json.ts';

/** The longest row, bytes. */
export const MAX_ROW = 64 * 1024;

const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, COMMA, NEWLINE] = [0x5b, 0x5d, 0x7b, 0x2c, 0x0a];

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Rows out of the pieces of a body, which is one JSON array or NDJSON: each is parsed as soon as it is there, so that no large text has to be.
 *
 * - Errors: `invalid-json`, which names the row; `invalid-request` for a row over 64 KiB.
 */
export class RowSplitter {
  readonly rows: unknown[] = [];
  /** Of a list `inside` it, and `after` its end. */
  #state: 'before' | 'lines' | 'inside' | 'after' = 'before';
  /** What came of the row that is not complete yet. */
  #rest: Buffer = Buffer.alloc(0);
  /** Of the list: where the next byte lies in its row. */
  readonly #place = new JsonDepth();

  add(piece: Buffer): void {
    const chunk = this.#state === 'before' ? this.#begin(piece) : piece;
    if (this.#state === 'lines') this.#addLines(chunk);
    else if (this.#state !== 'before') this.#addOfList(chunk);
  }

  /** The body has ended. */
  end(): void {
    if (this.#state === 'lines') this.#take(this.#rest);
    else if (this.#state === 'inside') throw this.#fault('the list ends too early, before its "]"');
  }

  #begin(piece: Buffer): Buffer {
    let at = piece.length > 2 && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf ? 3 : 0;
    while (at < piece.length && isBlank(piece[at]!)) at++;
    if (at === piece.length) return piece.subarray(at);
    if (piece[at] !== OPEN_LIST && piece[at] !== OPEN_OBJECT)
      throw new SwapfoldError('invalid-json', 'Expected a JSON array of rows, or NDJSON: one JSON object a line.');
    this.#state = piece[at] === OPEN_LIST ? 'inside' : 'lines';
    return piece.subarray(this.#state === 'inside' ? at + 1 : at);
  }

  #addLines(chunk: Buffer): void {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      this.#take(this.#complete(chunk.subarray(from, to)));
      from = to + 1;
    }
    this.#hold(chunk.subarray(from));
  }

  #addOfList(chunk: Buffer): void {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#state === 'after') {
        if (!isBlank(byte)) throw this.#fault('something follows the "]" of the list');
      } else {
        const isInRow = this.#place.depth > 0;
        if (!this.#place.take(byte) || isInRow || (byte !== COMMA && byte !== CLOSE_LIST)) continue;
        const row = this.#complete(chunk.subarray(from, at));
        const isOnly = byte === CLOSE_LIST && this.rows.length === 0;
        if (!this.#take(row) && !isOnly) throw this.#fault('a row is missing before or after a comma');
        from = at + 1;
        if (byte === CLOSE_LIST) this.#state = 'after';
      }
    }
    if (this.#state === 'inside') this.#hold(chunk.subarray(from));
  }

  #complete(end: Buffer): Buffer {
    if (this.#rest.length === 0) return end;
    const row = Buffer.concat([this.#rest, end]);
    this.#rest = Buffer.alloc(0);
    return row;
  }

  #hold(piece: Buffer): void {
    if (this.#rest.length + piece.length > MAX_ROW) throw this.#tooLong();
    this.#rest = Buffer.concat([this.#rest, piece]);
  }

  /** Whether there was a row, and not blanks alone. */
  #take(row: Buffer): boolean {
    if (row.every(isBlank)) return false;
    if (row.length > MAX_ROW) throw this.#tooLong();
    this.rows.push(flat(parseJson(row, `Row ${this.rows.length}`)));
    return true;
  }

  #fault(what: string): SwapfoldError {
    return new SwapfoldError('invalid-json', `Behind row ${this.rows.length - 1} of the request body, ${what}.`);
  }

  #tooLong(): SwapfoldError {
    return new SwapfoldError('invalid-request', `Row ${this.rows.length} is over ${MAX_ROW} bytes (64 KiB).`);
  }
}

/** Fields of a row, and items of a list in it, that are looked at: no row has so many. */
const MOST = 1000;

/** In place of what no row may have: no field takes an object. */
const NESTED = Object.freeze({});

/** A row without the lists and objects in it that no row may have, and for which it is rejected: they take many times the memory of what was sent. */
function flat(row: unknown): unknown {
  if (!(row instanceof Object)) return row;
  if (Array.isArray(row)) return [];
  const fields = row as Record<string, unknown>;
  const names = Object.keys(fields);
  if (names.length > MOST) return NESTED;
  for (const name of names) {
    const value = fields[name];
    if (!(value instanceof Object)) continue;
    const isOfTexts = Array.isArray(value) && value.length <= MOST && !value.some((item) => item instanceof Object);
    if (!isOfTexts) fields[name] = NESTED;
  }
  return fields;
}
