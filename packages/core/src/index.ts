// For programs that embed a store. docs/stability.md freezes these names, and no others of this package.

export type { AnswerOf, Api, OperationName, QueryOptions, RequestOf } from './api/api.ts';
export type { ItemOf, PagedName } from './api/pages.ts';
export type { TopicName } from './api/topics.ts';
export type { Bag } from './bag/bag.ts';
export type { Config, LabelRule } from './config.ts';
export { type ErrorCode, type ErrorDetail, SwapfoldError } from './errors.ts';
export type { ExportBatch } from './export/column.ts';
export type { ArrowRequest, ExportFileRequest, ExportRequest } from './export/request.ts';
export type { ExportName } from './export/things.ts';
export type { SwapSource, TransferSource } from './ingest/batches.ts';
export {
  columnsToObjects,
  type SwapColumns,
  type SwapInput,
  type TransferColumns,
  type TransferInput,
} from './ingest/columns.ts';
export type { IngestResult, RollbackResult, TransfersResult } from './ingest-result.ts';
export type { LaunchRules } from './launch-rules.ts';
export type { FollowResult, Source, SourceItem, StoreStatus } from './live/source.ts';
export type { Candle } from './market-data/candle-fold.ts';
export { memory } from './memory/memory.ts';
export { defineMetric, type Metric } from './metrics/metric.ts';
export { presets } from './presets.ts';
export type { LaunchRole, TokenLaunch } from './profiles/sections/launch.ts';
export type { Simulation } from './queries/copy/schema.ts';
export type { RecordField } from './queries/explain-record.ts';
export type { MetricExplanation } from './queries/explain-schema.ts';
export type { TokenHistory } from './queries/histories/token.ts';
export type { WalletHistory } from './queries/histories/wallet.ts';
export type { PriceHistory } from './queries/history.ts';
export type {
  LaunchBundle,
  LaunchInsider,
  RoleEvidence,
  TokenBuyer,
  TokenBuyers,
} from './queries/launch/buyers-schema.ts';
export type { Portfolio } from './queries/portfolio.ts';
export type { LatestPrice, PriceStats } from './queries/prices.ts';
export type { SearchAnswer } from './queries/profiles.ts';
export type { PositionProfile, SniperEntries, TokenProfile, WalletProfile } from './queries/serve-profile.ts';
export type { Swap } from './queries/swap.ts';
export type { Page } from './queries/swaps.ts';
export type { Trade } from './queries/trades.ts';
export type { Transfer } from './queries/transfer.ts';
export type { RefreshResult } from './refresh/write.ts';
export type { PricesResult } from './registry/price-warnings.ts';
export type { PriceInput } from './registry/reference-prices.ts';
export type { TokenInput, UpsertResult, WalletInput } from './registry/registry.ts';
export type { PositionFilter, TokenFilter, WalletFilter } from './search/filter-types.ts';
export type { PositionSearch, TokenSearch, WalletSearch } from './search/types.ts';
export type { CallOptions } from './storage/abortable.ts';
export type { BackupResult } from './store/maintain/copy.ts';
export type { Verification } from './store/maintain/verify.ts';
export type { StoreInfo } from './store/open/info.ts';
export type { FollowOptions, KeepFreshOptions } from './store/watch/follow-options.ts';
export type { Message, Stream, SubscribeOptions, Subscription, TopicCall } from './store/watch/subscribe.ts';
export type { TransferIngestOptions } from './store/write/ingest-transfers.ts';
export type { IngestOptions } from './store/write/intake.ts';
export type { PruneResult } from './store/write/prune.ts';
export { Swapfold } from './swapfold.ts';
export type {
  ConfigInput,
  CopyOptions,
  OpenOptions,
  PruneOptions,
  RebuildOptions,
  RefreshOptions,
  RollbackOptions,
} from './swapfold-options.ts';
export type { TimeInput } from './time.ts';
