import * as v from 'valibot';
import { type Config, labelName } from '../config.ts';
import { labelNamesOf } from '../labels/rules.ts';
import type { Metric } from '../metrics/metric.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { type ProfileNode, type ProfileShape, shapesOf } from '../profiles/shape.ts';
import { dateText, described, named, type ResponseSchema } from '../response.ts';
import { explanationSchema } from '../search/explain-schema.ts';
import type { Profile } from './serve-profile.ts';

/** What a response depends on beside its request: the chain and the rules of labels, and the metrics. */
export interface ResponseContext {
  readonly config: Config;
  readonly metrics: readonly Metric[];
}

/** What the names of schemas of a kind begin with. */
const nouns = { tokens: 'Token', wallets: 'Wallet' } as const satisfies Record<ProfileKind, string>;

/** A profile as it is served: sections that were not asked for are absent. */
export function profileSchema(kind: ProfileKind, { config, metrics }: ResponseContext): ResponseSchema<Profile> {
  const shape = shapesOf(metrics)[kind];
  const label = labelSchema(kind, config);
  const plain = shape.tree.filter(({ of, type }) => of === undefined && type !== 'labels');
  const nested = shape.tree.filter(({ of }) => of !== undefined);
  return named(
    `${nouns[kind]}Profile`,
    v.strictObject({
      ...Object.fromEntries(plain.map((node) => [node.key, nodeSchema(node, shape)])),
      as_of: v.exactOptional(
        dateText(
          'The last instant that the profile holds for, where a refresh of what was traded has left it behind the others.',
        ),
      ),
      labels: v.exactOptional(described(v.array(label), 'Labels that hold.')),
      matched_labels: v.exactOptional(
        described(v.record(label, v.array(v.string())), 'By label, the names of the rules that matched.'),
      ),
      dynamic_labels: v.exactOptional(described(v.array(v.string()), 'Labels of the request that hold.')),
      explain: v.exactOptional(explanationSchema),
      ...Object.fromEntries(
        nested.map((node) => [
          node.key,
          v.exactOptional(node.key === 'metrics' ? metricsSchema(node, shape) : nodeSchema(node, shape)),
        ]),
      ),
    }),
  );
}

function nodeSchema({ path, of }: ProfileNode, shape: ProfileShape): v.GenericSchema {
  if (of !== undefined)
    return v.strictObject(Object.fromEntries(of.map((node) => [node.key, nodeSchema(node, shape)])));
  const { response, meaning } = shape.byPath.get(path)!;
  return response(meaning);
}

/** Every window has the same metrics. */
function metricsSchema({ of }: ProfileNode, shape: ProfileShape): v.GenericSchema {
  const windows = of!;
  const metrics = v.exactOptional(named(`${nouns[shape.kind]}Metrics`, nodeSchema(windows[0]!, shape)));
  return described(v.strictObject(Object.fromEntries(windows.map(({ key }) => [key, metrics]))), 'Metrics by window.');
}

/** The label of a token is one that the interface or a rule names; the registry may give wallets others. */
function labelSchema(kind: ProfileKind, config: Config) {
  const known = v.picklist(labelNamesOf(config)[kind]);
  if (kind === 'tokens')
    return named('TokenLabel', described(known, 'A label of the interface, or of a rule of this server.'));
  const meaning = 'A label of the interface, of a rule of this server, or of its registry of wallets.';
  return named('WalletLabel', described(v.union([known, labelName]), meaning));
}
