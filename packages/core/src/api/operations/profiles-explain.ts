import * as v from 'valibot';
import { profileWindows } from '../../bag/windows.ts';
import type { EntityKind } from '../../profiles/fields.ts';
import { explainFaults, explainMetric } from '../../queries/explain-metric.ts';
import type { ExplainRequest } from '../../queries/explain-page.ts';
import { metricExplanationSchema } from '../../queries/explain-schema.ts';
import { described } from '../../response.ts';
import { type Operation, operation } from '../operation.ts';
import { pageEntries, requestObject } from '../request.ts';
import { sample, tokenSchema, walletSchema } from './entries.ts';

export const profilesExplain = (kind: EntityKind): Operation => {
  const noun = kind === 'tokens' ? 'token' : 'wallet';
  return operation({
    name: `${kind}.explain`,
    path: `/profiles/${kind}/explain-metric`,
    cost: 'scan',
    canMiss: true,
    summary: `Explain a metric of a ${noun}.`,
    description: `Returns a metric of the stored profile of a ${noun} with its formula, the terms that it is made of, and a page of the trades that enter, newest first. Of a metric that is a sum, each trade says what it adds.`,
    example: (config) => ({ [noun]: sample(config)[noun], metric: 'pnl', window: '7d', limit: 20 }),
    request: (config) =>
      requestObject({
        [noun]:
          noun === 'token'
            ? tokenSchema(config, 'Address of the token.')
            : walletSchema(config, 'Address of the wallet.'),
        metric: described(v.string(), 'The metric, as profiles have it below a window.', 'pnl'),
        window: described(v.string(), `One of ${profileWindows[kind].join(', ')}.`, '7d'),
        ...pageEntries,
      }),
    returns: 'The metric, its terms, and a page of its trades.',
    response: () => metricExplanationSchema,
    alsoWrong: (context, right) => explainFaults(context, kind, right as Partial<ExplainRequest>),
    answer: (context, request) => {
      const asked = request as ExplainRequest & Readonly<Record<string, string>>;
      return explainMetric(context, kind, asked[noun]!, asked);
    },
  });
};
