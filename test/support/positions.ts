import type { Swapfold } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { Dictionary } from '../../packages/core/src/ingest/dictionary.ts';
import { rolesOf } from '../../packages/core/src/ledger/roles.ts';
import { shapesOf } from '../../packages/core/src/profiles/shape.ts';
import { pairOf, timeOf } from '../../packages/core/src/records/chain-order.ts';
import type { Batch } from '../../packages/core/src/records/columns.ts';
import { swapsTable, tradesTable } from '../../packages/core/src/records/tables.ts';
import { foldPositions } from '../../packages/core/src/refresh/positions.ts';

/** Rows of positions as texts by their addresses: all that stores of the same swaps have in common. */
export type Positions = ReadonlyMap<string, string>;

/** What is stored. */
export async function storedPositions(dex: Swapfold, storage: StorageAdapter): Promise<Positions> {
  const { table } = shapesOf(dex.metrics).positions;
  return linesOf(await storage.snapshot((reader) => reader.read({ table, columns: Object.keys(table.columns) })));
}

/** All positions folded from the first swap on, as of an instant. */
export async function foldedPositions(dex: Swapfold, storage: StorageAdapter, asOf: number): Promise<Positions> {
  return storage.snapshot(async (reader) => {
    const { columns: c } = await reader.read({ table: tradesTable, columns: ['wallet', 'token'] });
    const pairs = Float64Array.from(new Set(Array.from(c.wallet, (wallet, i) => pairOf(wallet, c.token[i]!))));
    const newest = await reader.max(swapsTable, 'seq');
    const { config, metrics } = dex;
    const shapes = shapesOf(metrics);
    const addresses = config.quote_tokens.flatMap(({ address, aliases }) => [address, ...(aliases ?? [])]);
    const ids = await new Dictionary().find(reader, addresses);
    const roles = rolesOf(config.quote_tokens, (address) => ids[addresses.indexOf(address)]);
    const context = { config, metrics, reader, dictionary: new Dictionary(), roles, shapes, asOf, horizon: 0 };
    const lastTime = newest === null ? null : timeOf(newest);
    // Whether there are any is what the store remembers; here they are looked for.
    const has = { hasReferencePrices: true, hasTransfers: true };
    return linesOf(await foldPositions({ ...context, ...has, lastTime }, pairs));
  });
}

function linesOf({ length, columns }: Batch): Positions {
  const { id, wallet, token, synced_at, wallet_address, token_address, ...own } = columns;
  const names = Object.keys(own).sort();
  const line = (row: number): string => JSON.stringify(names.map((name) => [name, own[name]![row]]));
  return new Map(
    Array.from({ length }, (_, row) => [`${wallet_address![row]} ${token_address![row]}`, line(row)] as const).sort(
      ([a], [b]) => (a < b ? -1 : 1),
    ),
  );
}
