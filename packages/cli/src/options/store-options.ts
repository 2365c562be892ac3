import type { Command } from 'commander';
import { parseStoreUrl } from './store-url.ts';

/** Adds what every command on a store takes. */
export function addStoreOptions(command: Command): Command {
  return command
    .requiredOption(
      '--db <url>',
      'the store: sqlite:PATH, duckdb:PATH, or a path that ends in .db, .sqlite, .sqlite3, .duckdb or .ddb',
      parseStoreUrl,
    )
    .option('--config <file>', 'the configuration, JSON (default: that of Solana)');
}

/** Text below the options of a help page: command lines to copy. */
export function examplesHelp(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
