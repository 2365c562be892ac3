import { MOST_PRINTS, MOST_WEIGHT, noVotes, POOL_WEIGHT, type PoolVotes, TokenVotes } from '../ledger/votes.ts';
import { firstSeqAt, timeOf } from '../records/chain-order.ts';
import { type Batch, filterRows, NO_ID, sliceRows, takeRows } from '../records/columns.ts';
import { countedStandings, FOREIGN, foreignVoteStandings, ownVoteStandings, VOTE } from '../records/standing.ts';
import { FIRST_POOL, legsTable, poolSwapsTable, swapsTable, votePair } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { and, compare, isIn, not, type Predicate } from '../storage/predicate.ts';
import { readCarriedPools, readCarriedVotes } from './carried-votes.ts';
import { type PoolRows, storedPools } from './vote-pools.ts';

/** Prints of a token that are read for its votes; most tokens have all of them there. */
const FEW_PRINTS = 96;

/** When votes are to be as they stood. */
export interface VotesAt {
  /** Before this second; behind all that is stored if it is absent. */
  readonly before?: number | undefined;
  /** Where the store begins. */
  readonly horizon: number;
}

const columns = ['token', 'seq', 'price', 'usd_amount', 'standing'] as const;
type Prints = Batch<typeof legsTable, (typeof columns)[number]>;

const isCounted: Predicate = and(not({ kind: 'missing', column: 'price' }), isIn('standing', countedStandings));

function isBetween({ before, horizon }: VotesAt): Predicate {
  const since = compare('seq', 'gte', firstSeqAt(horizon));
  return before === undefined ? since : and(since, compare('seq', 'lt', firstSeqAt(before)));
}

/** The votes of tokens as they stood, without those of pools other than the first. */
export async function loadVotes(
  reader: Reader,
  tokens: Iterable<number>,
  at: VotesAt,
): Promise<ReadonlyMap<number, TokenVotes>> {
  const found = new Map(Array.from(tokens, (token) => [token, new TokenVotes()]));
  if (found.size === 0) return found;
  const firsts = await storedPools(
    reader,
    Array.from(found.keys(), (token) => votePair(token, FIRST_POOL)),
  );
  const voted: number[] = [];
  for (const [token, votes] of found) {
    const first = firsts.get(votePair(token, FIRST_POOL));
    if (first === undefined || (at.before !== undefined && first.ownSince >= at.before)) continue;
    votes.first = { pool: first.pool, time: first.ownSince };
    votes.ownUsd = first.usd;
    voted.push(token);
  }
  if (voted.length === 0) return found;
  const few = await reader.latest({
    table: legsTable,
    columns,
    key: 'token',
    keys: Int32Array.from(voted),
    by: 'seq',
    most: FEW_PRINTS,
    until: at.before === undefined ? undefined : firstSeqAt(at.before) - 1,
    where: and(isCounted, compare('seq', 'gte', firstSeqAt(at.horizon))),
  });
  const walletOf = await walletsOf(reader, few);
  for (let from = 0; from < few.length; ) {
    let to = from + 1;
    while (to < few.length && few.columns.token[to] === few.columns.token[from]) to++;
    const votes = found.get(few.columns.token[from]!)!;
    addPrints(votes, sliceRows(few, from, to), walletOf);
    if (to - from === FEW_PRINTS && !votes.isFull) {
      const many = await manyPrints(reader, few.columns.token[from]!, at);
      votes.restart();
      addPrints(votes, many, await walletsOf(reader, many));
    }
    from = to;
  }
  if (at.horizon > 0)
    for (const [token, carried] of await readCarriedVotes(reader, isIn('token', voted)))
      found.get(token)!.prepend(carried);
  if (at.before !== undefined)
    for (const token of voted) found.get(token)!.ownUsd = await ownUsdBefore(reader, token, at);
  return found;
}

