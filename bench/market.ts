import { rmSync } from 'node:fs';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { generateMarket, type Market, type MarketShape, writeRecordsNdjson, writeSwapsCsv } from '@swapfold/testing';
import type { Files } from './files.ts';

/** Swaps after the bulk, that arrive in batches of a thousand. */
export const tailOf = (swaps: number): number => Math.min(100_000, Math.max(5000, Math.ceil(swaps / 5)));

/**
 * The market of the benchmark. The usual one: 50 swaps a wallet and 500 a token; 20 bots, each with one swap in fifty; on the last day
 * one token that has a tenth of all swaps; wallets that hold a thousand tokens.
 */
function benchMarket(swaps: number, shape: MarketShape): Market {
  const base = { seed: 1, shape, swaps: swaps + tailOf(swaps) };
  if (shape === 'launchpad') return generateMarket(base);
  return generateMarket({
    ...base,
    wallets: Math.max(100, Math.round(swaps / 50)),
    tokens: Math.max(24, Math.round(swaps / 500)),
    bots: 20,
    surge: 0.1,
    mix: { bot: 60, collect: 0.4 },
  });
}

const wholes = ['swap_index', 'block_time', 'block_slot', 'tx_index'];
const sides = ['token_amount', 'token_price', 'usd_amount', 'pre_token_balance', 'post_token_balance'];
const texts = ['protocol', 'wallet', 'token_in', 'token_out', 'token_symbol_in', 'token_symbol_out'];

/** The columns of the files, of a CSV whose columns are all texts. */
const columns = [
  'tx_hash',
  ...wholes.map((name) => `${name}::bigint as ${name}`),
  ...sides.flatMap((side) => [`${side}_in`, `${side}_out`]).map((name) => `${name}::double as ${name}`),
  ...texts,
].join(', ');

/** Makes the market and writes its bulk, its tail and its tokens as files. Memory does not grow with the size. */
export async function writeMarket(swaps: number, shape: MarketShape, files: Files): Promise<void> {
  const market = benchMarket(swaps, shape);
  const csv = files.scratch('making.csv');
  writeSwapsCsv(market.swaps(), csv);
  await withDuckdb(async (connection) => {
    for (const [file, rows] of [
      [files.parquet, `limit ${swaps}`],
      [files.tail, `offset ${swaps}`],
    ] as const)
      await connection.run(
        `copy (select ${columns} from read_csv('${csv}', all_varchar = true) ${rows}) to '${file}' (format parquet, row_group_size 122880)`,
      );
  });
  rmSync(csv);
  writeRecordsNdjson(market.tokens(), files.tokens);
}

async function withDuckdb(work: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '2GB' });
  const connection = await instance.connect();
  try {
    await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** The columns of Dune's dex_solana.trades, of the market's own. */
const duneColumns = `tx_hash as tx_id, (swap_index // 3) + 2 as outer_instruction_index, nullif(swap_index % 3, 0) as inner_instruction_index,
  to_timestamp(block_time) as block_time, block_slot, tx_index, wallet as trader_id, token_in as token_sold_mint_address,
  token_out as token_bought_mint_address, token_symbol_in as token_sold_symbol, token_symbol_out as token_bought_symbol,
  protocol as project, token_amount_in as token_sold_amount, token_amount_out as token_bought_amount, usd_amount_in as amount_usd`;

/** How often the file of slices goes back in time. */
export const TIMES_BACK = 19;

/** The same swaps as the Parquet file's, in the other formats and out of order. */
export async function writeOtherFormats({ parquet, csv, ndjson, dune, slices }: Files): Promise<void> {
  await withDuckdb(async (connection) => {
    await connection.run(`copy (from '${parquet}') to '${csv}' (format csv, header)`);
    await connection.run(`copy (from '${parquet}') to '${ndjson}' (format json)`);
    await connection.run(`copy (select ${duneColumns} from '${parquet}') to '${dune}' (format parquet)`);
    await connection.run(
      `copy (select * exclude (slice, file_row_number) from (select *, ntile(${TIMES_BACK + 1}) over (order by file_row_number) as slice from read_parquet('${parquet}', file_row_number = true)) order by slice desc, file_row_number) to '${slices}' (format parquet, row_group_size 122880)`,
    );
  });
}
