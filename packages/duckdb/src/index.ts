export { type DuckdbInstance, type DuckdbOptions, duckdb } from './duckdb.ts';
export {
  openParquet,
  type ParquetColumn,
  type ParquetColumns,
  type ParquetRows,
} from './parquet-rows.ts';
