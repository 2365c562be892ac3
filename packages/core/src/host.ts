// For servers, command lines, sources and pages over a store: operations, topics, fields and the parts of which requests and answers are made.

export { type AddressFormat, normalAddress } from './addresses/address.ts';
export { type TokenNames, tokenAddress } from './addresses/token-address.ts';
export type { ExplainCall, Method, ProfileMethods, SearchMethod } from './api/api.ts';
export type { Operation, OperationCost, WritableStore } from './api/operation.ts';
export { findOperation, operations, questions } from './api/operations.ts';
export { parseRequest, type RequestSchema, requestObject } from './api/request.ts';
export type { Topic } from './api/topic.ts';
export { findTopic, type TopicItem, type TopicParams, topicName, topics } from './api/topics.ts';
export { roiBuckets } from './bag/bag.ts';
export type { TermName } from './bag/terms.ts';
export { profileWindows } from './bag/windows.ts';
export { parseConfig, type QuoteToken, type WashRule } from './config.ts';
export { errorCodes } from './errors.ts';
export { batchOfRows, type ExportColumn, type ExportType, type ExportValues } from './export/column.ts';
export { type ExportFormat, exportFormats, writeRows } from './export/formats/write.ts';
export { exportNames } from './export/things.ts';
export { filterLimits, operatorsByType } from './filter/operators.ts';
export { inspectSwaps } from './ingest/batch-validator.ts';
export type { SortableSource, SwapFile, SwapItem } from './ingest/batches.ts';
export type { DictionaryColumn, GivenSwap, GivenTransfer, NumberColumn, TextColumn } from './ingest/columns.ts';
export { inspectTransfers } from './ingest/transfers/check.ts';
export type { Conflict, Reject, RowPlace, SameSwap, TransferConflict, UnknownField } from './ingest-result.ts';
export { JsonDepth } from './json-depth.ts';
export { labelNamesOf, labelRulesOf } from './labels/rules.ts';
export type { MessageBody, Retracted } from './live/selection.ts';
export type { SourcePlace, SourceRollback, SourceRows } from './live/source.ts';
export type { GoneTrade } from './live/view.ts';
export { builtInMetrics } from './metrics/built-in.ts';
export { type Example, metricPath, type Unit } from './metrics/metric.ts';
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
export { recordPaths } from './profiles/sections/record.ts';
export type { ResponseContext } from './profiles/sections/section.ts';
export { type ProfileOptions, profileFields, queryFields } from './profiles/sections/sections.ts';
export type { HoldingField } from './queries/explain-holding.ts';
export type { ExplainedTrade, ForgottenTrades, Mark, MetricTerm } from './queries/explain-schema.ts';
export type { TokenPoint } from './queries/histories/token.ts';
export type { WalletPoint } from './queries/histories/wallet.ts';
export type { PricePoint } from './queries/history.ts';
export type { PortfolioToken } from './queries/portfolio.ts';
export { type ComputedFields, computedPositionFields } from './queries/positions/bounds.ts';
export type {
  PositionHolding,
  PositionMetadata,
  Profile,
  ProfileBase,
  TokenMarket,
  TokenMetadata,
  WalletMetadata,
} from './queries/serve-profile.ts';
export type { RecordPath } from './queries/wallets/tally.ts';
export type { TextFieldType } from './records/fields.ts';
export { isOfText, type RowField, type RowFields, type RowFieldType } from './records/fields.ts';
export {
  type EntityKind,
  type FieldSource,
  type FieldType,
  knownLabels,
  type ProfileField,
  type ProfileKind,
} from './records/profile-fields.ts';
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
export {
  type TransferFieldName,
  type TransferNumberField,
  type TransferTextField,
  transferField,
  transferFieldNames,
} from './records/transfer-fields.ts';
export type { PriceWarning } from './registry/price-warnings.ts';
export { registryFields } from './registry/registry.ts';
export type { ResponseSchema } from './response.ts';
export type { ExplainedClause, ExplainedCondition, ExplainedGroup, ProfileExplanation } from './search/explain.ts';
export type {
  ConditionByType,
  FieldsOf,
  Filter,
  PositionSortField,
  TokenSortField,
  WalletSortField,
} from './search/filter-types.ts';
export type { ExplainedPlan, PlanStep } from './search/page.ts';
export { filterPaths } from './search/plan.ts';
export type { SearchInput, SortInput, TextQueryInput, TextSearchInput } from './search/types.ts';
export { isTooManyFiles, tooManyFiles } from './storage/store-file.ts';
export type { Difference } from './store/maintain/compare-stores.ts';
export { backup } from './store/maintain/copy.ts';
export type { Exports } from './store/maintain/export-store.ts';
export type { Informing } from './store/open/info.ts';
export type { StoreLedger } from './store/open/ledger-info.ts';
export type { StableFeed, StoreValuation } from './store/open/valuation.ts';
export type { Following } from './store/watch/follow.ts';
export type { Subscriptions, TopicNamed } from './store/watch/subscribe.ts';
export { formatTime, MAX_TIME, rfc3339Millis } from './time.ts';
export { finish, type Work } from './work.ts';
export { newShare, type Share, Turns, threadTurns, type Yielder, type YielderOptions, yielder } from './yielder.ts';
