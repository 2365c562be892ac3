import type { Metric } from '../metrics/metric.ts';
import type { ProfileField, ProfileKind } from './fields.ts';
import type { Section } from './sections/section.ts';
import { sections } from './sections/sections.ts';

export { addressField } from './sections/section.ts';

/** The fields that break ties of every sort: together they are unique. */
export const tieFields = {
  tokens: ['token_address'],
  wallets: ['wallet_address'],
  positions: ['wallet_address', 'token_address'],
} as const satisfies Readonly<Record<ProfileKind, readonly string[]>>;

/** Every field of a profile, in the order of the response. */
export function profileFields(kind: ProfileKind, metrics: readonly Metric[]): readonly ProfileField[] {
  return (sections[kind] as readonly Section[]).flatMap((section) => section.fields(metrics));
}
