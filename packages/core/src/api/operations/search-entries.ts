import * as v from 'valibot';
import type { ProfileKind } from '../../profiles/fields.ts';
import type { ResponseContext } from '../../profiles/sections/section.ts';
import { profileSchema } from '../../queries/profile-schema.ts';
import { described, named, pageAnswer } from '../../response.ts';
import { planSchema } from '../../search/explain-schema.ts';
import { optionsSchema, pageEntries } from '../request.ts';

const nouns = { tokens: 'Token', wallets: 'Wallet', positions: 'Position' } as const;

/** What a request for a page of profiles has. */
export function searchEntries(kind: ProfileKind) {
  const noun = nouns[kind];
  return {
    // Read by the search itself, whose paths depend on the metrics.
    filter: v.optional(named(`${noun}Filter`, v.unknown())),
    sort: v.optional(named(`${noun}Sort`, v.unknown())),
    dynamic_labels: v.optional(named(`${noun}DynamicLabels`, v.unknown())),
    explain: v.optional(
      described(
        v.boolean(),
        'Say of each profile why it was found, and of the search what ran. Default `false`.',
        true,
      ),
    ),
    options: v.optional(optionsSchema(kind)),
    ...pageEntries,
  };
}

/** A page of profiles. */
export function searchAnswer(kind: ProfileKind, store: ResponseContext) {
  return v.strictObject({
    ...pageAnswer(profileSchema(kind, store)),
    plan: v.exactOptional(planSchema),
  });
}
