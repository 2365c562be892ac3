import { SwapfoldError } from '@swapfold/core';

const QUOTE = 34;
const LF = 10;
const CR = 13;

/** Thrown by `next` where the input ends inside quotes. */
export class UnclosedQuote extends Error {}

/**
 * Finds the fields of CSV records (RFC 4180) in bytes that come in pieces: `push`, then `next` until it answers false.
 *
 * After `next`, `starts` and `ends` bound the `count` fields in `bytes`; quotes are outside, doubled quotes still doubled.
 * Hand-written, because a record at fault must not take others along: after text behind a closing quote csv-parse reads on to the next
 * quote, and DuckDB drops rows without a word where it goes on after errors and a quote is never closed.
 */
export class CsvScanner {
  bytes: Buffer = Buffer.alloc(0);
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  /** 1 where a field holds doubled quotes. */
  doubled = new Uint8Array(64);
  count = 0;
  isAscii = true;
  /** What is wrong with the record, if anything. */
  fault: string | undefined;
  private at = 0;

  constructor(private readonly delimiter: number) {}

  push(chunk: Buffer): void {
    this.bytes = this.at === this.bytes.length ? chunk : Buffer.concat([this.bytes.subarray(this.at), chunk]);
    this.at = 0;
  }

  /** Bytes that wait for the rest of their record. */
  get waiting(): number {
    return this.bytes.length - this.at;
  }

  /** Whether a whole record was found. `isLast`: nothing more will be pushed. */
  next(isLast: boolean): boolean {
    const { bytes, delimiter } = this;
    const greatest = Math.max(delimiter, QUOTE);
    const end = bytes.length;
    let at = this.at;
    if (at === end) return false;
    let seen = 0;
    this.count = 0;
    this.fault = undefined;
    for (;;) {
      if (this.count === this.starts.length) this.grow();
      const field = this.count++;
      this.doubled[field] = 0;
      let start = at;
      let stop: number;
      if (bytes[at] === QUOTE) {
        start = at + 1;
        stop = this.closingQuote(start, field, isLast);
        if (stop < 0) return false;
        for (let i = start; i < stop; i++) seen |= bytes[i]!;
        at = stop + 1;
        if (at === end && !isLast) return false;
        const after = bytes[at];
        if (at < end && after !== delimiter && after !== LF && after !== CR)
          this.fault = `has text after the closing quote of field ${field + 1}`;
      } else {
        stop = -1;
      }
      while (at < end) {
        const c = bytes[at]!;
        if (c <= greatest) {
          if (c === delimiter || c === LF || c === CR) break;
          if (c === QUOTE) this.fault ??= `has a quote inside the unquoted text of field ${field + 1}`;
        }
        seen |= c;
        at++;
      }
      if (at === end && !isLast) return false;
      this.starts[field] = start;
      this.ends[field] = stop < 0 ? at : stop;
      if (bytes[at] === delimiter && at < end) {
        at++;
        if (at === end && !isLast) return false;
        continue;
      }
      if (bytes[at] === CR && at + 1 === end && !isLast) return false;
      this.at = at === end ? end : at + (bytes[at] === CR && bytes[at + 1] === LF ? 2 : 1);
      this.isAscii = seen < 128;
      return true;
    }
  }

  text(field: number): string {
    const text = this.bytes.toString(this.isAscii ? 'latin1' : 'utf8', this.starts[field], this.ends[field]);
    return this.doubled[field] === 1 ? text.replaceAll('""', '"') : text;
  }

  /** Place of the quote that closes the field, or -1 where it has not come yet. */
  private closingQuote(start: number, field: number, isLast: boolean): number {
    const { bytes } = this;
    for (let at = start; ; at += 2) {
      at = bytes.indexOf(QUOTE, at);
      if (at < 0) {
        if (isLast) throw new UnclosedQuote();
        return -1;
      }
      if (bytes[at + 1] !== QUOTE) return at;
      this.doubled[field] = 1;
    }
  }

  private grow(): void {
    const { starts, ends, doubled } = this;
    this.starts = new Int32Array(starts.length * 2);
    this.ends = new Int32Array(starts.length * 2);
    this.doubled = new Uint8Array(starts.length * 2);
    this.starts.set(starts);
    this.ends.set(ends);
    this.doubled.set(doubled);
  }
}

/** The records of a whole CSV file that messages call `name`, without empty lines. Errors: `invalid-input` for a quote that is never closed. */
export function* csvRecords(name: string, bytes: Buffer): Generator<readonly string[]> {
  const scanner = new CsvScanner(delimiterOf(bytes));
  scanner.push(bytes);
  try {
    while (scanner.next(true)) {
      const record = Array.from({ length: scanner.count }, (_, field) => scanner.text(field).trim());
      if (record.length > 1 || record[0] !== '') yield record;
    }
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    throw new SwapfoldError('invalid-input', `${name}: a quote is never closed.`);
  }
}

/** Comma, tab or semicolon: whichever the first line that is not empty has most of. */
export function delimiterOf(head: Buffer): number {
  const line = /[^\r\n]+/.exec(head.toString('latin1'))?.[0] ?? '';
  const candidates = [',', '\t', ';'].map((text) => ({ code: text.charCodeAt(0), count: line.split(text).length }));
  return candidates.reduce((best, candidate) => (candidate.count > best.count ? candidate : best)).code;
}
