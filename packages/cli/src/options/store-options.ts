import type { Command } from 'commander';
import { parseServerUrl } from '../remote.ts';
import { parseStoreUrl, storeForms } from './store-url.ts';

/** Adds what every command on a store takes. */
export function addStoreOptions(command: Command): Command {
  return addDbOption(command).option(
    '--config <file>',
    'the configuration, JSON, which the store then remembers (default: its own, of a new one that of Solana)',
  );
}

/** Adds what names the store. */
export function addDbOption(command: Command): Command {
  return command
    .option('--db <url>', `the store (required): ${storeForms}`, parseStoreUrl)
    .hook('preAction', requireDb);
}

/** Adds what names a server: required without a default. */
export function addUrlOption(command: Command, byDefault?: string): Command {
  const [flags, meaning] = ['--url <url>', 'the address of the server'];
  return byDefault === undefined
    ? command.requiredOption(flags, meaning, parseServerUrl)
    : command.option(flags, meaning, parseServerUrl, byDefault);
}

/** Commander's own check would come before the one for unknown options, and hide the hint at a mistyped --db. */
function requireDb(command: Command): void {
  const { db, dryRun } = command.opts();
  if (db === undefined && dryRun !== true) command.error("error: required option '--db <url>' not specified");
}

/** Text below the options of a help page: command lines to copy. */
export function examplesHelp(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}
