import type { EntityKind } from '@swapfold/core/host';
import { type ImportFilesOptions, presetNamesHelp, type RowsName, readPresets, readSql } from '@swapfold/files';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { configOf } from '../importing/config-of.ts';
import { runDryRun } from '../importing/dry-run.ts';
import { type ImportOptions, runImport } from '../importing/run-import.ts';
import { wholeNumber } from '../number-options.ts';
import { addToColumnMap, type ColumnMap } from '../options/column-map.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { tellValuation } from '../prices/valuation.ts';
import { addImportEvm } from './import-evm.ts';
import { addImportPrices } from './import-prices.ts';
import { addImportSolana } from './import-solana.ts';

interface FileOptions extends ImportOptions {
  readonly map?: ColumnMap | undefined;
  readonly batch: number;
}

interface RowOptions extends FileOptions {
  readonly preset: string;
  readonly sql?: string;
  readonly records?: string;
  readonly set?: Readonly<Record<string, string>>;
  readonly rowIds?: true;
  readonly skipSame?: true;
  readonly keepOrder?: true;
  readonly balances?: 'ignore';
  readonly valueArrivals?: true;
  readonly dryRun?: true;
}

const MAX_BATCH = 1_000_000;

/** A row of a large batch costs less: what it touches is read and written once for all rows of the batch. */
const SWAPS_BATCH = 250_000;
const RECORDS_BATCH = 50_000;

/** `swapfold import swaps|transfers|tokens|wallets FILE...` */
export function addImport(program: Command, end: (code: ExitCode) => void): void {
  const group = program
    .command('import')
    .summary('store swaps, transfers, what is known of tokens and wallets, or prices, from files')
    .description('Stores swaps, transfers, what is known of tokens and wallets, or reference prices, from files.')
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold import swaps swaps-2024-*.csv.gz --db dex.duckdb',
        'swapfold import swaps dune.parquet --dry-run',
        'swapfold import transfers transfers.csv --db dex.duckdb',
        'swapfold import tokens tokens.ndjson --db dex.duckdb',
        'swapfold import prices SOLUSDT-1h-2024-01.csv --token SOL --db dex.duckdb',
        'swapfold import swaps --help',
      ]),
    );
  addSwaps(group, end);
  addTransfers(group, end);
  addRecords(group, end, 'tokens', 'token');
  addRecords(group, end, 'wallets', 'wallet');
  addImportPrices(group, end);
  addImportEvm(group, end);
  addImportSolana(group, end);
}

function addSwaps(group: Command, end: (code: ExitCode) => void): void {
  const command = group
    .command('swaps')
    .summary('store swaps')
    .description(
      'Stores the swaps of CSV, JSON (both also gzip and zstd), Parquet and Arrow files, and refreshes the profiles. Swaps may come in any order and more than once: a swap that is stored already changes nothing, so an import that was cut short is run again.',
    );
  addRowOptions(addFileOptions(command, SWAPS_BATCH), 'swaps')
    .option('--skip-same', 'leave out swaps that the store has under another index, maybe from another source')
    .option('--keep-order', 'order swaps that nothing else orders as the files have them, newest first or last')
    .addOption(
      new Option('--balances <how>', 'ignore takes no balances, of a feed whose balances are wrong').choices([
        'ignore',
      ]),
    )
    .addHelpText(
      'after',
      `
Columns: tx_hash, swap_index, block_time, wallet, token_in, token_out,
token_amount_in, token_amount_out, and if known block_slot, tx_index, log_index,
protocol, pool, and with _in and _out: token_symbol, token_price, usd_amount,
pre_token_balance, post_token_balance. A file with the columns of a preset
instead is read with that preset; docs/guides/import.md has them all.

${filesHelp}
Swaps of one second are in the order of block_slot, tx_index, log_index and the
fractions of their times; what is left has the order of its hashes, which is
chance, or with --keep-order that of the file.
Rows that cannot be taken are counted, shown and left out.
${examplesHelp([
  'swapfold import swaps swaps.csv --db dex.duckdb',
  'swapfold import swaps jan.parquet feb.parquet --db sqlite:dex --config eth.json',
  'swapfold import swaps feed.ndjson.gz --db dex.db --map who=wallet --map ts=block_time',
  'swapfold import swaps exports/ --db dex.duckdb --preset dune-solana',
])}`,
    )
    .action(importRows('swaps', end));
}

