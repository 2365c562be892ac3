import type { Metric } from '../metrics/metric.ts';
import type { ProfileField, ProfileKind } from './fields.ts';
import type { Section } from './sections/section.ts';
import { sections } from './sections/sections.ts';

export { addressField } from './sections/base.ts';

/** Every field of a profile, in the order of the response. */
export function profileFields(kind: ProfileKind, metrics: readonly Metric[]): readonly ProfileField[] {
  return (sections[kind] as readonly Section[]).flatMap((section) => section.fields(metrics));
}
