import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The folder in which DuckDB spills what does not fit its memory. It makes the folder when it needs it, and removes it when it closes. */
export const spillFolder = (file: string): string => `${file}.tmp`;

/**
 * Removes what a killed process has spilled, which DuckDB leaves where it is. To be called by the writer of the file before it reads: nobody
 * else has the file open then.
 */
export function dropSpilled(file: string): void {
  const folder = spillFolder(file);
  try {
    for (const name of readdirSync(folder)) if (name.startsWith('duckdb_temp_')) rmSync(join(folder, name));
    rmdirSync(folder);
  } catch {
    // There is no such folder, or something else lies in it: it takes room, and harms nobody.
  }
}