function addTransfers(group: Command, end: (code: ExitCode) => void): void {
  const command = group
    .command('transfers')
    .summary('store transfers of tokens')
    .description(
      'Stores the transfers of CSV, JSON (both also gzip and zstd), Parquet and Arrow files, and refreshes the profiles: what came to a wallet, or left it, without a swap. Transfers may come in any order and more than once, before the swaps or after them: an import that was cut short is run again.',
    );
  addRowOptions(addFileOptions(command, SWAPS_BATCH), 'transfers')
    .option(
      '--value-arrivals',
      "take the source's value of each transfer as what its tokens cost who received them: every deposit becomes a purchase at its price that day, also one that came back",
    )
    .addHelpText(
      'after',
      `
Columns: tx_hash, block_time, token, token_amount, and from or to or both; if
known transfer_index, block_slot, tx_index, cost_usd (what the tokens cost who
received them), kind, includes_swaps (true where the rows list the movements of
swaps, too). A file with the columns of a preset instead is read with that
preset; docs/guides/import.md has them all.

${filesHelp}
A value that a source gives is no cost: without cost_usd, tokens arrive at a cost
that is not known. With --value-arrivals they cost that value.
Rows without transfer_index get one from what they say, so that exports of two
wallets have one row of a transfer between them.
Rows that cannot be taken are counted, shown and left out.
${examplesHelp([
  'swapfold import transfers transfers.csv --db dex.duckdb',
  'swapfold import transfers export-0x5a3.csv export-0x9bc.csv --db eth.db --config eth.json',
  'swapfold import transfers exports/ --db dex.duckdb --preset solscan',
  'swapfold import transfers cielo.json --dry-run',
])}`,
    )
    .action(importRows('transfers', end));
}

const filesHelp = `Files may be folders, patterns in quotes ('2024-*.csv'), or - for standard
input. Times are Unix seconds, milliseconds or microseconds, RFC 3339, or as
databases write them (2024-03-17 08:54:52.000 UTC); without a zone they are UTC.`;

/** Adds the options for files that presets and SELECTs read. */
function addRowOptions(command: Command, rows: RowsName): Command {
  return command
    .option(
      '--preset <name>',
      `the shape of the files: ${presetNamesHelp(rows)}, or a file of your own (./mine.sql)`,
      'auto',
    )
    .option('--sql <select>', `a SELECT of your own from input, or a file of one: its columns are fields of ${rows}`)
    .option('--records <path>', 'the list of a JSON document that holds the rows, such as data.items')
    .option('--set <name=value>', "a constant for getvariable('name'); repeat it for more", addConstant)
    .option('--row-ids', 'derive tx_hash from the content of rows that have none')
    .option('--dry-run', `read the files, show how, the first ${rows} and what would be left out, and write nothing`);
}

/** What a command does that imports rows. */
function importRows(kind: RowsName, end: (code: ExitCode) => void) {
  return async (inputs: string[], options: RowOptions): Promise<void> => {
    const reading = await readingOf(kind, options);
    if (options.dryRun) end(await runDryRun(inputs, await configOf(options), reading));
    else end(await runImport({ inputs, options, reading, tell: tellValuation }));
  };
}

/** How the files are read. */
async function readingOf(kind: RowsName, options: RowOptions): Promise<ImportFilesOptions> {
  const { map, rowIds, batch: batchRows, records, set, skipSame, keepOrder, balances, valueArrivals } = options;
  const presets = await readPresets(options.preset, kind);
  const sql = options.sql === undefined ? undefined : await readSql(options.sql);
  return { kind, presets, sql, map, rowIds, batchRows, records, set, skipSame, keepOrder, balances, valueArrivals };
}

/** Adds one `--set name=value`. */
function addConstant(text: string, all: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('Write NAME=VALUE, as in --set token=0x6b17....');
  return { ...all, [name]: value! };
}

function addRecords(group: Command, end: (code: ExitCode) => void, kind: EntityKind, noun: string): void {
  const command = group
    .command(kind)
    .summary(`store what is known of ${kind} beside their swaps`)
    .description(
      `Stores what is known of ${kind} beside their swaps, from CSV, JSON (both also gzip and zstd), Parquet and Arrow files. A later row of the same ${noun} replaces the fields that its file has columns for.`,
    );
  addFileOptions(command, RECORDS_BATCH)
    .addHelpText(
      'after',
      `
${columnsHelp[kind]}
${examplesHelp([
  `swapfold import ${kind} ${kind}.csv --db dex.duckdb`,
  `swapfold import ${kind} ${kind}.ndjson --db dex.duckdb --map ${noun}_address=address`,
])}`,
    )
    .action(async (inputs: string[], options: FileOptions) => {
      const { map, batch: batchRows } = options;
      end(await runImport({ inputs, options, reading: { kind, map, batchRows } }));
    });
}

const columnsHelp = {
  tokens: `Columns: address, and if known symbol, name, decimals, image, verified,
creator_address, created_at, twitter, discord, website, telegram, total_supply,
circulating_supply, liquidity (USD), holders.`,
  wallets: `Columns: address, and if known name, twitter_username, telegram_username,
labels (a list; in CSV separated by ";").`,
} as const;

function addFileOptions(command: Command, batch: number): Command {
  return addStoreOptions(
    command.argument('<file...>', 'files, folders, patterns or - (standard input), stored in this order'),
  )
    .option(
      '--map <theirs=ours>',
      'a column of the files and the field that it holds; repeat it for more',
      addToColumnMap,
    )
    .option('--no-refresh', 'leave the profiles as they are (swapfold refresh brings them up to date)')
    .option('--rejects <file>', 'write the rows that were left out to this file: NDJSON of row, field, reason, file')
    .addOption(
      new Option('--batch <rows>', 'rows stored in one transaction')
        .default(batch)
        .argParser(wholeNumber(1, MAX_BATCH)),
    );
}
