import { DOUBLE, type DuckDBConnection, DuckDBDataChunk, DuckDBInstance, INTEGER, VARCHAR } from '@duckdb/node-api';
import type { DictionaryColumn, SwapColumns } from '@swapfold/core';
import type { ColumnData } from '@swapfold/core/engine';
import { generateMarket, type Market, writeRecordsNdjson } from '@swapfold/testing';
import { writeVector } from '../packages/duckdb/src/vectors.ts';
import { numberColumns as numbers, textColumns as texts } from './columns.ts';
import { type Files, removeFile } from './files.ts';

/** Swaps after the bulk, that arrive in batches of a thousand. */
export const tailOf = (swaps: number): number => Math.min(100_000, Math.max(5000, Math.ceil(swaps / 5)));

/** Swaps of the batch that is all known. */
export const KNOWN = 10_000;

/**
 * The market of the benchmark: 50 swaps a wallet and 500 a token; 20 bots, each with one swap in fifty; on the last day one token
 * that has a tenth of all swaps; wallets that hold a thousand tokens.
 */
export function benchMarket(swaps: number): Market {
  return generateMarket({
    seed: 1,
    swaps: swaps + tailOf(swaps),
    wallets: Math.max(100, Math.round(swaps / 50)),
    tokens: Math.max(24, Math.round(swaps / 500)),
    bots: 20,
    surge: 0.1,
    mix: { bot: 60, collect: 0.4 },
  });
}

/** Rows of one vector of DuckDB. */
const VECTOR = 2048;

const whole = ['swap_index', 'block_time', 'block_slot', 'tx_index'] as const;

/** Makes the market and writes its bulk, its tail, its last known swaps and its tokens as files. Memory does not grow with the size. */
export async function writeMarket(swaps: number, files: Files): Promise<void> {
  const market = benchMarket(swaps);
  const scratch = files.scratch('making.duckdb');
  removeFile(scratch);
  const instance = await DuckDBInstance.create(scratch, { memory_limit: '2GB' });
  const connection = await instance.connect();
  try {
    const columns = [
      'tx_hash varchar',
      ...numbers.map((name) => `${name} double`),
      ...texts.map((name) => `${name} integer`),
    ];
    await connection.run(`create table swaps (${columns.join(', ')}); create table texts (id integer, text varchar)`);
    const ids = new Map<string, number>();
    for (const batch of market.swaps()) await appendSwaps(connection, batch, ids);
    await appendTexts(connection, [...ids.keys()]);
    await connection.run('set variable texts = (select list(text order by id) from texts)');
    await copyOut(connection, `rowid < ${swaps}`, files.parquet);
    await copyOut(connection, `rowid >= ${swaps - KNOWN} and rowid < ${swaps}`, files.known);
    await copyOut(connection, `rowid >= ${swaps}`, files.tail);
  } finally {
    connection.closeSync();
    instance.closeSync();
    removeFile(scratch);
  }
  writeRecordsNdjson(market.tokens(), files.tokens);
}

/** The columns of Dune's dex_solana.trades, of the market's own. */
const dune = `tx_hash as tx_id, (swap_index // 3) + 2 as outer_instruction_index, nullif(swap_index % 3, 0) as inner_instruction_index,
  to_timestamp(block_time) as block_time, block_slot, tx_index, wallet as trader_id, token_in as token_sold_mint_address,
  token_out as token_bought_mint_address, token_symbol_in as token_sold_symbol, token_symbol_out as token_bought_symbol,
  protocol as project, token_amount_in as token_sold_amount, token_amount_out as token_bought_amount, usd_amount_in as amount_usd`;

/** The same swaps as the Parquet file's, in the other formats. */
export async function writeOtherFormats(files: Files): Promise<void> {
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`copy (from '${files.parquet}') to '${files.csv}' (format csv, header)`);
  await connection.run(`copy (from '${files.parquet}') to '${files.ndjson}' (format json)`);
  await connection.run(`copy (select ${dune} from '${files.parquet}') to '${files.dune}' (format parquet)`);
  connection.closeSync();
}

/** Rows are numbered in the order in which they were appended. */
async function copyOut(connection: DuckDBConnection, rows: string, file: string): Promise<void> {
  // A list and not a join, which need not keep the order of the swaps.
  const text = (name: string): string => `getvariable('texts')[${name} + 1] as ${name}`;
  const number = (name: string): string =>
    (whole as readonly string[]).includes(name) ? `${name}::bigint as ${name}` : name;
  await connection.run(
    `copy (select tx_hash, ${[...numbers.map(number), ...texts.map(text)].join(', ')} from swaps where ${rows}) to '${file}' (format parquet, row_group_size 122880)`,
  );
}

async function appendSwaps(connection: DuckDBConnection, batch: SwapColumns, ids: Map<string, number>): Promise<void> {
  const { columns, length } = batch;
  const hashes = columns.tx_hash as readonly string[];
  const numeric = numbers.map((name) => columns[name] as Float64Array);
  const coded = texts.map((name) => globalIds(columns[name] as DictionaryColumn, ids));
  const data: readonly ColumnData[] = [[...hashes], ...numeric, ...coded];
  const appender = await connection.createAppender('swaps');
  const chunk = DuckDBDataChunk.create([VARCHAR, ...numbers.map(() => DOUBLE), ...texts.map(() => INTEGER)]);
  for (let from = 0; from < length; from += VECTOR) {
    const count = Math.min(VECTOR, length - from);
    chunk.reset();
    chunk.rowCount = count;
    for (const [i, column] of data.entries()) writeVector(chunk.getColumnVector(i), column, from, count);
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

/** The ids of a batch's own dictionary, as ids of the file's. */
function globalIds(column: DictionaryColumn, known: Map<string, number>): Int32Array {
  const map = column.dictionary.map((text) => {
    const id = known.get(text) ?? known.size;
    known.set(text, id);
    return id;
  });
  return Int32Array.from(column.ids, (id) => map[id] ?? -1);
}

async function appendTexts(connection: DuckDBConnection, texts: readonly string[]): Promise<void> {
  const appender = await connection.createAppender('texts');
  for (const [id, text] of texts.entries()) {
    appender.appendInteger(id);
    appender.appendVarchar(text);
    appender.endRow();
  }
  appender.closeSync();
}
