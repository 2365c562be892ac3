import type * as v from 'valibot';
import { SwapfoldError } from '../errors.ts';
import { didYouMean, show } from '../nearest.ts';
import type { ServedTopic, Topic } from './topic.ts';
import { candlesTopic, pricesTopic, swapsTopic, tradesTopic, transfersTopic } from './topics/prices-swaps.ts';
import { positionProfilesTopic, tokenProfilesTopic, walletProfilesTopic } from './topics/profiles.ts';

/** A new topic is a declaration in the folder beside, and a row here. */
const table = [
  swapsTopic,
  tradesTopic,
  transfersTopic,
  pricesTopic,
  candlesTopic,
  walletProfilesTopic,
  tokenProfilesTopic,
  positionProfilesTopic,
] as const satisfies readonly ServedTopic[];

type ListedTopic = (typeof table)[number];
type Named<Name extends string> = Extract<ListedTopic, { readonly name: Name }>;

/** The name of a topic, such as `trades`. */
export type TopicName = ListedTopic['name'];
/** What a subscription to a topic asks for. */
export type TopicParams<Name extends TopicName> = v.InferInput<ReturnType<Named<Name>['params']>>;
/** What the messages of a topic hold. */
export type TopicItem<Name extends TopicName> = NonNullable<
  Awaited<ReturnType<ReturnType<Named<Name>['select']>['read']>>
>['data'][number];

/** The topics, in their order. */
export const topics: readonly Topic[] = table;

/** The whole name of a topic of a chain. */
export const topicName = (chain: string, { name }: Topic): string => `${chain}.dex.${name}`;

/** As `findTopic`, with what serves it. */
export function findServed(chain: string, name: string): ServedTopic {
  const served: readonly ServedTopic[] = table;
  const found = served.find((topic) => topic.name === name || topicName(chain, topic) === name);
  if (found !== undefined) return found;
  const names = topics.map((topic) => topicName(chain, topic));
  throw new SwapfoldError(
    'not-found',
    `There is no topic ${show(name)}.${didYouMean(String(name), names)} Topics: ${names.join(', ')}.`,
  );
}

/** The topic of that name, or whole name. Errors: `not-found`, with the nearest name. */
export const findTopic = (chain: string, name: string): Topic => findServed(chain, name);
