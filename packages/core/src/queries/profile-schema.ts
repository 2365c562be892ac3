import * as v from 'valibot';
import type { ProfileKind } from '../profiles/fields.ts';
import type { ResponseContext } from '../profiles/sections/section.ts';
import { shapeOf } from '../profiles/shape.ts';
import { nodeSchema } from '../profiles/tree.ts';
import { dateText, described, named, type ResponseSchema } from '../response.ts';
import { explanationSchema } from '../search/explain-schema.ts';
import type { Profile } from './serve-profile.ts';

/** A profile as it is served: sections that the request does not want are absent. */
export function profileSchema(kind: ProfileKind, context: ResponseContext): ResponseSchema<Profile> {
  const entries = shapeOf(kind, context.metrics).parts.map(({ section, nodes }) => {
    const own =
      section.response?.(nodes, context) ?? Object.fromEntries(nodes.map((node) => [node.key, nodeSchema(node)]));
    return section.option === undefined ? own : optional(own);
  });
  return named(
    names[kind],
    v.strictObject({
      ...Object.assign({}, ...entries),
      ...optional({
        as_of: dateText(
          'The last instant that the profile holds for, where a refresh of what was traded has left it behind the others.',
        ),
        dynamic_labels: described(v.array(v.string()), 'Labels of the request that hold.'),
        explain: explanationSchema,
      }),
    }),
  );
}

const names = { tokens: 'TokenProfile', wallets: 'WalletProfile', positions: 'PositionProfile' } as const;

const optional = (entries: v.ObjectEntries): v.ObjectEntries =>
  Object.fromEntries(Object.entries(entries).map(([key, schema]) => [key, v.exactOptional(schema as v.GenericSchema)]));
