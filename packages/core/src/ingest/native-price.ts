import type { Config } from '../config.ts';
import { type NativeVote, NativeVotes, VoteList } from '../ledger/native-votes.ts';
import { exchangedFields, pooledIn, pooledOut, pooledUsd } from '../ledger/pooled.ts';
import type { Roles } from '../ledger/roles.ts';
import { fedCodes, isFed, printPrice } from '../ledger/value.ts';
import { MUTE_IN, MUTE_OUT, mutesOf } from '../ledger/voice.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, sliceRows } from '../records/columns.ts';
import { nativePricesTable, swapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, or, type Predicate } from '../storage/predicate.ts';
import { readBySeq } from '../storage/reads.ts';
import { readHorizon } from './carried.ts';

/** Whose votes are read, and by which settings. */
export interface VoteScope {
  readonly roles: Roles;
  readonly dustUsd: number;
  /** Seconds for which a vote counts. */
  readonly maxAge: number;
  /** Where the store begins, Unix seconds. */
  readonly horizon: number;
}

/** The scope of a store. */
export function voteScope(
  { roles, config }: { readonly roles: Roles; readonly config: Config },
  horizon: number,
): VoteScope {
  return { roles, dustUsd: config.dust_usd, maxAge: config.reference_max_age, horizon };
}

/** Rows that are read at first, and then. */
const [FIRST_ROWS, MORE_ROWS] = [32, 1024];

/**
 * The votes for the native price of the swaps before a place, which begins a second or a transaction.
 *
 * - `until`: up to when they are asked, Unix seconds. If firm votes count until then, feed votes are not looked for.
 */
export async function votesBefore(
  reader: Reader,
  scope: VoteScope,
  seq: number,
  until: number = Number.POSITIVE_INFINITY,
): Promise<NativeVotes> {
  if (scope.roles.native < 0) return new NativeVotes(scope.maxAge);
  const firm = await firmVotesBefore(reader, scope, seq);
  const votes = new NativeVotes(scope.maxAge, { firm: firm.votes, feed: [] }, false);
  if (votes.isKnownUntil(until)) return votes;
  const feed = await feedVotesBefore(reader, scope, seq, firm.newest);
  return new NativeVotes(scope.maxAge, { firm: firm.votes, feed: feed.votes });
}

async function firmVotesBefore(reader: Reader, { maxAge }: VoteScope, seq: number): Promise<VoteList> {
  const list = new VoteList();
  let before = seq;
  for (let limit = FIRST_ROWS; ; limit = MORE_ROWS) {
    const rows = await reader.read({
      table: nativePricesTable,
      columns: columnsOf(nativePricesTable),
      where: compare('seq', 'lt', before),
      order: [{ column: 'seq', direction: 'desc' }],
      limit,
    });
    for (const vote of votesOf(rows)) list.add(vote);
    if (rows.length < limit) return list;
    before = rows.columns.seq[rows.length - 1]!;
    const since = Math.min(timeOf(seq), list.newest!.time) - maxAge;
    if (list.isFullSince(timeOf(before)) || timeOf(before) < since) return list;
  }
}

const votedColumns = [
  ...(['seq', 'tx', 'pool', 'wallet'] as const),
  ...exchangedFields,
  ...(['usd_amount_in', 'valued_by'] as const),
] as const;

type VotedSwaps = Batch<typeof swapsTable, (typeof votedColumns)[number]>;

