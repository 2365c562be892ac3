export { duckdb } from './duckdb.ts';
export type { DuckdbInstance, DuckdbOptions } from './options.ts';
export {
  openParquet,
  type ParquetColumn,
  type ParquetColumns,
  type ParquetRows,
} from './parquet-rows.ts';
