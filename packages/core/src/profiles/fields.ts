import type { GenericSchema } from 'valibot';
import type { ColumnType } from '../records/columns.ts';

/** What a profile field holds, which decides the filter operators that suit it. */
export type FieldType = 'number' | 'text' | 'date' | 'boolean' | 'labels';

/**
 * One scalar of a profile: a path of the response, a column of the profile table (of the same name), a filter and sort path.
 *
 * Stored as: number `double`; date `long`, Unix seconds; boolean `long`, 0 or 1; text `text`; labels `text`, `|a|b|`.
 */
export interface ProfileField {
  readonly path: string;
  readonly type: FieldType;
  readonly column: ColumnType;
  readonly meaning: string;
  /** What a response has of it, with what the OpenAPI description says of that. */
  readonly response: (meaning: string) => GenericSchema;
}

export type ProfileKind = 'tokens' | 'wallets';
