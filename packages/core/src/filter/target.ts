import type { AddressFormat } from '../address.ts';
import type { FieldType, ProfileField, ProfileKind } from '../profiles/fields.ts';

/** What a filter or sort is read against. */
export interface FilterContext {
  readonly kind: ProfileKind;
  readonly fields: ReadonlyMap<string, ProfileField>;
  /** Unix seconds, whole: what `metadata.age` and `metadata.idle` count to. */
  readonly asOf: number;
  /** Where the filter stands in the request, for messages. Default `filter`. */
  readonly path?: string;
  /** Addresses given in a filter are compared as this format stores them. Default `any`. */
  readonly addressFormat?: AddressFormat;
}

/** What a path stands for: a column, or the seconds since the time in it. */
export interface Target {
  readonly path: string;
  readonly type: FieldType;
  readonly column: string;
  readonly isElapsed: boolean;
  readonly isAddress: boolean;
}

/** Paths whose value is the time since a date, by the date's path. */
const elapsedSince: ReadonlyMap<string, string> = new Map([
  ['metadata.age', 'metadata.created_at'],
  ['metadata.idle', 'metadata.last_trade_at'],
]);

const addressPaths: ReadonlySet<string> = new Set(['token_address', 'wallet_address', 'metadata.creator_address']);

/** What `path` means, or `undefined` where it means nothing. */
export function resolvePath(path: string, fields: ReadonlyMap<string, ProfileField>): Target | undefined {
  const since = elapsedSince.get(path);
  if (since !== undefined && fields.has(since))
    return { path, type: 'number', column: since, isElapsed: true, isAddress: false };
  const field = fields.get(path) ?? fields.get(path.replace(/\.cumulative_pnl$/, '.pnl'));
  if (field === undefined) return undefined;
  return {
    path: field.path,
    type: field.type,
    column: field.path,
    isElapsed: false,
    isAddress: addressPaths.has(field.path),
  };
}

/** Every path that `resolvePath` knows, but for aliases. */
export function knownPaths(fields: ReadonlyMap<string, ProfileField>): string[] {
  const elapsed = [...elapsedSince].filter(([, since]) => fields.has(since)).map(([path]) => path);
  return [...fields.keys(), ...elapsed];
}
