export type { Limits } from './admission.ts';
export { asyncApiDocument } from './asyncapi/document.ts';
export { createHandler, type Handler, type HandlerOptions } from './handler.ts';
export type { KeyEntry, Keys } from './keys.ts';
export type { Logger } from './logger.ts';
export { openApiDocument } from './openapi/document.ts';
export type { ErrorBody } from './overload.ts';
export type { Rate } from './rate.ts';
export { type RunningServer, type ServeOptions, serve, type Timeouts } from './serve.ts';
