export { httpSender } from './http-messages.ts';
export { type Call, Node, type Outcome, type SendCalls } from './node.ts';
export {
  type FailureKind,
  type FailureMeanings,
  type FailureReader,
  failureReader,
  NodeFailure,
} from './node-errors.ts';
export { Notices } from './notices.ts';
export { pause } from './pause.ts';
export { scale } from './scale.ts';
export { type BlockId, Trail } from './trail.ts';
