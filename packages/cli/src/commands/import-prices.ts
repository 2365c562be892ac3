import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { type PriceOptions, runPriceImport } from '../prices/run-price-import.ts';

/** `swapfold import prices FILE...` */
export function addImportPrices(group: Command, end: (code: ExitCode) => void): void {
  const command = group
    .command('prices')
    .summary('store reference prices of quote tokens')
    .description(
      'Stores reference prices of quote tokens from CSV and JSON files (both also gzip), and refreshes the profiles. A swap takes the newest reference price of its quote token that was known at its time. A price of the same token and time replaces the stored one.',
    )
    .argument('<file...>', 'files, folders, patterns or - (standard input)');
  addStoreOptions(command)
    .option('--token <token>', 'the token of prices that do not name one: the address or symbol of a quote token')
    .option('--no-refresh', 'leave the profiles as they are (swapfold refresh brings them up to date)')
    .option('--rejects <file>', 'write the rows that were left out to this file: NDJSON of row, field, reason, file')
    .option('--dry-run', 'read the files, show the first prices and what would be left out, and write nothing')
    .addHelpText(
      'after',
      `
The content tells the shape:
  own columns   CSV with the header token,time,usd_price (token may be missing
                with --token), NDJSON or a JSON array; usd_price null removes
  Binance       klines: CSV of 12 columns with or without a header, JSON arrays
  OKX           candles: CSV with instrument_name, close, open_time, confirm, or
                {"data": [[...]]} of its API
  CoinGecko     {"prices": [[milliseconds, USD], ...]}

The close of a candle counts from the end of the candle. A candle that is not
finished is passed over. Times are seconds, milliseconds or microseconds.
${examplesHelp([
  'swapfold import prices SOLUSDT-1h-2024-*.csv --token SOL --db dex.duckdb',
  'unzip -p SOLUSDT-1d-2024-01.zip | swapfold import prices - --token SOL --db dex.db',
  'swapfold import prices prices.csv --dry-run',
])}`,
    )
    .action(async (files: string[], options: PriceOptions) => {
      end(await runPriceImport(files, options));
    });
}
