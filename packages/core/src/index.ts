export { type AddressFormat, normalAddress } from './addresses/address.ts';
export { type TokenNames, tokenAddress } from './addresses/token-address.ts';
export type {
  Api,
  CandlesCall,
  ExplainCall,
  HistoryCall,
  ListCall,
  Method,
  ProfileMethods,
  QueryOptions,
  SearchMethod,
} from './api/api.ts';
export type { Operation, OperationCost, WritableStore } from './api/operation.ts';
export { findOperation, operations, questions } from './api/operations.ts';
export { parseRequest, type RequestSchema, requestObject } from './api/request.ts';
export type { Topic } from './api/topic.ts';
export { findTopic, type TopicItem, type TopicName, type TopicParams, topicName, topics } from './api/topics.ts';
export { type Bag, roiBuckets } from './bag/bag.ts';
export type { TermName } from './bag/terms.ts';
export { profileWindows } from './bag/windows.ts';
export {
  type Config,
  type ConfigInput,
  type LabelRule,
  parseConfig,
  type QuoteToken,
  type WashRule,
} from './config.ts';
export { type ErrorCode, type ErrorDetail, errorCodes, SwapfoldError } from './errors.ts';
export type { ExportBatch, ExportColumn, ExportType, ExportValues } from './export/column.ts';
export { batchOfRows } from './export/column.ts';
export { type ExportFormat, exportFormats, writeRows } from './export/formats/write.ts';
export type { ArrowRequest, ExportFileRequest, ExportRequest } from './export/request.ts';
export { type ExportName, exportNames } from './export/things.ts';
export { filterLimits, operatorsByType } from './filter/operators.ts';
export { inspectSwaps } from './ingest/batch-validator.ts';
export type { SwapFile, SwapItem, SwapSource } from './ingest/batches.ts';
export {
  columnsToObjects,
  type DictionaryColumn,
  type GivenSwap,
  type NumberColumn,
  type SwapColumns,
  type SwapInput,
  type TextColumn,
} from './ingest/columns.ts';
export type {
  Conflict,
  IngestResult,
  Reject,
  RollbackResult,
  RowPlace,
  SameSwap,
  UnknownField,
} from './ingest/result.ts';
export { JsonDepth } from './json-depth.ts';
export { labelNamesOf, labelRulesOf } from './labels/rules.ts';
export type { MessageBody, Retracted } from './live/selection.ts';
export type {
  FollowResult,
  Source,
  SourceItem,
  SourcePlace,
  SourceRollback,
  SourceRows,
  StoreStatus,
} from './live/source.ts';
export type { GoneTrade } from './live/view.ts';
export type { Candle } from './market-data/candle-fold.ts';
export { memory } from './memory/memory.ts';
export { builtInMetrics } from './metrics/built-in.ts';
export { defineMetric, type Example, type Metric, metricPath, type Unit } from './metrics/metric.ts';
export type {
  OwnMetric,
  OwnMetricName,
  PositionMetricName,
  PositionMetrics,
  RoiDistribution,
  TokenMetricName,
  TokenMetrics,
  WalletMetricName,
  WalletMetrics,
} from './metrics/names.ts';
export type { Story, StoryTrade } from './metrics/story.ts';
export { didYouMean, nearest, show } from './nearest.ts';
export { checkOptions, type OptionNames } from './options.ts';
export { presets } from './presets.ts';
export type { EntityKind, FieldSource, FieldType, ProfileField, ProfileKind } from './profiles/fields.ts';
export { knownLabels } from './profiles/fields.ts';
export type { ResponseContext } from './profiles/sections/section.ts';
export { type ProfileOptions, profileFields, queryFields } from './profiles/sections/sections.ts';
export type { HoldingField } from './queries/explain-holding.ts';
export type { ExplainedTrade, ForgottenTrades, Mark, MetricExplanation, MetricTerm } from './queries/explain-schema.ts';
export type { TokenHistory, TokenPoint } from './queries/histories/token.ts';
export type { WalletHistory, WalletPoint } from './queries/histories/wallet.ts';
export type { PriceHistory, PricePoint } from './queries/history.ts';
export type { Portfolio, PortfolioToken } from './queries/portfolio.ts';
export type { LatestPrice, PriceStats } from './queries/prices.ts';
export type { SearchAnswer } from './queries/profiles.ts';
export type {
  PositionHolding,
  PositionMetadata,
  PositionProfile,
  Profile,
  ProfileBase,
  TokenMarket,
  TokenMetadata,
  TokenProfile,
  WalletMetadata,
  WalletProfile,
} from './queries/serve-profile.ts';
export type { Swap } from './queries/swap.ts';
export type { Page } from './queries/swaps.ts';
export type { Trade } from './queries/trades.ts';
export {
  isRequiredField,
  type OptionalNumberField,
  type OptionalTextField,
  type RequiredNumberField,
  type RequiredTextField,
  type SwapField,
  type SwapFieldName,
  type SwapFieldType,
  swapField,
  swapFieldNames,
} from './records/swap-fields.ts';
export type { RefreshResult } from './refresh/write.ts';
export type { PricesResult, PriceWarning } from './registry/price-warnings.ts';
export type { PriceInput } from './registry/reference-prices.ts';
export { registryFields, type TokenInput, type UpsertResult, type WalletInput } from './registry/registry.ts';
export type { ResponseSchema } from './response.ts';
export type { ExplainedClause, ExplainedCondition, ExplainedGroup, ProfileExplanation } from './search/explain.ts';
export type {
  ConditionByType,
  FieldsOf,
  Filter,
  PositionFilter,
  PositionSortField,
  TokenFilter,
  TokenSortField,
  WalletFilter,
  WalletSortField,
} from './search/filter-types.ts';
export type { ExplainedPlan, PlanStep } from './search/page.ts';
export { filterPaths } from './search/plan.ts';
export type {
  PositionSearch,
  SearchInput,
  SortInput,
  TextQueryInput,
  TextSearchInput,
  TokenSearch,
  WalletSearch,
} from './search/types.ts';
export type { CallOptions } from './storage/abortable.ts';
export type { StorageAdapter } from './storage/adapter.ts';
export type { Difference } from './store/compare-stores.ts';
export { type BackupResult, backup } from './store/copy.ts';
export type { Exports } from './store/export-store.ts';
export type { Following } from './store/follow.ts';
export type { FollowOptions, KeepFreshOptions } from './store/follow-options.ts';
export type { Informing, StoreInfo } from './store/info.ts';
export type { IngestOptions } from './store/intake.ts';
export type { PruneResult } from './store/prune.ts';
export type {
  Message,
  Stream,
  SubscribeOptions,
  Subscription,
  Subscriptions,
  TopicCall,
  TopicNamed,
} from './store/subscribe.ts';
export type { StableFeed, StoreValuation } from './store/valuation.ts';
export type { Verification } from './store/verify.ts';
export { Swapfold } from './swapfold.ts';
export type {
  CopyCall,
  MemoryOptions,
  OpenOptions,
  PruneCall,
  RebuildCall,
  RefreshCall,
  RollbackCall,
} from './swapfold-options.ts';
export { formatTime, MAX_TIME, rfc3339Millis, type TimeInput } from './time.ts';
export type { Work } from './work.ts';
export { newShare, type Share, Turns, threadTurns, type Yielder, type YielderOptions, yielder } from './yielder.ts';
