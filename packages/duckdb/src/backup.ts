import { randomUUID } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { NEW_FILE } from './open-instance.ts';

/**
 * Copies the state of the last commit into a new file, on DuckDB's threads and in one transaction.
 *
 * The copy is made by statements, never from the bytes of the file: opening and closing the file a second time in this process would drop
 * the lock that keeps other processes out.
 */
export async function backupFile(
  connection: DuckDBConnection,
  target: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const name = `backup_${randomUUID().replaceAll('-', '')}`;
  const interrupt = (): void => connection.interrupt();
  signal?.addEventListener('abort', interrupt);
  try {
    const [[store]] = (await connection.runAndReadAll('select current_database()')).getRows() as [[string]];
    await connection.run(`attach '${target.replaceAll("'", "''")}' as ${name} (${NEW_FILE})`);
    try {
      await connection.run(`copy from database "${store.replaceAll('"', '""')}" to ${name}`);
      await connection.run(`checkpoint ${name}`);
    } finally {
      await connection.run(`detach ${name}`);
    }
  } finally {
    signal?.removeEventListener('abort', interrupt);
    connection.closeSync();
  }
}
