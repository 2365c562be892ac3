import { extname } from 'node:path';
import type { ExportName, ExportRequest } from '@swapfold/core';
import { type ExportFormat, exportFormats, exportNames } from '@swapfold/core/host';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { parseInterval } from '../interval.ts';
import { parseTime } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { note } from '../output.ts';
import { findToken } from '../questions/find-token.ts';
import { formatCount } from '../text/numbers.ts';
import { writeFileWhole } from '../write-file.ts';

interface ExportOptions extends StoreOptions, Omit<ExportRequest, 'filter' | 'signal'> {
  readonly where?: object | undefined;
}

/** `swapfold export WHAT FILE --db URL` */
export function addExport(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('export')
    .summary('write a store to a file of columns: Parquet, CSV, NDJSON, Arrow')
    .description(
      'Writes rows of a store, with the names and units of the HTTP routes, to a file whose name ends in its format. The file appears when it is whole; one of that name is replaced.',
    )
    .addArgument(new Argument('<what>', 'what to write').choices(exportNames))
    .argument('<file>', `FILE.${exportFormats.join(', FILE.')}`, parseFile);
  addAskOptions(command)
    .option('--columns <names>', 'columns, separated by commas (default: all)', (names) =>
      names.split(',').map((name) => name.trim()),
    )
    .option('--wallet <address>', 'only this wallet')
    .option('--token <token>', 'only this token: its address, or a symbol that one token has')
    .option('--pool <address>', 'only this pool')
    .option('--where <filter>', 'the filter of a search, JSON', parseFilter)
    .addOption(new Option('--kind <kind>', 'whose profiles').choices(['wallets', 'tokens']))
    .option('--interval <length>', 'of a candle: seconds, or such as 5m, 1h, 1d', parseInterval)
    .option('--from <time>', 'rows from this time on (RFC 3339, or a day such as 2025-01-31)', parseTime)
    .option('--to <time>', 'rows before this time', parseTime)
    .option('--as-of <time>', 'as if no later swap had happened (RFC 3339, or a day)', parseTime)
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold export trades trades.parquet --db dex.duckdb',
        `swapfold export profiles whales.csv --where '{"labels": "whale"}' --db dex.db`,
        'swapfold export swaps later.csv --from 2024-03-01T00:00:00Z --db dex.db',
      ]),
    )
    .action(async (what: ExportName, path: string, options: ExportOptions) =>
      end(await interruptible((signal) => exportTo(what, path, options, signal))),
    );
}

async function exportTo(what: ExportName, path: string, options: ExportOptions, signal: AbortSignal): Promise<void> {
  const { db, config, where, ...request } = options;
  const format = formatOf(path)!;
  const bytes = await withStoreToAsk({ db, config }, async (dex) => {
    const token = request.token === undefined ? undefined : await findToken(dex, request.token);
    return writeFileWhole(path, dex.export(what, { ...request, token, filter: where, format, signal }));
  });
  note(`Wrote ${what} to ${path}, ${formatCount(bytes)} bytes.`);
}

function formatOf(path: string): ExportFormat | undefined {
  return exportFormats.find((format) => extname(path).toLowerCase() === `.${format}`);
}

function parseFile(path: string): string {
  if (formatOf(path) !== undefined) return path;
  throw new InvalidArgumentError(`Give a name that ends in .${exportFormats.join(', .')}.`);
}

function parseFilter(json: string): object {
  try {
    return JSON.parse(json) as object;
  } catch (error) {
    throw new InvalidArgumentError(`It is not JSON: ${(error as Error).message}.`);
  }
}
