import { noVotes, type PoolVotes, type TokenVotes } from '../ledger/votes.ts';
import { type Batch, newBatch } from '../records/columns.ts';
import { FIRST_POOL, votePair, votePoolsTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';

/** Rows that are made at once. */
const ROWS = 16_384;

/** A row of `vote_pools`. */
export type PoolRow = PoolVotes & { readonly pool: number };

/** Rows of `vote_pools`, by pair. */
export type PoolRows = ReadonlyMap<number, PoolRow>;

export function poolsIn({ columns: c }: Batch<typeof votePoolsTable>): PoolRows {
  return new Map(
    Array.from(c.pair, (pair, row) => [pair, { pool: c.pool[row]!, usd: c.usd[row]!, ownSince: c.own_since[row]! }]),
  );
}

export async function storedPools(reader: Reader, pairs: Iterable<number>): Promise<PoolRows> {
  const where = isIn('pair', Float64Array.from(pairs));
  return poolsIn(await reader.read({ table: votePoolsTable, columns: ['pair', 'pool', 'usd', 'own_since'], where }));
}

/** Adds the rows of some pools, as the votes of their token have them. */
export function addPoolRows(
  rows: Map<number, PoolRow>,
  token: number,
  { first, ownUsd, pools }: TokenVotes,
  of: Iterable<number>,
): void {
  for (const pool of of)
    rows.set(
      votePair(token, pool),
      pool === first?.pool ? { pool, ...noVotes } : { pool, ...(pools.get(pool) ?? noVotes) },
    );
  if (first !== undefined)
    rows.set(votePair(token, FIRST_POOL), { pool: first.pool, usd: ownUsd, ownSince: first.time });
}

/** Writes rows in place of those that are there; pools without a vote have none. */
export async function writePools(writer: Writer, rows: PoolRows): Promise<void> {
  if (rows.size === 0) return;
  await writer.remove(votePoolsTable, isIn('pair', Float64Array.from(rows.keys())));
  await writer.append(votePoolsTable, poolBatch(rows));
}

/** The rows of pools with a vote. */
export function poolBatch(rows: PoolRows): Batch<typeof votePoolsTable> {
  const voted = [...rows].filter(([, { usd }]) => usd > 0).sort(([a], [b]) => a - b);
  const batch = newBatch(votePoolsTable, voted.length);
  const c = batch.columns;
  for (const [row, [pair, { pool, usd, ownSince }]] of voted.entries()) {
    c.pair[row] = pair;
    c.pool[row] = pool;
    c.usd[row] = usd;
    c.own_since[row] = ownSince;
  }
  return batch;
}

/** The rows of all pools of tokens, some at a time. */
export function* allPools(tokens: ReadonlyMap<number, TokenVotes>): Generator<Batch<typeof votePoolsTable>> {
  let rows = new Map<number, PoolRow>();
  for (const [token, votes] of [...tokens].sort(([a], [b]) => a - b)) {
    addPoolRows(rows, token, votes, votes.pools.keys());
    if (rows.size < ROWS) continue;
    yield poolBatch(rows);
    rows = new Map();
  }
  yield poolBatch(rows);
}
