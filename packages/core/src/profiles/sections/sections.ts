import type { ProfileKind } from '../fields.ts';
import { base } from './base.ts';
import { identity } from './identity.ts';
import { labels } from './labels.ts';
import { market } from './market.ts';
import { tokenMetadata, walletMetadata } from './metadata.ts';
import { metrics } from './metrics.ts';
import { holding, positionBase, positionMetadata } from './position.ts';
import type { FlagSection, Section, SectionAnswer } from './section.ts';

/** The sections of profiles, in the order of the response. A new one is a file beside these, and a row here. */
export const sections = {
  tokens: [base('tokens'), labels('tokens'), tokenMetadata, market, metrics('tokens')],
  wallets: [base('wallets'), labels('wallets'), walletMetadata, identity, metrics('wallets')],
  positions: [positionBase, labels('positions'), positionMetadata, holding, metrics('positions')],
} as const satisfies Readonly<Record<ProfileKind, readonly Section[]>>;

/** A section of a kind of profile, with the types of its declaration. */
type SectionOf<Kind extends ProfileKind> = (typeof sections)[Kind][number];
type ObjectSection<Kind extends ProfileKind> = Extract<SectionOf<Kind>, FlagSection>;

/** The sections of a profile that are objects of fields: a profile lacks those that the request does not want. */
export type ObjectSections<Kind extends ProfileKind> = {
  readonly [S in ObjectSection<Kind> as S['key']]?: SectionAnswer<S>;
};

type PathsOf<S> = S extends FlagSection ? `${S['key']}.${keyof S['members'] & string}` : never;
type TypeAt<S, Path extends string> = S extends FlagSection
  ? Path extends `${S['key']}.${infer Name}`
    ? S['members'][Name & keyof S['members']]['type']
    : never
  : never;

/** The fields of those sections, by their paths: what they hold. */
export function objectPaths<Kind extends ProfileKind>(
  kind: Kind,
): { readonly [Path in PathsOf<ObjectSection<Kind>>]: TypeAt<ObjectSection<Kind>, Path> } {
  const objects = sections[kind].filter((section: Section) => 'members' in section);
  const fields = objects.flatMap((section: Section) => section.fields([]));
  return Object.fromEntries(fields.map(({ path, type }) => [path, type])) as ReturnType<typeof objectPaths<Kind>>;
}

type KeysByOption<Option, S> = S extends {
  readonly key: infer Key extends string;
  readonly option: Option;
}
  ? Key
  : never;

/** Which sections a profile is served with; absent options mean all of them. */
export type ProfileOptions<Kind extends ProfileKind = ProfileKind> = {
  readonly [Key in KeysByOption<'flag', SectionOf<Kind>> as `include_${Key}`]?: boolean | undefined;
} & {
  readonly [Key in KeysByOption<'windows', SectionOf<Kind>> as `include_${Key}`]?: readonly string[] | undefined;
};

/** The fields that a text query can match, and does unless it names fewer. */
export const queryFields = {
  tokens: queriedOf(sections.tokens),
  wallets: queriedOf(sections.wallets),
  positions: queriedOf(sections.positions),
};

function queriedOf<const S extends readonly Section[]>(of: S): readonly S[number]['queried'][number][] {
  return of.flatMap(({ queried }) => queried);
}
