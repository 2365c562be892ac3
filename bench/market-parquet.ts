import { rmSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Market, writeSwapsCsv } from '@swapfold/testing';

/** The query of each file over the market's CSV: with Swapfold's own columns, and in the shape of Dune's dex_solana.trades. Both have the same rows. */
const shapes = {
  plain: `select tx_hash, swap_index::bigint swap_index, block_time::bigint block_time, block_slot::bigint block_slot, tx_index::bigint tx_index,
    wallet, token_in, token_out, token_symbol_in, token_symbol_out, protocol, token_amount_in::double token_amount_in,
    token_amount_out::double token_amount_out, usd_amount_in::double usd_amount_in, usd_amount_out::double usd_amount_out`,
  dune: `select tx_hash tx_id, (swap_index::bigint // 3) + 2 outer_instruction_index, nullif(swap_index::bigint % 3, 0) inner_instruction_index,
    to_timestamp(block_time::bigint) block_time, block_slot::bigint block_slot, tx_index::bigint tx_index, wallet trader_id,
    token_in token_sold_mint_address, token_out token_bought_mint_address, token_symbol_in token_sold_symbol,
    token_symbol_out token_bought_symbol, protocol project, token_amount_in::double token_sold_amount,
    token_amount_out::double token_bought_amount, usd_amount_in::double amount_usd`,
} as const;

export type ShapeName = keyof typeof shapes;
export const shapeNames = Object.keys(shapes) as readonly ShapeName[];

/** Writes the swaps of a market as Parquet files of these shapes. */
export async function writeMarketParquet(
  market: Market,
  files: readonly (readonly [shape: ShapeName, path: string])[],
): Promise<void> {
  const csv = `${files[0]![1]}.csv`;
  writeSwapsCsv(market.swaps(), csv);
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    for (const [shape, path] of files)
      await connection.run(
        `copy (${shapes[shape]} from read_csv('${csv}', all_varchar = true)) to '${path}' (format parquet)`,
      );
  } finally {
    connection.closeSync();
    rmSync(csv);
  }
}
