export {
  type Client,
  createClient,
  type ItemOf,
  type Method,
  type Methods,
  type OperationName,
  type PagedName,
  type PageOf,
} from './client.ts';
export { ClientError, type FaultDetail } from './errors.ts';
export type { CallOptions, ClientOptions } from './send.ts';
export type { LiveMessage, LiveTopic, SubscribeOptions, TopicName } from './subscribe.ts';
export type * from './types.ts';
