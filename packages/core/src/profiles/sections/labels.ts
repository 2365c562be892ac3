import * as v from 'valibot';
import { type Config, labelName } from '../../config.ts';
import { labelNamesOf } from '../../labels/rules.ts';
import { described, named } from '../../response.ts';
import type { ProfileField, ProfileKind } from '../fields.ts';
import type { Section } from './section.ts';

const meaning = 'Labels that hold.';

/** Labels of positions depend on a price, which moves without them: they are computed when they are asked for. */
const fieldOf = (kind: ProfileKind): ProfileField => ({
  path: 'labels',
  type: 'labels',
  column: 'text',
  source: kind === 'positions' ? 'query' : 'fold',
  meaning,
  response: () => described(v.array(v.string()), meaning),
});

/** Labels, and the names of the rules that gave them. */
export function labels(kind: ProfileKind) {
  const field = fieldOf(kind);
  return {
    key: 'labels',
    option: 'flag',
    fields: () => [field],
    queried: [],
    beside: { key: 'matched_labels', column: 'matched_labels', read: (stored) => JSON.parse(stored ?? '{}') },
    response(_, { config }) {
      const label = labelSchema(kind, config);
      const rules = 'By label, the names of the rules that matched.';
      return {
        labels: described(v.array(label), meaning),
        matched_labels: described(v.record(label, v.array(v.string())), rules),
      };
    },
  } as const satisfies Section;
}

/** The label of a token or position is one that the interface or a rule names; the registry may give wallets others. */
function labelSchema(kind: ProfileKind, config: Config) {
  const known = v.picklist(labelNamesOf(config)[kind]);
  if (kind !== 'wallets') {
    const name = kind === 'tokens' ? 'TokenLabel' : 'PositionLabel';
    return named(name, described(known, 'A label of the interface, or of a rule of this server.'));
  }
  const meaning = 'A label of the interface, of a rule of this server, or of its registry of wallets.';
  return named('WalletLabel', described(v.union([known, labelName]), meaning));
}
