// Generated from packages/sql/README.md by test/generate-docs/blocks.ts.
import { createSqlAdapter, type SqlDriver } from '@swapfold/sql';

const openStore = (driver: SqlDriver) => createSqlAdapter(driver);
export {};