/** The last prints of a token that votes are counted back over, oldest first. */
async function manyPrints(reader: Reader, token: number, at: VotesAt): Promise<Prints> {
  const newest = await reader.read({
    table: legsTable,
    columns,
    where: and(compare('token', 'eq', token), isCounted, isBetween(at)),
    order: [{ column: 'seq', direction: 'desc' }],
    limit: MOST_PRINTS,
  });
  return takeRows(
    newest,
    Array.from({ length: newest.length }, (_, i) => newest.length - 1 - i),
  );
}

/** The wallets of the swaps of votes, by `seq`. */
async function walletsOf(reader: Reader, prints: Prints): Promise<ReadonlyMap<number, number>> {
  const votes = filterRows(prints, (row) => (prints.columns.standing[row]! & VOTE) !== 0);
  if (votes.length === 0) return new Map();
  const where = isIn('seq', Float64Array.from(new Set(votes.columns.seq)));
  const { columns: c } = await reader.read({ table: swapsTable, columns: ['seq', 'wallet'], where });
  return new Map(Array.from(c.seq, (seq, row) => [seq, c.wallet[row]!]));
}

function addPrints(votes: TokenVotes, { columns: c, length }: Prints, walletOf: ReadonlyMap<number, number>): void {
  for (let row = 0; row < length; row++) {
    const ordinal = ++votes.prints;
    const standing = c.standing[row]!;
    if ((standing & VOTE) === 0) continue;
    const [price, usd, time] = [c.price[row]!, c.usd_amount[row]!, timeOf(c.seq[row]!)];
    votes.addVote({ price, usd, wallet: walletOf.get(c.seq[row]!)!, time }, ordinal, (standing & FOREIGN) === 0);
  }
}

/** Votes that are read at once to find out what those in own pools weighed. */
const OWN_VOTES = 256;

/** What the votes of a token in own pools weighed. */
async function ownUsdBefore(reader: Reader, token: number, at: VotesAt): Promise<number> {
  const pair = votePair(token, FIRST_POOL);
  let sum = (await carriedPools(reader, [pair], at)).get(pair)?.usd ?? 0;
  for (let after = -1; sum < MOST_WEIGHT; ) {
    const isOwn = and(compare('token', 'eq', token), isIn('standing', ownVoteStandings), isBetween(at));
    const { columns: c, length } = await reader.read({
      table: legsTable,
      columns: ['seq', 'usd_amount'],
      where: and(isOwn, compare('seq', 'gt', after)),
      order: ascending('seq'),
      limit: OWN_VOTES,
    });
    for (const usd of c.usd_amount) sum = Math.min(sum + Math.min(usd, MOST_WEIGHT), MOST_WEIGHT);
    if (length < OWN_VOTES) break;
    after = c.seq[length - 1]!;
  }
  return sum;
}

async function carriedPools(reader: Reader, pairs: readonly number[], { horizon }: VotesAt): Promise<PoolRows> {
  return horizon === 0 ? new Map() : readCarriedPools(reader, isIn('pair', Float64Array.from(pairs)));
}

/** A token and a pool, with the votes of the token to put those of the pool into. */
export interface PoolOf {
  readonly token: number;
  readonly pool: number;
  readonly votes: TokenVotes;
}

/** Puts the votes of pools into those of their tokens, as they stood. */
export async function loadPools(reader: Reader, wanted: readonly PoolOf[], at: VotesAt): Promise<void> {
  const others = wanted.filter(({ pool, votes }) => votes.first?.pool !== pool);
  if (others.length === 0) return;
  const pairOf = ({ token, pool }: PoolOf): number => votePair(token, pool);
  const rows = await storedPools(reader, others.map(pairOf));
  const open: PoolOf[] = [];
  for (const one of others) {
    const { usd, ownSince } = rows.get(pairOf(one)) ?? noVotes;
    if (at.before !== undefined && usd > 0 && !(ownSince < at.before)) open.push(one);
    else one.votes.pools.set(one.pool, { usd, ownSince });
  }
  if (open.length === 0) return;
  const weighed = await weighedPools(reader, open, at);
  for (const one of open) one.votes.pools.set(one.pool, { ...weighed.get(pairOf(one))!, ownSince: Number.NaN });
}

