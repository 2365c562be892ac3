export { createSqlAdapter } from './adapter.ts';
export type { AppendTarget, SqlConnection, SqlCursor } from './connection.ts';
export { createReader } from './create-reader.ts';
export type { Dialect, LatestParts, ReadDialect, StoredRows, TextConditions } from './dialect.ts';
export type { EngineLoad, SqlDriver } from './driver.ts';
export { createNotices, type Notices } from './notices.ts';
export { whereClause } from './select.ts';
export { createSession, type Session, type SessionDriver } from './session.ts';
export { copiesOf, type GrownTable, type SortedTable } from './sorted-tables.ts';
export {
  type Bound,
  type Fragment,
  fragment,
  joinFragments,
  type ListValues,
  quote,
  type Statement,
} from './statement.ts';
export type { GatheredTexts, Ranked, View, ViewColumn, ViewDialect } from './views/view.ts';
export { queryOf, viewsOf } from './views/views.ts';
