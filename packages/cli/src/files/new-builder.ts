import type { ColumnBuilder } from './column-builder.ts';
import type { Field, FieldKind } from './fields.ts';
import { BooleanBuilder, NumberBuilder, TimeBuilder } from './number-builders.ts';
import { DictionaryBuilder, ListBuilder, TextBuilder } from './text-builders.ts';

/** A builder for `rows` values of the field. */
export function newBuilder(field: Field, rows: number): ColumnBuilder {
  const builders: Record<FieldKind, () => ColumnBuilder> = {
    text: () => new DictionaryBuilder(field, rows),
    unique: () => new TextBuilder(field),
    number: () => new NumberBuilder(rows),
    time: () => new TimeBuilder(rows),
    boolean: () => new BooleanBuilder(rows),
    list: () => new ListBuilder(),
  };
  return builders[field.kind]();
}
