// For authors of engines: what a storage adapter implements and is tested with.

export { codeWords, textColumns } from './ledger/codes.ts';
export { movedPrice } from './ledger/native-mark.ts';
export { resultIn } from './ledger/result.ts';
export { swapTypeOf, swapTypes } from './ledger/trade.ts';
export { knownSupply } from './ledger/value.ts';
export { machineMemory } from './memory-limit.ts';
export { nativeColumns } from './profiles/moving.ts';
export { lossIn, type PositionRule, positionRules, resultAtMark } from './profiles/position-rules.ts';
export type { PositionPath } from './profiles/sections/sections.ts';
export type { PositionColumn } from './profiles/shape.ts';
export { type Arithmetic, percentOf } from './records/arithmetic.ts';
export {
  type Batch,
  type ColumnArrays,
  type ColumnData,
  type ColumnName,
  type ColumnType,
  columnsOf,
  concatBatches,
  defineTable,
  NO_ID,
  newBatch,
  newColumn,
  type Table,
  takeRows,
  withColumns,
} from './records/columns.ts';
export { FILE_ROWS, MICROSECONDS } from './records/moment.ts';
export { markingStandings, SELF, suspectStandings, VOTE } from './records/standing.ts';
export { isTextField, type SwapNumberField } from './records/swap-fields.ts';
export { SEVERAL_POOLS, swapsTable, tradesTable, transfersTable } from './records/tables.ts';
export {
  type AsideEnd,
  type Damage,
  type DamageReport,
  type Latest,
  type Leading,
  type Opened,
  type Order,
  type ReadCost,
  type Reader,
  type Scan,
  type Schema,
  type StorageAdapter,
  type ViewDefinition,
  type ViewField,
  type ViewSource,
  type ViewType,
  WHOLE_FILE,
  type WritableLoad,
  type Writer,
} from './storage/adapter.ts';
export {
  type BulkLoad,
  type OrderedSwaps,
  orderedTable,
  type ParquetField,
  type ParquetSwaps,
  type PlaceOptions,
  type Places,
  placesTable,
  type RowFile,
  type StagedFile,
  type StagedSwaps,
  stagedTable,
  standingsTable,
} from './storage/bulk.ts';
export { compilePredicate, type RowTest } from './storage/evaluate.ts';
export { createLifecycle, type Lifecycle, type Snapshots } from './storage/lifecycle.ts';
export {
  and,
  between,
  type CompareOp,
  compare,
  compareMostly,
  everything,
  isIn,
  not,
  or,
  type Predicate,
  type TextMatch,
} from './storage/predicate.ts';
export { checkBatch, replaceRows } from './storage/reads.ts';
export {
  fileIdentity,
  lacksOpenFiles,
  requireOpenFiles,
  requireSameFile,
  storeFile,
  storeTaken,
  unreadableFile,
} from './storage/store-file.ts';
