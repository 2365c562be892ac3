import type { Metric } from '../metrics/metric.ts';
import type { Table } from '../records/columns.ts';
import { profileFields } from './catalogue.ts';
import type { ProfileField, ProfileKind } from './fields.ts';
import { profileTable } from './table.ts';

/** A kind of profile as a store has it: its fields, and the table that holds them. */
export interface ProfileShape {
  readonly kind: ProfileKind;
  readonly table: Table;
  readonly fields: readonly ProfileField[];
  readonly byPath: ReadonlyMap<string, ProfileField>;
}

export function shapesOf(metrics: readonly Metric[]): Readonly<Record<ProfileKind, ProfileShape>> {
  return { tokens: shapeOf('tokens', metrics), wallets: shapeOf('wallets', metrics) };
}

function shapeOf(kind: ProfileKind, metrics: readonly Metric[]): ProfileShape {
  const fields = profileFields(kind, metrics);
  return {
    kind,
    table: profileTable(kind, fields),
    fields,
    byPath: new Map(fields.map((field) => [field.path, field])),
  };
}
