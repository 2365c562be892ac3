import type { SwapColumns } from '@swapfold/core';
import { hashOf } from './hash.ts';
import type { PlainSql } from './sql.ts';

/** Counts how many of a batch's swaps the plain tables have: by hash, within the batch's range of time. */
export async function knownCount(plain: PlainSql, file: string, batch: SwapColumns): Promise<() => Promise<number>> {
  const times = batch.columns.block_time;
  const [first, last] = [times[0]!, times[batch.length - 1]!];
  if (plain.engine === 'sqlite') {
    const { tx_hash, swap_index } = batch.columns;
    return async () => {
      const hashes = tx_hash.map((text, row) => hashOf(text, swap_index[row]!));
      const list = JSON.stringify(hashes);
      const [row] = await plain.query(
        'select count(*) from hashes where hash in (select value from json_each(?))',
        list,
      );
      return Number(row![0]);
    };
  }
  await plain.run(
    plain.engine === 'clickhouse'
      ? `create or replace table batch engine = Memory as select cityHash64(tx_hash, toInt32(swap_index)) as hash from file('${file}', Parquet)`
      : `create or replace temp table batch as select hash(tx_hash, swap_index) as hash from '${file}'`,
  );
  return async () => {
    const [row] = await plain.query(
      `select count(*) from batch where hash in (select hash from hashes where time between ${first} and ${last})`,
    );
    return Number(row![0]);
  };
}
