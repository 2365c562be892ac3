import { tokenRegistryTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';

/** What trades take from the token registry. */
export interface TokenFacts {
  /** The supply that market caps go by: circulating, or else total; `NaN` where the registry gives neither. */
  readonly supplyOf: (token: number) => number;
  /** Unix seconds of a token's creation; `NaN` where it is unknown. */
  readonly createdAtOf: (token: number) => number;
}

/** The facts of tokens; of all tokens where `tokens` is absent. */
export async function readTokenFacts(reader: Reader, tokens?: Int32Array): Promise<TokenFacts> {
  const { columns } = await reader.read({
    table: tokenRegistryTable,
    columns: ['id', 'total_supply', 'circulating_supply', 'created_at'],
    ...(tokens === undefined ? {} : { where: isIn('id', tokens) }),
  });
  const rowOf = new Map(Array.from(columns.id, (id, row) => [id, row]));
  return {
    supplyOf(token) {
      const row = rowOf.get(token);
      if (row === undefined) return Number.NaN;
      const circulating = columns.circulating_supply[row]!;
      return Number.isNaN(circulating) ? columns.total_supply[row]! : circulating;
    },
    createdAtOf(token) {
      const row = rowOf.get(token);
      return row === undefined ? Number.NaN : columns.created_at[row]!;
    },
  };
}
