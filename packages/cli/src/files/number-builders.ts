import { show } from '@swapfold/core';
import type { ColumnBuilder } from './column-builder.ts';
import { parseNumber, parseNumberBytes } from './parse-number.ts';
import { secondsOf, TimeTexts } from './parse-time.ts';

const MINUS = 45;

/** What is written for no number. */
const missing = /^\s*(?:null)?\s*$/i;

export class NumberBuilder implements ColumnBuilder {
  protected values: Float64Array;

  constructor(protected readonly rows: number) {
    this.values = new Float64Array(rows);
  }

  setMissing(row: number): undefined {
    this.values[row] = Number.NaN;
  }

  setText(row: number, text: string): string | undefined {
    return missing.test(text) ? this.setMissing(row) : this.setNumber(row, parseNumber(text), text);
  }

  setBytes(row: number, bytes: Buffer, start: number, end: number): string | undefined {
    const value = parseNumberBytes(bytes, start, end);
    if (value - value === 0) {
      this.values[row] = value;
      return undefined;
    }
    return this.setText(row, bytes.toString('utf8', start, end));
  }

  setValue(row: number, value: unknown): string | undefined {
    if (typeof value === 'number') return this.setNumber(row, value, value);
    if (typeof value === 'bigint') return this.setNumber(row, Number(value), value);
    if (typeof value === 'string') return this.setText(row, value);
    return `must be a number, not ${show(value)}`;
  }

  take(length: number): Float64Array {
    const taken = this.values.subarray(0, length);
    this.values = new Float64Array(this.rows);
    return taken;
  }

  protected setNumber(row: number, value: number, given: unknown): string | undefined {
    if (Number.isNaN(value)) return `is not a number: ${typeof given === 'string' ? show(given) : String(given)}`;
    if (!Number.isFinite(value))
      return `is out of the range of numbers: ${typeof given === 'string' ? show(given) : String(given)}`;
    this.values[row] = value;
    return undefined;
  }
}

export class TimeBuilder extends NumberBuilder {
  private readonly texts = new TimeTexts();

  get isZoneless(): boolean {
    return this.texts.isZoneless;
  }

  override setText(row: number, text: string): string | undefined {
    const seconds = this.texts.secondsOf(text.trim());
    if (!Number.isNaN(seconds)) {
      this.values[row] = seconds;
      return undefined;
    }
    if (!Number.isNaN(parseNumber(text)) || missing.test(text)) return super.setText(row, text);
    return `is no time: give Unix seconds, milliseconds or microseconds, "2024-01-05 00:00:00" in UTC, or RFC 3339 such as "2024-01-05T00:00:00Z", not ${show(text)}`;
  }

  override setBytes(row: number, bytes: Buffer, start: number, end: number): string | undefined {
    // The hyphen after a year: no number has one there.
    const value = bytes[start + 4] === MINUS ? Number.NaN : parseNumberBytes(bytes, start, end);
    return Number.isNaN(value)
      ? this.setText(row, bytes.toString('utf8', start, end))
      : this.setNumber(row, value, value);
  }

  override setValue(row: number, value: unknown): string | undefined {
    if (value instanceof Date) return super.setNumber(row, Math.floor(value.getTime() / 1000), value);
    return super.setValue(row, value);
  }

  protected override setNumber(row: number, value: number, given: unknown): string | undefined {
    return super.setNumber(row, secondsOf(value), given);
  }
}

export class BooleanBuilder extends NumberBuilder {
  override setText(row: number, text: string): string | undefined {
    const value = { true: 1, false: 0, '1': 1, '0': 0 }[text.trim().toLowerCase()];
    if (value === undefined) return `must be true or false, not ${show(text)}`;
    this.values[row] = value;
    return undefined;
  }

  override setBytes(row: number, bytes: Buffer, start: number, end: number): string | undefined {
    return this.setText(row, bytes.toString('utf8', start, end));
  }

  override setValue(row: number, value: unknown): string | undefined {
    return this.setText(row, typeof value === 'string' ? value : String(value));
  }
}
