import { readdir } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { note } from '../output.ts';
import { type AnswerFormat, answerFormats } from '../questions/answer.ts';
import { isStorePath, parseStoreUrl, storeForms } from './store-url.ts';

/** Adds what every command that only asks a store takes. Without `--db` it asks the only store in the working folder. */
export function addAskOptions(command: Command): Command {
  return command
    .option('--db <url>', `the store (default: the only one in this folder): ${storeForms}`, parseStoreUrl)
    .option('--config <file>', 'a configuration to compare with that of the store, JSON')
    .hook('preAction', takeOnlyStore);
}

/** Adds `--format`, by default `format`. */
export function addFormatOption(command: Command, format: AnswerFormat = 'table'): Command {
  return command.addOption(
    new Option('--format <format>', 'how to print the answer').choices(answerFormats).default(format),
  );
}

async function takeOnlyStore(command: Command): Promise<void> {
  if (command.opts().db !== undefined) return;
  const stores = (await readdir('.')).filter(isStorePath).sort();
  const [only] = stores;
  if (only === undefined)
    command.error(
      "error: no store: this folder has none; name one with '--db <url>', or make one: swapfold import swaps FILE --db dex.duckdb",
    );
  if (stores.length > 1)
    command.error(
      `error: no store: this folder has several; name one: ${stores.map((name) => `--db ${name}`).join(', ')}`,
    );
  note(`Asking ${only}, the only store in this folder.`);
  command.setOptionValue('db', parseStoreUrl(only));
}
