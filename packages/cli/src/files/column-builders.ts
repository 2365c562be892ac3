import { type DictionaryColumn, rfc3339Millis, show } from '@swapfold/core';
import { ByteDictionary } from './byte-dictionary.ts';
import type { Field, FieldKind } from './fields.ts';
import { parseNumber, parseNumberBytes } from './parse-number.ts';

export type ListColumn = readonly (readonly string[] | null)[];

/** A column as read: numbers (`NaN` is missing; booleans 1 and 0), dictionary ids, texts, or lists. */
export type ReadColumn = Float64Array | DictionaryColumn | readonly (string | null)[] | ListColumn;

/** Gathers one column, row by row. The setters answer with what is wrong with the value, or with nothing. */
export interface ColumnBuilder {
  setMissing(row: number): string | undefined;
  setText(row: number, text: string): string | undefined;
  /** From the bytes of a CSV field, not empty. */
  setBytes(row: number, bytes: Buffer, start: number, end: number, encoding: 'latin1' | 'utf8'): string | undefined;
  /** From a JSON or Parquet value. */
  setValue(row: number, value: unknown): string | undefined;
  /** The first `length` rows; the builder starts anew. */
  take(length: number): ReadColumn;
}

/** Most milliseconds-or-seconds ambiguity lies far from here: 1e11 s is the year 5138, 1e11 ms is 1973. */
const LEAST_MILLIS = 1e11;

export function newBuilder(field: Field, rows: number): ColumnBuilder {
  const mayMiss = field.mayMiss ?? true;
  const builders: Record<FieldKind, () => ColumnBuilder> = {
    text: () => new DictionaryBuilder(rows),
    unique: () => new TextBuilder(mayMiss),
    number: () => new NumberBuilder(rows),
    time: () => new TimeBuilder(rows),
    boolean: () => new BooleanBuilder(rows),
    list: () => new ListBuilder(),
  };
  return builders[field.kind]();
}

class NumberBuilder implements ColumnBuilder {
  protected values: Float64Array;

  constructor(protected readonly rows: number) {
    this.values = new Float64Array(rows);
  }

  setMissing(row: number): undefined {
    this.values[row] = Number.NaN;
  }

  setText(row: number, text: string): string | undefined {
    return text.trim() === '' ? this.setMissing(row) : this.setNumber(row, parseNumber(text), text);
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

class TimeBuilder extends NumberBuilder {
  override setText(row: number, text: string): string | undefined {
    const number = parseNumber(text);
    if (!Number.isNaN(number) || text.trim() === '') return super.setText(row, text);
    const millis = rfc3339Millis(text.trim());
    if (millis === undefined)
      return `is neither Unix seconds or milliseconds nor an RFC 3339 time such as "2024-01-05T00:00:00Z": ${show(text)}`;
    this.values[row] = Math.floor(millis / 1000);
    return undefined;
  }

  override setBytes(row: number, bytes: Buffer, start: number, end: number): string | undefined {
    const value = parseNumberBytes(bytes, start, end);
    return Number.isNaN(value)
      ? this.setText(row, bytes.toString('utf8', start, end))
      : this.setNumber(row, value, value);
  }

  override setValue(row: number, value: unknown): string | undefined {
    if (value instanceof Date) return this.setNumber(row, value.getTime() / 1000, value);
    return super.setValue(row, value);
  }

  protected override setNumber(row: number, value: number, given: unknown): string | undefined {
    return super.setNumber(row, Math.floor(value >= LEAST_MILLIS ? value / 1000 : value), given);
  }
}

class BooleanBuilder extends NumberBuilder {
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

class DictionaryBuilder implements ColumnBuilder {
  private texts: string[] = [];
  private byBytes = new ByteDictionary(this.texts);
  private byText = new Map<string, number>();
  private ids: Int32Array;

  constructor(private readonly rows: number) {
    this.ids = new Int32Array(rows);
  }

  setMissing(row: number): undefined {
    this.ids[row] = -1;
  }

  setText(row: number, text: string): string | undefined {
    if (text === '') return this.setMissing(row);
    let id = this.byText.get(text);
    if (id === undefined) {
      id = this.texts.push(text) - 1;
      this.byText.set(text, id);
    }
    this.ids[row] = id;
    return undefined;
  }

  setBytes(row: number, bytes: Buffer, start: number, end: number, encoding: 'latin1' | 'utf8'): undefined {
    this.ids[row] = this.byBytes.placeOf(bytes, start, end, encoding);
  }

  setValue(row: number, value: unknown): string | undefined {
    return typeof value === 'string' ? this.setText(row, value) : `must be a text, not ${show(value)}`;
  }

  take(length: number): DictionaryColumn {
    const taken = { dictionary: this.texts, ids: this.ids.subarray(0, length) };
    this.texts = [];
    this.byBytes = new ByteDictionary(this.texts);
    this.byText = new Map();
    this.ids = new Int32Array(this.rows);
    return taken;
  }
}

class TextBuilder implements ColumnBuilder {
  private texts: (string | null)[] = [];

  constructor(private readonly mayMiss: boolean) {}

  setMissing(row: number): string | undefined {
    if (!this.mayMiss) return 'is missing';
    this.texts[row] = null;
    return undefined;
  }

  setText(row: number, text: string): string | undefined {
    if (text === '') return this.setMissing(row);
    this.texts[row] = text;
    return undefined;
  }

  setBytes(row: number, bytes: Buffer, start: number, end: number, encoding: 'latin1' | 'utf8'): string | undefined {
    return this.setText(row, bytes.toString(encoding, start, end));
  }

  setValue(row: number, value: unknown): string | undefined {
    return typeof value === 'string' ? this.setText(row, value) : `must be a text, not ${show(value)}`;
  }

  take(length: number): (string | null)[] {
    const taken = this.texts;
    taken.length = length;
    this.texts = [];
    return taken;
  }
}

class ListBuilder implements ColumnBuilder {
  private lists: (readonly string[] | null)[] = [];

  setMissing(row: number): undefined {
    this.lists[row] = null;
  }

  setText(row: number, text: string): string | undefined {
    const items = text.split(';').map((item) => item.trim());
    this.lists[row] = items.filter((item) => item !== '');
    return undefined;
  }

  setBytes(row: number, bytes: Buffer, start: number, end: number, encoding: 'latin1' | 'utf8'): string | undefined {
    return this.setText(row, bytes.toString(encoding, start, end));
  }

  setValue(row: number, value: unknown): string | undefined {
    if (typeof value === 'string') return this.setText(row, value);
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
      return `must be a list of texts, not ${show(value)}`;
    this.lists[row] = value;
    return undefined;
  }

  take(length: number): ListColumn {
    const taken = this.lists;
    taken.length = length;
    this.lists = [];
    return taken;
  }
}
