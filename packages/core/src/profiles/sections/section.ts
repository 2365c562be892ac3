import type * as v from 'valibot';
import type { Config } from '../../config.ts';
import type { Metric } from '../../metrics/metric.ts';
import type { EntityKind, FieldSource, ProfileField } from '../../records/profile-fields.ts';
import { dateOrNull, flagOrNull, integer, integerOrNull, numberOrNull, text, textOrNull } from '../../response.ts';
import type { ProfileNode } from '../tree.ts';

/** What a response depends on beside its request: the rules of labels, and the metrics. */
export interface ResponseContext {
  readonly config: Config;
  readonly metrics: readonly Metric[];
}

/**
 * A section of a profile: everything that Swapfold knows of it derives from this declaration.
 *
 * - `key`: what the profile has it under. `option`: what the option of a request is, whose name is `include_` with the key: a flag, or a
 *   list of windows. Without one, every profile has the section.
 * - `fields`: its fields, with their paths in the profile.
 * - `queried`: paths of its text fields that a text query searches.
 * - `beside`: a key beside the section's, read from a column that is no field.
 * - `isOnRequest`: whether a profile lacks it unless the request names it, or a search one of its fields, because some of it is computed
 *   of more than the profile's row.
 * - `isAskedOnly`: no profile has it unless the request asks for it, and no stream does. `returns`: what the option gives, if not the key.
 * - `response`: the keys of the profile that it gives, with their schemas, if they differ from the schemas of its fields.
 */
export interface Section {
  readonly key: string;
  readonly option?: 'flag' | 'windows';
  readonly fields: (metrics: readonly Metric[]) => readonly ProfileField[];
  readonly queried: readonly string[];
  readonly isOnRequest?: true;
  readonly beside?: {
    readonly key: string;
    readonly column: string;
    readonly read: (stored: string | null) => unknown;
  };
  readonly isAskedOnly?: true;
  readonly returns?: string;
  readonly response?: (nodes: readonly ProfileNode[], context: ResponseContext) => v.ObjectEntries;
}

type FieldKind = Pick<ProfileField, 'type' | 'column' | 'response' | 'isAddress' | 'isToken'>;

const kinds = {
  text: { type: 'text', column: 'text', response: textOrNull },
  textAlways: { type: 'text', column: 'text', response: text },
  address: { type: 'text', column: 'text', response: text, isAddress: true },
  token: { type: 'text', column: 'text', response: text, isAddress: true, isToken: true },
  addressOrNull: { type: 'text', column: 'text', response: textOrNull, isAddress: true },
  date: { type: 'date', column: 'long', response: dateOrNull },
  boolean: { type: 'boolean', column: 'long', response: flagOrNull },
  number: { type: 'number', column: 'double', response: numberOrNull },
  count: { type: 'number', column: 'double', response: integer },
  countOrNull: { type: 'number', column: 'double', response: integerOrNull },
} as const satisfies Readonly<Record<string, FieldKind>>;

export type FieldKindName = keyof typeof kinds;

/** A field without its path: what it holds, where it comes from, and one phrase with its unit for documentation. */
export function field<const K extends FieldKindName, const S extends FieldSource>(kind: K, source: S, meaning: string) {
  return { ...kinds[kind], source, meaning };
}

/** The field that holds an entity's address. */
export const addressField = { tokens: 'token_address', wallets: 'wallet_address' } as const;

export function base<const Kind extends EntityKind>(kind: Kind) {
  const address = addressField[kind];
  return {
    key: address,
    fields: () => [
      { path: 'updated_at', ...field('date', 'fold', 'Block time of the newest swap that the data reflects.') },
      { path: 'synced_at', ...field('date', 'fold', 'When the profile was stored.') },
      { path: address, ...field(kind === 'tokens' ? 'token' : 'address', 'fold', 'Address.') },
    ],
    queried: [address],
  } as const satisfies Section;
}

type Fields = Readonly<Record<string, Omit<ProfileField, 'path'>>>;

/** A section that is an object of fields with a flag as its option, with the types of its declaration. */
export interface FlagSection<Key extends string = string, F extends Fields = Fields, Path extends string = string>
  extends Section {
  readonly key: Key;
  readonly option: 'flag';
  readonly members: F;
  readonly queried: readonly Path[];
}

/** Declares a section that is an object of fields. `queried` names those that a text query searches. */
export function flagSection<
  const Key extends string,
  const F extends Fields,
  const Queried extends keyof F & string = never,
>(key: Key, members: F, ...queried: Queried[]): FlagSection<Key, F, `${Key}.${Queried}`> {
  const own = Object.entries(members).map(([name, member]) => ({ path: `${key}.${name}`, ...member }));
  const fields: readonly ProfileField[] = own;
  return {
    key,
    option: 'flag',
    members,
    fields: () => fields,
    queried: queried.map((name) => `${key}.${name}` as const),
  };
}

/** The section, computed where it is asked for alone. */
export const onRequest = <S extends FlagSection>(section: S): S => ({ ...section, isOnRequest: true });

export type SectionAnswer<S extends FlagSection> = {
  readonly [Name in keyof S['members'] as S['members'][Name]['source'] extends { readonly since: string }
    ? never
    : Name]: v.InferOutput<ReturnType<S['members'][Name]['response']>>;
};
