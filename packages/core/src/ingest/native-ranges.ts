import type { NativeVotes } from '../ledger/native-votes.ts';
import type { Swaps } from '../ledger/value.ts';
import { valueSwaps } from '../ledger/value-swaps.ts';
import { mutesOf } from '../ledger/voice.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { filterRows, sliceRows } from '../records/columns.ts';
import { legsTable, swapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, or } from '../storage/predicate.ts';
import { readBySeq } from '../storage/reads.ts';
import { type ChainKeys, inRanges, keysOf, type Range, takeKeys, uniteRanges } from './chain-keys.ts';
import type { ApplyContext } from './changes.ts';
import { referencesOf } from './derive.ts';
import { feedVotes, storedVotes, voteScope, votesBefore } from './native-price.ts';

/** Swaps of the native token by which a range grows at first, and by what factor from then on. */
const [FIRST_STEP, GROWTH] = [16, 4];

/** What changes, and how what is stored and what is added become one. */
export interface NativeChange {
  readonly added: Swaps;
  readonly keys: ChainKeys;
  readonly merge: (stored: Swaps, storedKeys: ChainKeys, added: Swaps, addedKeys: ChainKeys) => Swaps;
  /** Without the swaps that are removed. */
  readonly kept: (stored: Swaps) => Swaps;
  readonly lastTime: number;
}

/**
 * Ranges of seconds in which swaps or reference prices change, made longer until the votes for the native price behind each say the same
 * as before the change.
 */
export async function nativeRanges(
  reader: Reader,
  context: ApplyContext,
  change: NativeChange,
  ranges: readonly Range[],
): Promise<Range[]> {
  let grown = uniteRanges(ranges);
  for (let step = FIRST_STEP; ; step *= GROWTH) {
    const open = await openRanges(reader, context, change, grown);
    if (open.length === 0) return grown;
    const longer: Range[] = [];
    for (const [from, to] of open)
      longer.push([from, await nextSwapOf(reader, context.roles.native, to, step, change.lastTime)]);
    grown = uniteRanges([...grown, ...longer]);
  }
}

/** The block time of the `step`th swap of a token after a time. */
async function nextSwapOf(
  reader: Reader,
  token: number,
  time: number,
  step: number,
  lastTime: number,
): Promise<number> {
  const { columns, length } = await reader.read({
    table: legsTable,
    columns: ['seq'],
    where: and(compare('token', 'eq', token), compare('seq', 'gt', lastSeqAt(time))),
    order: [{ column: 'seq', direction: 'asc' }],
    limit: step,
  });
  return length < step ? lastTime : timeOf(columns.seq[step - 1]!);
}

/** The ranges behind which the votes differ from those that are stored. */
async function openRanges(
  reader: Reader,
  context: ApplyContext,
  change: NativeChange,
  ranges: readonly Range[],
): Promise<Range[]> {
  const { roles } = context;
  const within = inRanges(ranges);
  const isOfNative = or(compare('token_in', 'eq', roles.native), compare('token_out', 'eq', roles.native));
  const before = await readBySeq(reader, swapsTable, and(within, isOfNative));
  const firm = await storedVotes(reader, within);
  const scope = voteScope(context, context.state.horizon);
  const feed = feedVotes(before, scope, firm);
  const stored = change.kept(before);
  const rows = nativeRows(change.added, roles.native);
  const swaps = change.merge(
    stored,
    await keysOf(reader, stored, ranges),
    filterRows(change.added, (row) => isNativeRow(change.added, row, roles.native)),
    takeKeys(change.keys, rows),
  );
  const references = await referencesOf(reader, context, swaps);
  const open: Range[] = [];
  for (const range of ranges) {
    const [from, to] = range;
    if (to >= change.lastTime) continue;
    const old = await votesBefore(reader, scope, firstSeqAt(from), to);
    const now = old.copy();
    const isInside = ({ seq }: { readonly seq: number }): boolean => timeOf(seq) >= from && timeOf(seq) <= to;
    old.addAll({ firm: firm.filter(isInside), feed: feed.filter(isInside) });
    valueInto(now, inside(swaps, range));
    if (!old.isSameAt(now, to)) open.push(range);
  }
  return open;

  function valueInto(votes: NativeVotes, part: Swaps): void {
    valueSwaps(part, { roles, dustUsd: scope.dustUsd, references, votes, mutes: mutesOf(part) });
  }
}

/** Whether a swap exchanges a token. */
export function isNativeRow({ columns: c }: Swaps, row: number, native: number): boolean {
  return c.token_in[row] === native || c.token_out[row] === native;
}

function nativeRows(swaps: Swaps, native: number): number[] {
  const rows: number[] = [];
  for (let row = 0; row < swaps.length; row++) if (isNativeRow(swaps, row, native)) rows.push(row);
  return rows;
}

/** The swaps in a range of seconds, of swaps in chain order. */
function inside(swaps: Swaps, [from, to]: Range): Swaps {
  const { seq } = swaps.columns;
  let start = 0;
  while (start < swaps.length && timeOf(seq[start]!) < from) start++;
  let end = start;
  while (end < swaps.length && timeOf(seq[end]!) <= to) end++;
  return sliceRows(swaps, start, end);
}