/** What the votes of pools weighed that were not own, by pair; `ownSince` is when they had enough beside a token of known votes. */
export async function weighedPools(
  reader: Reader,
  of: readonly Pick<PoolOf, 'token' | 'pool'>[],
  at: VotesAt,
): Promise<ReadonlyMap<number, PoolVotes>> {
  const pairs = of.map(({ token, pool }) => votePair(token, pool));
  const carried = await carriedPools(reader, pairs, at);
  const found = new Map<number, PoolVotes>(
    pairs.map((pair) => [pair, { usd: carried.get(pair)?.usd ?? 0, ownSince: Number.NaN }]),
  );
  for await (const { token, pool, seq, usd } of foreignVotes(reader, of, isBetween(at))) {
    const before = found.get(votePair(token, pool));
    if (before === undefined || !Number.isNaN(before.ownSince)) continue;
    const sum = Math.min(before.usd + Math.min(usd, MOST_WEIGHT), POOL_WEIGHT);
    found.set(votePair(token, pool), { usd: sum, ownSince: sum === POOL_WEIGHT ? timeOf(seq) : Number.NaN });
  }
  return found;
}

interface ForeignVote {
  readonly token: number;
  readonly pool: number;
  readonly seq: number;
  readonly usd: number;
}

/** The votes of tokens in pools that were not own, of all pools of these tokens that are named; those of a pool in chain order. */
export async function* foreignVotes(
  reader: Reader,
  of: readonly Pick<PoolOf, 'token' | 'pool'>[],
  where: Predicate,
): AsyncGenerator<ForeignVote> {
  const legsOf = (tokens: Iterable<number>, more: Predicate) =>
    reader.read({
      table: legsTable,
      columns: ['token', 'seq', 'usd_amount'],
      where: and(isIn('token', Int32Array.from(new Set(tokens))), isIn('standing', foreignVoteStandings), where, more),
      order: ascending('seq', 'token'),
    });
  const named = of.filter(({ pool }) => pool !== NO_ID);
  for (const isNamed of [false, true]) {
    const some = isNamed ? named : of.filter(({ pool }) => pool === NO_ID);
    if (some.length === 0) continue;
    const tokens = some.map(({ token }) => token);
    if (!isNamed) {
      const { columns: c, length } = await legsOf(tokens, compare('seq', 'gte', 0));
      const isSwap = isIn('seq', Float64Array.from(new Set(c.seq)));
      const { columns: swaps } = await reader.read({ table: swapsTable, columns: ['seq', 'pool'], where: isSwap });
      const poolOf = new Map(Array.from(swaps.seq, (seq, row) => [seq, swaps.pool[row]!]));
      for (let row = 0; row < length; row++)
        if (poolOf.get(c.seq[row]!) === NO_ID)
          yield { token: c.token[row]!, pool: NO_ID, seq: c.seq[row]!, usd: c.usd_amount[row]! };
      continue;
    }
    const ofPools = and(isIn('pool', Int32Array.from(new Set(some.map(({ pool }) => pool)))), where);
    const { columns: swaps } = await reader.read({ table: poolSwapsTable, columns: ['pool', 'seq'], where: ofPools });
    const poolOf = new Map(Array.from(swaps.seq, (seq, row) => [seq, swaps.pool[row]!]));
    const { columns: c, length } = await legsOf(tokens, isIn('seq', Float64Array.from(poolOf.keys())));
    for (let row = 0; row < length; row++)
      yield { token: c.token[row]!, pool: poolOf.get(c.seq[row]!)!, seq: c.seq[row]!, usd: c.usd_amount[row]! };
  }
}