/** Feed votes that may count at a place where the newest firm vote does not. */
async function feedVotesBefore(
  reader: Reader,
  scope: VoteScope,
  seq: number,
  newestFirm: NativeVote | undefined,
): Promise<VoteList> {
  const { native } = scope.roles;
  const oldest = Math.max(0, timeOf(seq) - scope.maxAge, (newestFirm?.time ?? -1) + 1);
  const within = and(compare('seq', 'gte', firstSeqAt(oldest)), compare('seq', 'lt', seq));
  const isOfNative = or(compare('token_in', 'eq', native), compare('token_out', 'eq', native));
  const list = new VoteList();
  let firm: readonly NativeVote[] | undefined;
  let before = seq;
  for (let limit = FIRST_ROWS; ; limit = Math.max(MORE_ROWS, limit * 2)) {
    // A source that says no values has none to vote with: the engine looks for the next one, and its swaps are not read.
    const where = and(within, compare('seq', 'lt', before), isOfNative);
    const newest = await reader.max(
      swapsTable,
      'seq',
      and(where, or(...fedCodes.map((code) => compare('valued_by', 'eq', code)))),
    );
    if (newest === null) break;
    before = Math.min(before, lastSeqAt(timeOf(newest)) + 1);
    const read = await reader.read({
      table: swapsTable,
      columns: votedColumns,
      where: and(where, compare('seq', 'lt', before)),
      order: [{ column: 'seq', direction: 'desc' }],
      limit,
    });
    // The last transaction may go on in the next rows.
    const isLast = read.length < limit;
    const { tx } = read.columns;
    let whole = read.length;
    if (!isLast) while (whole > 0 && tx[whole - 1] === tx[read.length - 1]) whole--;
    firm ??= await storedVotes(reader, within);
    for (const vote of feedVotes(ascendingRows(sliceRows(read, 0, whole)), scope, firm)) list.add(vote);
    if (isLast) break;
    if (whole > 0) before = read.columns.seq[whole - 1]!;
    if (list.isFullSince(timeOf(before))) return list;
  }
  if (oldest < scope.horizon) {
    const { native: carried } = await readHorizon(reader);
    for (const vote of carried?.feed ?? []) if (vote.time >= oldest) list.add(vote);
  }
  return list;
}

function ascendingRows(swaps: VotedSwaps): VotedSwaps {
  const columns = Object.fromEntries(
    Object.entries(swaps.columns).map(([name, values]) => [name, values.slice().reverse()]),
  );
  return { length: swaps.length, columns: columns as unknown as VotedSwaps['columns'] };
}

/**
 * The feed votes of valued swaps in chain order, oldest first. Transactions are whole as far as they exchange the native token.
 *
 * - `firm`: the firm votes of these swaps. A transaction that has one has no feed vote.
 */
export function feedVotes(
  swaps: VotedSwaps,
  { roles, dustUsd }: Pick<VoteScope, 'roles' | 'dustUsd'>,
  firm: readonly NativeVote[],
): NativeVote[] {
  const { columns: c, length } = swaps;
  const mutes = mutesOf(swaps);
  const firmSeqs = new Set(firm.map(({ seq }) => seq));
  const votes: NativeVote[] = [];
  for (let start = 0; start < length; ) {
    let vote: NativeVote | undefined;
    let isFirm = false;
    let row = start;
    for (; row < length && c.tx[row] === c.tx[start]; row++) {
      isFirm ||= firmSeqs.has(c.seq[row]!);
      vote = evidenceOf(row) ?? vote;
    }
    if (vote !== undefined && !isFirm) votes.push(vote);
    start = row;
  }
  return votes;

  function evidenceOf(row: number): NativeVote | undefined {
    const isGiven = roles.isNative(c.token_in[row]!);
    const [token, other] = isGiven ? [c.token_in[row]!, c.token_out[row]!] : [c.token_out[row]!, c.token_in[row]!];
    if (!roles.isNative(token) || token === other || roles.isStable(other) || !isFed(c.valued_by[row]!))
      return undefined;
    if ((mutes[row]! & (isGiven ? MUTE_IN : MUTE_OUT)) !== 0) return undefined;
    const amount = isGiven ? pooledIn(c, row) : pooledOut(c, row);
    const price = printPrice(pooledUsd(c, row, c.usd_amount_in[row]!, roles), amount, dustUsd);
    const seq = c.seq[row]!;
    return Number.isNaN(price) ? undefined : { seq, price, wallet: c.wallet[row]!, time: timeOf(seq) };
  }
}

/** The firm votes that the store has of the rows that hold, oldest first. */
export async function storedVotes(reader: Reader, where: Predicate): Promise<readonly NativeVote[]> {
  return votesOf(await readBySeq(reader, nativePricesTable, where));
}

function votesOf({ columns: c, length }: Batch<typeof nativePricesTable>): NativeVote[] {
  return Array.from({ length }, (_, row) => {
    const seq = c.seq[row]!;
    return { seq, price: c.price[row]!, wallet: c.wallet[row]!, time: timeOf(seq) - c.lag[row]! };
  });
}

/** Votes as the store has them. */
export function voteRows(votes: readonly NativeVote[]): Batch<typeof nativePricesTable> {
  return {
    length: votes.length,
    columns: {
      seq: Float64Array.from(votes, ({ seq }) => seq),
      price: Float64Array.from(votes, ({ price }) => price),
      wallet: Int32Array.from(votes, ({ wallet }) => wallet),
      lag: Float64Array.from(votes, ({ seq, time }) => timeOf(seq) - time),
    },
  };
}
