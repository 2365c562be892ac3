/** Where a transaction stands: Unix seconds, and the block slot and the index there, `NaN` where it has none. */
export interface Place {
  readonly block_time: number;
  readonly block_slot: number;
  readonly tx_index: number;
}

/** How two transactions stand to each other, as far as their places say: 0 where nothing orders them. */
export function comparePlaces(a: Place, b: Place): number {
  return (
    a.block_time - b.block_time || (a.block_slot || 0) - (b.block_slot || 0) || (a.tx_index || 0) - (b.tx_index || 0)
  );
}
