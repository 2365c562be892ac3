import { NO_ID } from '../../records/columns.ts';
import { swapFieldColumns } from '../../records/swap-fields.ts';
import { type StagedSwaps, stagedTable } from '../../storage/bulk.ts';
import type { ValidSwaps } from '../valid-swaps.ts';
import type { LoadTexts } from './load-texts.ts';

/** Valid swaps as they are staged: with the ids that their texts have in the load. */
export function stagedSwaps({ swaps, keys, rows, texts }: ValidSwaps, loaded: LoadTexts): StagedSwaps {
  const idOf = new Int32Array(texts.length).fill(NO_ID);
  const columns: Record<string, Float64Array | Int32Array | readonly string[]> = {
    row: rows,
    tx_hash: keys.txHash,
    block_time: keys.time,
    block_slot: keys.slot,
    tx_index: keys.index,
  };
  for (const name of Object.keys(swapFieldColumns) as (keyof typeof swapFieldColumns)[]) {
    const column = swaps.columns[name];
    columns[name] = stagedTable.columns[name] === 'id' ? loadedIds(column as Int32Array) : column;
  }
  return { length: swaps.length, columns } as unknown as StagedSwaps;

  function loadedIds(locals: Int32Array): Int32Array {
    return locals.map((local) => {
      if (local === NO_ID) return NO_ID;
      if (idOf[local] === NO_ID) idOf[local] = loaded.idOf(texts[local]!);
      return idOf[local]!;
    });
  }
}
