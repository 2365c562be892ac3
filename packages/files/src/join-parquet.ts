import { columnsOf, rowsOf, sqlPath } from './duck.ts';
import { parquetInput, parquetTexts } from './inputs.ts';
import { joinedPart, type SmallFile } from './joined-part.ts';
import { convert } from './parts.ts';
import type { FileReading, HeldPart } from './read-parts.ts';

/** A small Parquet file, of which the schema is the form. */
export interface SmallParquet extends SmallFile {
  readonly format: 'parquet';
}

/** Errors: those of DuckDB for a damaged file. */
export async function smallParquet(file: FileReading, bytes: number): Promise<SmallParquet> {
  const { path, partitions } = file;
  const connection = await file.connection();
  const [[rows, schema]] = (await rowsOf(
    connection,
    `select (select num_rows::double from parquet_file_metadata(${sqlPath(path)})), string_agg(s::varchar, ',' order by column_id) from (select * exclude (file_name) from parquet_schema(${sqlPath(path)})) s`,
  )) as [[number, string]];
  return { format: 'parquet', path, bytes, rows, form: JSON.stringify(['parquet', schema, [...partitions]]) };
}

/** Errors: those of DuckDB, and of a file that lacks columns. */
export async function joinParquet(file: FileReading, files: readonly SmallParquet[]): Promise<HeldPart> {
  const connection = await file.connection();
  const types = await columnsOf(
    connection,
    `select * from read_parquet(${sqlPath(file.path)}, hive_partitioning = false)`,
  );
  const texts = parquetTexts(types);
  const reading = file.choose([...texts.keys()]);
  const paths = files.map(({ path }) => path);
  const input = parquetInput(paths, texts, reading.columns, { partitions: file.partitions });
  const given = await file.given(reading, input);
  const converted = await convert(connection, input, given, false);
  const rows = { file: file.path, numbers: 0 };
  return joinedPart(file, files, { converted, given, rows, info: file.info(reading) });
}
