import { SwapfoldError } from '@swapfold/core';
import { JsonDepth } from '@swapfold/core/host';

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d];
const MOST_DEPTH = 1000;
const LONGEST = 1 << 24;

/** What may come next outside of items. */
type Expected = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma';

/**
 * Cuts JSON documents, which come in pieces, into the items of their lists, as they are written but on one line each, without parsing them.
 *
 * - `onItem` gets an item with the keys that lead to its list: `data.items`; an empty text for a list that is the document.
 * - `isDeep`: looks for lists inside of objects. Otherwise, a document that is an object is an item itself.
 * - Errors: `invalid-input` for what is not JSON outside of items, for nesting beyond 1000 and for an item over 16 MB.
 */
export class JsonSlicer {
  readonly #name: string;
  readonly #isDeep: boolean;
  readonly #onItem: (item: Buffer, list: string) => void;
  /** Objects and lists around the place. */
  readonly #open: { readonly isList: boolean; key: string }[] = [];
  #expected: Expected = 'value';
  /** What of a key, or of a value outside of items, has come so far, and where the next byte of it lies. */
  #text: number[] | undefined;
  readonly #inText = new JsonDepth();
  #isScalar = false;
  /** Where the next byte lies in the item at hand; absent outside of items. */
  #item: JsonDepth | undefined;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(name: string, isDeep: boolean, onItem: (item: Buffer, list: string) => void) {
    this.#name = name;
    this.#isDeep = isDeep;
    this.#onItem = onItem;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#item === undefined) {
        if (this.#isOutside(chunk[at]!)) continue;
        start = at;
        this.#beginItem(chunk[at]!);
      } else if (this.#endsItem(chunk[at]!)) {
        const end = this.#isScalar ? at : at + 1;
        this.#keep(chunk.subarray(start, end));
        this.#endItem();
        if (this.#isScalar) at--;
        this.#isScalar = false;
      }
    }
    if (this.#item !== undefined) this.#keep(chunk.subarray(start));
  }

  /** Errors: `invalid-input` if the document has not come to its end. */
  end(): void {
    if (this.#item !== undefined && this.#isScalar && this.#open.length === 0) this.#endItem();
    if (this.#item !== undefined || this.#open.length > 0) throw this.#error('it ends too early');
  }

  /** Takes a byte outside of items; false if an item begins with it. */
  #isOutside(byte: number): boolean {
    if (this.#text !== undefined) this.#addToText(byte);
    else if (this.#isScalar) {
      if (!isEnd(byte)) return true;
      this.#isScalar = false;
      return this.#isOutside(byte);
    } else if (!isSpace(byte)) return this.#structure(byte);
    return true;
  }

  #structure(byte: number): boolean {
    const within = this.#open.at(-1);
    const expected = this.#expected;
    if (expected === 'comma' && byte === COMMA) this.#expected = within!.isList ? 'value' : 'key';
    else if (expected === 'colon' && byte === COLON) this.#expected = 'value';
    else if (expected.startsWith('key') && byte === QUOTE) this.#beginText();
    else if (byte === CLOSE && within?.isList === false && (expected === 'comma' || expected === 'key-or-end'))
      this.#close();
    else if (byte === CLOSE_LIST && within?.isList === true && (expected === 'comma' || expected === 'value-or-end'))
      this.#close();
    else if (expected.startsWith('value')) return this.#value(byte, within);
    else throw this.#error(`Unexpected ${JSON.stringify(String.fromCharCode(byte))}`);
    return true;
  }

  /** Takes the first byte of a value; false if it is that of an item. */
  #value(byte: number, within: { readonly isList: boolean } | undefined): boolean {
    if (within?.isList || (within === undefined && !this.#isDeep && byte !== OPEN_LIST)) return false;
    if (byte === OPEN || byte === OPEN_LIST) {
      if (this.#open.length >= MOST_DEPTH) throw this.#error(`it is nested deeper than ${MOST_DEPTH}`);
      this.#open.push({ isList: byte === OPEN_LIST, key: '' });
      this.#expected = byte === OPEN ? 'key-or-end' : 'value-or-end';
    } else {
      if (byte === QUOTE) this.#beginText();
      else if (isScalar(byte)) this.#isScalar = true;
      else throw this.#error(`Unexpected ${JSON.stringify(String.fromCharCode(byte))}`);
      if (byte !== QUOTE) this.#expected = this.#after();
    }
    return true;
  }

  #beginText(): void {
    this.#text = [];
    this.#inText.take(QUOTE);
  }

  #addToText(byte: number): void {
    this.#inText.take(byte);
    if (this.#inText.isText) {
      if (this.#text!.length < 1000) this.#text!.push(byte);
      return;
    }
    if (this.#expected.startsWith('key')) {
      this.#open.at(-1)!.key = Buffer.from(this.#text!).toString('utf8');
      this.#expected = 'colon';
    } else this.#expected = this.#after();
    this.#text = undefined;
  }

  #close(): void {
    this.#open.pop();
    this.#expected = this.#after();
  }

  #after(): Expected {
    return this.#open.length === 0 ? 'value' : 'comma';
  }

  #beginItem(byte: number): void {
    this.#item = new JsonDepth();
    this.#item.take(byte);
    this.#isScalar = this.#item.depth === 0 && !this.#item.isText;
    if (this.#isScalar && !isScalar(byte)) throw this.#error(`Unexpected ${JSON.stringify(String.fromCharCode(byte))}`);
  }

  /** Whether the item at hand ends with the byte; a scalar, before it. */
  #endsItem(byte: number): boolean {
    if (this.#isScalar) return isEnd(byte);
    const item = this.#item!;
    item.take(byte);
    if (item.depth > MOST_DEPTH) throw this.#error(`it is nested deeper than ${MOST_DEPTH}`);
    return item.depth === 0 && !item.isText;
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > LONGEST) throw this.#error(`it has a record of over ${LONGEST} bytes`);
    this.#parts.push(Buffer.from(part));
  }

  #endItem(): void {
    const item = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    // Between tokens only: texts have no line end as it is.
    for (let at = 0; at < item.length; at++) if (item[at] === 10 || item[at] === 13) item[at] = 32;
    const list = this.#open
      .filter(({ isList }) => !isList)
      .map(({ key }) => key)
      .join('.');
    this.#parts = [];
    this.#bytes = 0;
    this.#item = undefined;
    this.#expected = this.#after();
    this.#onItem(item, list);
  }

  #error(reason: string): SwapfoldError {
    return new SwapfoldError('invalid-input', `${this.#name} is not JSON: ${reason}.`);
  }
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

function isEnd(byte: number): boolean {
  return isSpace(byte) || byte === COMMA || byte === CLOSE || byte === CLOSE_LIST;
}

/** Whether a number, true, false or null may begin with the byte. */
function isScalar(byte: number): boolean {
  return (byte >= 48 && byte <= 57) || byte === 45 || byte === 0x74 || byte === 0x66 || byte === 0x6e;
}

/** Whether the input begins with a JSON document of several lines or a list, rather than with an object a line. */
export function beginsDocument(head: Buffer): boolean {
  const place = new JsonDepth();
  for (const byte of head) {
    const around = place.depth;
    if (!place.take(byte)) continue;
    if ((byte === OPEN_LIST && around === 0) || (byte === 10 && around > 0)) return true;
    if (byte === CLOSE && place.depth === 0) return false;
  }
  return place.depth > 0;
}
