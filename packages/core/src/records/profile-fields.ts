import type { GenericSchema } from 'valibot';
import type { ColumnType } from './columns.ts';

/** What a profile field holds, which decides the filter operators that suit it. */
export type FieldType = 'number' | 'text' | 'date' | 'boolean' | 'labels';

/**
 * Where the value of a field comes from.
 *
 * - `fold`: computed when the profile is folded, and stored. `registry`: the column of the registry that has the name of the field,
 *   stored when the profile is folded.
 * - `query`: computed when it is asked for. No table has a column of it.
 * - `{ path }`: the stored value of another field. `{ since }`: the seconds from the date in another field to the as-of time; filters and
 *   sorts take it, and responses do not have it. Both have no column.
 */
export type FieldSource = 'fold' | 'registry' | 'query' | { readonly path: string } | { readonly since: string };

/**
 * One scalar of a profile: a path of the response, a filter and sort path, and, with a source that is stored, a column of the profile
 * table, of the same name.
 *
 * Stored as: number `double`; date `long`, Unix seconds; boolean `long`, 0 or 1; text `text`; labels `text`, `|a|b|`.
 */
export interface ProfileField {
  readonly path: string;
  readonly type: FieldType;
  readonly column: ColumnType;
  readonly source: FieldSource;
  readonly meaning: string;
  /** What a response has of it, with what the OpenAPI description says of that. */
  readonly response: (meaning: string) => GenericSchema;
  /** True of an address: a value in a request is compared as the format of the chain writes it. */
  readonly isAddress?: true;
  /** True of the address of a token: an alias in a request means its quote token. */
  readonly isToken?: true;
}

export function columnOf({ path, source }: Pick<ProfileField, 'path' | 'source'>): string {
  if (typeof source !== 'object') return path;
  return 'since' in source ? source.since : source.path;
}

export function isElapsed({ source }: Pick<ProfileField, 'source'>): boolean {
  return typeof source === 'object' && 'since' in source;
}

export function isStored({ source }: Pick<ProfileField, 'source'>): boolean {
  return source === 'fold' || source === 'registry';
}

/** Whether rows of profiles have a column of the field once they are whole: stored, or computed when it is asked for. */
export function hasColumn({ source }: Pick<ProfileField, 'source'>): boolean {
  return typeof source !== 'object';
}

/** What is dirty, refreshed, registered and cached by itself. */
export type EntityKind = 'tokens' | 'wallets';

/** A position is one wallet's holding of one token: it is refreshed with its wallet. */
export type ProfileKind = EntityKind | 'positions';

/** Labels that the interface names; rules may add others. */
export const knownLabels = {
  tokens: ['trending', 'hot', 'new', 'popular'],
  wallets: ['kol', 'trencher', 'conviction', 'smart', 'whale', 'degen', 'sniper', 'swing', 'holder'],
  positions: ['flip', 'diamond', 'bagholder'],
} as const;

/** Labels as they are stored, `|a|b|`, as a list. */
export function labelsOf(stored: string | null): readonly string[] {
  return (stored ?? '').split('|').filter((label) => label !== '');
}
