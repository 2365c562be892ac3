import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { SwapfoldError } from '@swapfold/core';
import { macros } from './macros.ts';

/** What DuckDB may use to read files, of the whole process. */
const MEMORY = '1GiB';

let folder: string | undefined;
let files = 0;

/** A path for a file of this process alone, which is gone with it. */
export function scratchFile(extension: string): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'swapfold-files-'));
    const drop = (): void => rmSync(made, { recursive: true, force: true });
    process.once('exit', drop);
    // Before the others, so that one that listens once still counts. Who listens beside this decides whether the process ends.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.prependListener(signal, function end() {
        if (process.listenerCount(signal) > 1) return;
        drop();
        process.off(signal, end);
        process.kill(process.pid, signal);
      });
    folder = made;
  }
  return join(folder, `${files++}.${extension}`);
}

let instance: Promise<DuckDBInstance> | undefined;

async function openInstance(): Promise<DuckDBInstance> {
  // Half of what a command takes to start would be loading DuckDB, and most commands read no file.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const made = await DuckDBInstance.create(':memory:', {
    memory_limit: MEMORY,
    temp_directory: scratchFile('spill'),
    // A file that was written again within a second would be read as it was before.
    enable_external_file_cache: 'false',
  });
  const connection = await made.connect();
  for (const macro of macros) await connection.run(macro);
  connection.closeSync();
  return made;
}

/** A connection to the DuckDB that reads files. It holds no table of any store. */
export async function connect(): Promise<DuckDBConnection> {
  instance ??= openInstance();
  return (await instance).connect();
}

/** A text in SQL. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The path of one file, whose name is no pattern. */
export function sqlPath(path: string): string {
  return sqlText(path.replace(/[*?[\]]/g, '[$&]'));
}

/** A name in SQL. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The name of a field in SQL, as people write it. */
export function fieldName(field: string): string {
  return field === 'from' || field === 'to' ? sqlName(field) : field;
}

/** The rows of a query that gives few, as arrays. */
export async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}

/** The columns of a query, and DuckDB's type of each. */
export async function columnsOf(connection: DuckDBConnection, sql: string): Promise<Map<string, string>> {
  const rows = await rowsOf(connection, `describe ${sql}`);
  return new Map(rows.map(([name, type]) => [name as string, type as string]));
}

/** Errors: `invalid-input` unless the text is one SELECT. */
export async function checkSelect(
  connection: DuckDBConnection,
  sql: string,
  hintOf: (error: Error) => string = () => '',
): Promise<void> {
  const { StatementType } = await import('@duckdb/node-api');
  const refused = (reason: string): SwapfoldError => new SwapfoldError('invalid-input', `The option sql: ${reason}`);
  const statements = await connection.extractStatements(sql).catch((error: Error) => {
    throw refused(firstLine(error.message));
  });
  if (statements.count !== 1) throw refused(`it must be one SELECT, not ${statements.count} statements.`);
  const statement = await statements.prepare(0).catch((error: Error) => {
    throw refused(firstLine(error.message) + hintOf(error));
  });
  try {
    if (statement.statementType !== StatementType.SELECT)
      throw refused('it must be a SELECT: it may read, and write nothing.');
    if (statement.parameterCount > 0)
      throw refused("it has a parameter: write getvariable('name'), and give the option set name=value.");
  } finally {
    statement.destroySync();
  }
}

/** What DuckDB says of a failure, without its advice. */
export function firstLine(message: string): string {
  return message
    .split('\n')
    .slice(0, 1)
    .join('')
    .replace(/^(Invalid Input|Parser|Binder|Catalog|IO|Conversion) Error: /, '')
    .slice(0, 500);
}
