import type { Swaps } from '../ledger/value.ts';
import { MOST_PRINTS, TokenVotes } from '../ledger/votes.ts';
import { carriedVotePoolsTable, carriedVotesTable } from '../records/carried-tables.ts';
import { pairWallet, timeOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, newBatch } from '../records/columns.ts';
import { isCounted, VOTE } from '../records/standing.ts';
import { FIRST_POOL, type legsTable, votePair, type votePoolsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { everything, isIn, type Predicate } from '../storage/predicate.ts';
import { addPoolRows, type PoolRow, type PoolRows, poolBatch, poolsIn } from './vote-pools.ts';

type Legs = Batch<typeof legsTable>;

/** The votes of tokens that a store carries, by token: without their pools. */
export async function readCarriedVotes(reader: Reader, where: Predicate): Promise<ReadonlyMap<number, TokenVotes>> {
  const { columns: c } = await reader.read({
    table: carriedVotesTable,
    columns: columnsOf(carriedVotesTable),
    where,
    order: [
      { column: 'token', direction: 'asc' },
      { column: 'age', direction: 'desc' },
    ],
  });
  const found = new Map<number, TokenVotes>();
  for (const [row, token] of c.token.entries()) {
    const vote = { price: c.price[row]!, usd: c.usd[row]!, wallet: c.wallet[row]!, time: c.time[row]! };
    votesIn(found, token).addVote(vote, -c.age[row]!, c.is_own[row] === 1);
  }
  return found;
}

/** The rows of pools that a store carries. */
export async function readCarriedPools(reader: Reader, where: Predicate): Promise<PoolRows> {
  return poolsIn(await reader.read({ table: carriedVotePoolsTable, columns: columnsOf(carriedVotePoolsTable), where }));
}

/** All votes that a store carries, by token. */
export async function carriedVotes(reader: Reader): Promise<ReadonlyMap<number, TokenVotes>> {
  return withPools(await readCarriedVotes(reader, everything), await readCarriedPools(reader, everything));
}

function withPools(votes: ReadonlyMap<number, TokenVotes>, pools: PoolRows): Map<number, TokenVotes> {
  const found = new Map(votes);
  for (const [pair, { pool, usd, ownSince }] of pools) {
    const token = pairWallet(pair);
    const own = votesIn(found, token);
    if (pair !== votePair(token, FIRST_POOL)) own.pools.set(pool, { usd, ownSince });
    else {
      own.first = { pool, time: ownSince };
      own.ownUsd = usd;
    }
  }
  return found;
}

function votesIn(found: Map<number, TokenVotes>, token: number): TokenVotes {
  let votes = found.get(token);
  if (votes === undefined) {
    votes = new TokenVotes();
    found.set(token, votes);
  }
  return votes;
}

/** What is carried of the votes of the tokens of some swaps once these are forgotten, too. */
export interface VotesToCarry {
  readonly votes: Batch<typeof carriedVotesTable>;
  /** Rows that take the place of those of the same pairs. */
  readonly pools: Batch<typeof votePoolsTable>;
}

/** `legs`: those of the swaps, in chain order. `horizon`: where the store began before. */
export async function votesToCarry(
  reader: Reader,
  { columns: c, length }: Swaps,
  legs: Legs,
  horizon: number,
): Promise<VotesToCarry> {
  const pairs = new Set<number>();
  for (let row = 0; row < length; row++)
    for (const token of [c.token_in[row]!, c.token_out[row]!])
      for (const pool of [FIRST_POOL, c.pool[row]!]) pairs.add(votePair(token, pool));
  const tokens = Int32Array.from(new Set([...c.token_in, ...c.token_out]));
  const found =
    horizon === 0
      ? new Map<number, TokenVotes>()
      : withPools(
          await readCarriedVotes(reader, isIn('token', tokens)),
          await readCarriedPools(reader, isIn('pair', Float64Array.from(pairs))),
        );
  const rowOf = new Map(Array.from(c.seq, (seq, row) => [seq, row]));
  const pools = new Map<number, PoolRow>();
  const l = legs.columns;
  for (let leg = 0; leg < legs.length; leg++) {
    const standing = l.standing[leg]!;
    if (Number.isNaN(l.price[leg]!) || !isCounted(standing)) continue;
    const token = l.token[leg]!;
    const votes = votesIn(found, token);
    const ordinal = ++votes.prints;
    if ((standing & VOTE) === 0) continue;
    const row = rowOf.get(l.seq[leg]!)!;
    const [wallet, pool, time] = [c.wallet[row]!, c.pool[row]!, timeOf(l.seq[leg]!)];
    const print = { price: l.price[leg]!, usd: l.usd_amount[leg]!, wallet, pool, time };
    if (votes.vote(print, ordinal)) addPoolRows(pools, token, votes, [pool]);
  }
  return { votes: votesBatch(found), pools: poolBatch(pools) };
}

function votesBatch(found: ReadonlyMap<number, TokenVotes>): VotesToCarry['votes'] {
  const rows = [...found]
    .sort(([a], [b]) => a - b)
    .flatMap(([token, votes]) =>
      votes
        .votes()
        .map(({ ordinal, ...vote }) => ({ token, age: votes.prints - ordinal, ...vote }))
        // One that has as many prints behind it judges no more.
        .filter(({ age }) => age < MOST_PRINTS)
        .sort((a, b) => a.age - b.age),
    );
  const batch = newBatch(carriedVotesTable, rows.length);
  const c = batch.columns;
  for (const [row, { token, age, price, usd, wallet, time, isOwn }] of rows.entries()) {
    c.token[row] = token;
    c.age[row] = age;
    c.price[row] = price;
    c.usd[row] = usd;
    c.wallet[row] = wallet;
    c.time[row] = time;
    c.is_own[row] = isOwn ? 1 : 0;
  }
  return batch;
}
