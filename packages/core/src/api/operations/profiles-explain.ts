import * as v from 'valibot';
import { profileWindows } from '../../bag/windows.ts';
import type { ProfileKind } from '../../profiles/fields.ts';
import { type ExplainRequest, explainFaults, explainMetric } from '../../queries/explain-metric.ts';
import { metricExplanationSchema } from '../../queries/explain-schema.ts';
import { described } from '../../response.ts';
import { operation, type RunnableOperation } from '../operation.ts';
import { pageEntries, requestObject } from '../request.ts';
import { sample, tokenSchema, walletSchema } from './entries.ts';

/** What is named of a kind of profile, and what an answer calls it. */
const named = {
  tokens: { names: ['token'], noun: 'a token' },
  wallets: { names: ['wallet'], noun: 'a wallet' },
  positions: { names: ['wallet', 'token'], noun: 'the position of a wallet in a token' },
} as const;

export const profilesExplain = (kind: ProfileKind): RunnableOperation => {
  const { names, noun } = named[kind];
  const own = <T>(entryOf: (name: 'wallet' | 'token') => T) =>
    Object.fromEntries(names.map((name) => [name, entryOf(name)]));
  return operation({
    name: `${kind}.explain`,
    path: `/profiles/${kind}/explain-metric`,
    cost: 'scan',
    canMiss: true,
    summary: `Explain a metric of ${noun}.`,
    description: `Returns a metric of the stored profile of ${noun} with its formula, the terms that it is made of, and a page of the trades that enter, newest first. Of a metric that is a sum, each trade says what it adds. Later pages are of the instant of the first.`,
    example: (config) => ({ ...own((name) => sample(config)[name]), metric: 'pnl', window: '7d', limit: 20 }),
    request: (config) => {
      const schemas = { wallet: walletSchema, token: tokenSchema };
      return requestObject({
        ...own((name) => schemas[name](config, `Address of the ${name}.`)),
        metric: described(v.string(), 'The metric, as profiles have it below a window.', 'pnl'),
        window: described(v.string(), `One of ${profileWindows[kind].join(', ')}.`, '7d'),
        ...pageEntries,
      });
    },
    returns: 'The metric, its terms, and a page of its trades.',
    response: () => metricExplanationSchema,
    alsoWrong: (context, right) => explainFaults(context, kind, right as Partial<ExplainRequest>),
    answer: (context, request) => explainMetric(context, kind, request as unknown as ExplainRequest),
  });
};
