import { type DictionaryColumn, show } from '@swapfold/core';
import { ByteDictionary } from './byte-dictionary.ts';
import type { ColumnBuilder, ListColumn } from './column-builder.ts';
import type { Field } from './fields.ts';
import { hexOfBytes, hexOfText, mayBeHex } from './hex-text.ts';

export class DictionaryBuilder implements ColumnBuilder {
  private texts: string[] = [];
  private byBytes = new ByteDictionary(this.texts);
  private byText = new Map<string, number>();
  private ids: Int32Array;

  constructor(
    private readonly field: Field,
    private readonly rows: number,
  ) {
    this.ids = new Int32Array(rows);
  }

  setMissing(row: number): undefined {
    this.ids[row] = -1;
  }

  setText(row: number, text: string): string | undefined {
    if (text === '') return this.setMissing(row);
    let id = this.byText.get(text);
    if (id === undefined) {
      id = this.texts.push(this.field.isHex ? hexOfText(text) : text) - 1;
      this.byText.set(text, id);
    }
    this.ids[row] = id;
    return undefined;
  }

  setBytes(row: number, bytes: Buffer, start: number, end: number, encoding: 'latin1' | 'utf8'): string | undefined {
    if (this.field.isHex && mayBeHex(bytes, start)) return this.setText(row, bytes.toString(encoding, start, end));
    this.ids[row] = this.byBytes.placeOf(bytes, start, end, encoding);
    return undefined;
  }

  setValue(row: number, value: unknown): string | undefined {
    const text = textOf(value, this.field);
    return text === undefined ? refusal(value) : this.setText(row, text);
  }

  textAt(row: number): string | null {
    return this.texts[this.ids[row]!] ?? null;
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

export class TextBuilder implements ColumnBuilder {
  private texts: (string | null)[] = [];

  constructor(private readonly field: Field) {}

  setMissing(row: number): string | undefined {
    if (this.field.mayMiss === false) return 'is missing';
    this.texts[row] = null;
    return undefined;
  }

  setText(row: number, text: string): string | undefined {
    if (text === '') return this.setMissing(row);
    this.texts[row] = this.field.isHex ? hexOfText(text) : text;
    return undefined;
  }

  setBytes(row: number, bytes: Buffer, start: number, end: number, encoding: 'latin1' | 'utf8'): string | undefined {
    return this.setText(row, bytes.toString(encoding, start, end));
  }

  setValue(row: number, value: unknown): string | undefined {
    const text = textOf(value, this.field);
    return text === undefined ? refusal(value) : this.setText(row, text);
  }

  textAt(row: number): string | null {
    return this.texts[row] ?? null;
  }

  take(length: number): (string | null)[] {
    const taken = this.texts;
    taken.length = length;
    this.texts = [];
    return taken;
  }
}

export class ListBuilder implements ColumnBuilder {
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

/** The text of a value; `undefined` if it is none. */
function textOf(value: unknown, field: Field): string | undefined {
  if (typeof value === 'string') return value;
  if (field.isHex && value instanceof Uint8Array) return hexOfBytes(value);
  if (!field.isWritten) return undefined;
  if (value instanceof Date) return value.toISOString();
  return ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

function refusal(value: unknown): string {
  return `must be a text, not ${value instanceof Uint8Array ? 'bytes' : show(value)}`;
}
