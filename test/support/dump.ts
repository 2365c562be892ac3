import type { Swapfold } from '@swapfold/core';
import type { StorageAdapter, Table } from '@swapfold/core/engine';
import { shapesOf } from '../../packages/core/src/profiles/shape.ts';
import { pairToken, pairWallet } from '../../packages/core/src/records/chain-order.ts';
import {
  FIRST_POOL,
  fixedTables,
  metaTable,
  SEVERAL_POOLS,
  textsTable,
  transactionsTable,
  votePair,
  votePoolsTable,
} from '../../packages/core/src/records/tables.ts';

/** Columns of ids that stand for no text: codes and counts. */
const codes = new Set([
  'valued_by',
  'swap_type',
  'direction',
  'position_state',
  'standing',
  'ordinal',
  'flags',
  'contradicted',
  'place',
  'includes_swaps',
]);

/** Columns that tell when rows were made, not what they hold. */
const whenStored = new Set(['synced_at', 'folded_as_of', 'transfer']);

/**
 * Every table of a store as text, line by line, so that two stores compare which gave their ids in another order: ids of texts are
 * written as the texts, those of transactions as their hashes. Left out are the texts themselves, settings, and when profiles were stored.
 */
export async function dumpStore(dex: Swapfold, storage: StorageAdapter): Promise<readonly string[]> {
  const shapes = shapesOf(dex.metrics);
  const tables = [...(fixedTables as readonly Table[]), ...Object.values(shapes).map(({ table }) => table)];
  return storage.snapshot(async (reader) => {
    const texts = await reader.read({ table: textsTable, columns: ['id', 'text'] });
    const textOf = new Map(Array.from(texts.columns.id, (id, row) => [id, texts.columns.text[row]]));
    const transactions = await reader.read({ table: transactionsTable, columns: ['tx', 'tx_hash'] });
    const hashOf = new Map(Array.from(transactions.columns.tx, (tx, row) => [tx, transactions.columns.tx_hash[row]]));
    const lines: string[] = [];
    for (const table of tables) {
      if ([metaTable.name, textsTable.name].includes(table.name)) continue;
      const columns = Object.keys(table.columns).filter((column) => !whenStored.has(column));
      const rows = await reader.read({ table, columns });
      const rendered = Array.from({ length: rows.length }, (_, row) => {
        const cells = columns.map((column) => {
          const value = (rows.columns as Record<string, ArrayLike<number | string | null>>)[column]![row]!;
          if (column === 'tx') return String(hashOf.get(value as number));
          // The pool stands in a column of its own.
          if (column === 'pair' && table === votePoolsTable) {
            const token = pairWallet(value as number);
            return `${textOf.get(token)}${value === votePair(token, FIRST_POOL) ? ', first' : ''}`;
          }
          if (column === 'pair' || (column === 'id' && table === shapes.positions.table))
            return `${textOf.get(pairWallet(value as number))}/${textOf.get(pairToken(value as number))}`;
          if (table.columns[column] === 'id' && !codes.has(column))
            return value === -1
              ? 'none'
              : value === SEVERAL_POOLS
                ? 'several'
                : String(textOf.get(value as number) ?? `unknown ${value}`);
          // 0 and -0 are one value to the engines that compare.
          return typeof value === 'number' ? String(value + 0) : JSON.stringify(value);
        });
        return `${table.name}: ${cells.join(' ')}`;
      });
      lines.push(...rendered.sort());
    }
    return lines;
  });
}

/** The first lines in which two dumps differ, or nothing. */
export function firstDifferences(actual: readonly string[], expected: readonly string[]): readonly string[] {
  const [a, b] = [new Set(actual), new Set(expected)];
  return [
    ...actual.filter((line) => !b.has(line)).map((line) => `has ${line}`),
    ...expected.filter((line) => !a.has(line)).map((line) => `lacks ${line}`),
    ...(actual.length === expected.length ? [] : [`has ${actual.length} rows, not ${expected.length}`]),
  ].slice(0, 6);
}
