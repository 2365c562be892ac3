import { invalidInput, SwapfoldError } from '../../errors.ts';
import { type Horizon, LEAST_DAYS, readHorizon } from '../../ingest/carried.ts';
import { type ApplyContext, type Changes, newChanges } from '../../ingest/changes.ts';
import { ValueCounts } from '../../ingest/derive.ts';
import { voteScope } from '../../ingest/native-price.ts';
import type { IngestState } from '../../ingest/transactions.ts';
import type { Swaps } from '../../ledger/value.ts';
import { show } from '../../nearest.ts';
import { carriedTables } from '../../records/carried-tables.ts';
import { firstSeqAt, timeOf } from '../../records/chain-order.ts';
import type { Table } from '../../records/columns.ts';
import {
  bareFeesTable,
  movesTable,
  swapsTable,
  tradePoolsTable,
  tradesTable,
  transactionsTable,
  transfersTable,
} from '../../records/tables.ts';
import type { CallOptions } from '../../storage/abortable.ts';
import type { Reader, Writer } from '../../storage/adapter.ts';
import { writeMeta } from '../../storage/meta.ts';
import { compare } from '../../storage/predicate.ts';
import { readBySeq } from '../../storage/reads.ts';
import type { PruneOptions } from '../../swapfold-options.ts';
import { formatTime, parseInstant, wallClock } from '../../time.ts';
import { HORIZON_VERSION } from '../open/open-store.ts';
import type { StoreSession } from '../open/session.ts';
import { carryEntities, carryLegs, carryNativePrice, carryPairs, carryPools, carryReferencePrices } from './carry.ts';

const DAY = 86_400;

/** Swaps that are forgotten in one transaction, and the rest of their second: some ten milliseconds, so that others have their turn. */
const CHUNK = 4096;

/** What a prune did. */
export interface PruneResult {
  /** Where the store begins now, Unix seconds; `null` if it has forgotten nothing. */
  readonly horizon: number | null;
  /** Swaps that were forgotten. */
  readonly swaps: number;
}

/** The seconds of a `keep`, such as '45d'. Errors: `code` for anything else, and for less than the longest window and a day. */
export function parseKeep(keep: string, code: 'invalid-config' | 'invalid-input'): number {
  const days = /^([1-9][0-9]{0,5})d$/.exec(String(keep))?.[1];
  if (days === undefined || Number(days) < LEAST_DAYS)
    throw new SwapfoldError(
      code,
      `"keep": expected days from "${LEAST_DAYS}d" on, such as "45d", received ${show(keep)}.`,
    );
  return Number(days) * DAY;
}

/** As `Swapfold.prune`. */
export async function pruneStore(session: StoreSession, call: PruneOptions): Promise<PruneResult> {
  const { horizon } = session.remembered.ingest;
  const end = endOf(session.remembered.ingest);
  if ((call.before === undefined) === (call.keep === undefined))
    throw invalidInput('A prune needs either "before", a time, or "keep", days such as "45d".');
  const newest = wholeDay(end - LEAST_DAYS * DAY);
  const target =
    call.keep === undefined
      ? wholeDay(parseInstant(call.before!, 'before'))
      : wholeDay(end - parseKeep(call.keep, 'invalid-input'));
  if (call.before !== undefined && target > newest)
    throw invalidInput(
      `"before" is ${formatTime(target)}; at least ${LEAST_DAYS} days up to the newest swap are kept, so that it may be ${formatTime(Math.max(0, newest))} at most.`,
    );
  if (target <= horizon) return { horizon: horizon || null, swaps: 0 };
  const { isDone: _, ...result } = await forgetBefore(session, target, call);
  return result;
}

/**
 * Forgets what lies further back than the store is opened to keep, once a day of block time has passed. After a batch of so many swaps it
 * forgets at most some thousand more than these: who stores a batch does not wait for years of others.
 *
 * What came before is committed, so that this throws nothing: it is told once, and the next batch tries again.
 */
export async function forgetDue(
  session: StoreSession,
  call: CallOptions,
  added = Number.POSITIVE_INFINITY,
): Promise<void> {
  try {
    await forgetOld(session, call, added);
    session.isForgettingFailing = false;
  } catch (error) {
    if (call.signal?.aborted || session.isForgettingFailing) return;
    session.isForgettingFailing = true;
    session.memory.tell(error);
  }
}

async function forgetOld(session: StoreSession, call: CallOptions, added: number): Promise<void> {
  if (session.keep === undefined) return;
  const target = wholeDay(endOf(session.remembered.ingest) - session.keep);
  if (target <= Math.max(session.remembered.ingest.horizon, session.forgottenTo)) return;
  const { isDone } = await forgetBefore(session, target, { ...call, steps: 1 + Math.ceil(added / CHUNK) });
  if (isDone) session.forgottenTo = target;
}

/** Up to when days are counted: the newest swap, or now if that says to be of the future, since one wrong time would forget everything. */
const endOf = ({ lastTime }: Pick<IngestState, 'lastTime'>): number => Math.min(lastTime ?? 0, wallClock());

const wholeDay = (time: number): number => Math.floor(time / DAY) * DAY;

/** What `forgetBefore` is asked for: `steps` is how many transactions it may take, any number by default. */
interface Forgetting extends Pick<PruneOptions, 'signal' | 'onSwaps'> {
  readonly steps?: number;
}

/** Moves the horizon up to a time, some swaps at a time. What a process leaves that dies is a store with a horizon on the way there. */
async function forgetBefore(
  session: StoreSession,
  target: number,
  { signal, onSwaps, steps = Number.POSITIVE_INFINITY }: Forgetting,
): Promise<PruneResult & { readonly isDone: boolean }> {
  let swaps = 0;
  for (let taken = 1; ; taken++) {
    const changes = newChanges();
    const step = await session.write(
      { signal, changes },
      async (writer) => {
        const context = session.applyContext();
        // A rollback may have come between: the days that are kept end with what is the newest swap now.
        const most = wholeDay(endOf(context.state) - LEAST_DAYS * DAY);
        const moved = await moveHorizon(writer, { ...context, changes }, Math.min(target, most));
        const nextTx = ((await writer.max(transactionsTable, 'tx')) ?? -1) + 1;
        const nextTransfer = ((await writer.max(transfersTable, 'transfer')) ?? -1) + 1;
        const since = firstSeqAt(moved.horizon);
        const checkpoints = context.state.checkpoints.filter(({ from }) => from >= since);
        const isDone = moved.horizon >= Math.min(target, most) || moved.horizon === 0;
        return {
          ...moved,
          isDone,
          state: {
            ...context.state,
            nextTx,
            nextTransfer,
            lastTransfer: nextTransfer > 0 ? context.state.lastTransfer : null,
            checkpoints,
            horizon: moved.horizon,
          },
        };
      },
      ({ state }) => ({ ingest: state }),
    );
    swaps += step.swaps;
    onSwaps?.(swaps);
    const { isDone } = step;
    if (isDone || taken >= steps) return { horizon: step.horizon || null, swaps, isDone };
  }
}

interface MoveContext extends Pick<ApplyContext, 'config' | 'roles'> {
  readonly changes: Changes;
}

/**
 * Moves the horizon towards a time by at most some thousand swaps. What the store carries after it follows from what it carried before and
 * the swaps between, so that one step leaves what several do.
 */
export async function moveHorizon(
  writer: Writer,
  { config, roles, changes }: MoveContext,
  target: number,
  chunk = CHUNK,
): Promise<{ readonly horizon: number; readonly swaps: number }> {
  const before = await readHorizon(writer);
  if (before.time >= target) return { horizon: before.time, swaps: 0 };
  const time = await endOfStep(writer, target, chunk);
  const behind = compare('seq', 'lt', firstSeqAt(time));
  const swaps = await readBySeq(writer, swapsTable, behind);
  if (before.time === 0) {
    if (swaps.length === 0) return { horizon: 0, swaps: 0 };
    for (const table of carriedTables) await writer.recreate(table);
  }
  const trades = await readBySeq(writer, tradesTable, behind);
  const step = { before, time, behind, swaps, trades };
  await carryPairs(writer, step, { roles, dustUsd: config.dust_usd });
  for (const kind of ['wallets', 'tokens'] as const) await carryEntities(writer, step, kind, roles);
  await carryLegs(writer, step, roles);
  await carryPools(writer, step);
  await carryReferencePrices(writer, time);
  const native = await carryNativePrice(writer, voteScope({ config, roles }, before.time), step);
  const counts = new ValueCounts(roles);
  counts.add(swaps, -1);
  await counts.addTo(writer);
  const isOld = compare('block_time', 'lt', time);
  const tables = [transactionsTable, transfersTable] as const;
  const slots = [before.slot];
  for (const table of tables) slots.push(await writer.max(table as Table, 'block_slot', isOld));
  for (const table of [swapsTable, tradesTable, movesTable, tradePoolsTable, bareFeesTable])
    await writer.remove(table, behind);
  for (const table of tables) await writer.remove(table, isOld);
  const known = slots.filter((slot) => slot !== null);
  const horizon: Horizon = { time, native, slot: known.length === 0 ? null : Math.max(...known) };
  await writeMeta(writer, { horizon: JSON.stringify(horizon), schema_version: String(HORIZON_VERSION) });
  noteTouched(changes, swaps);
  return { horizon: time, swaps: swaps.length };
}

/** The next horizon: the target, or the first second that begins after about so many swaps. */
async function endOfStep(reader: Reader, target: number, chunk: number): Promise<number> {
  const { columns, length } = await reader.read({
    table: swapsTable,
    columns: ['seq'],
    where: compare('seq', 'lt', firstSeqAt(target)),
    order: [{ column: 'seq', direction: 'asc' }],
    limit: chunk + 1,
  });
  if (length <= chunk) return target;
  const [first, last] = [timeOf(columns.seq[0]!), timeOf(columns.seq[chunk]!)];
  return last > first ? last : last + 1;
}

/** What is cached of them counts rows that are gone. */
function noteTouched({ touched }: Changes, { columns: c }: Swaps): void {
  for (const wallet of c.wallet) touched.wallets.add(wallet);
  for (const pool of c.pool) touched.pools.add(pool);
  for (const tokens of [c.token_in, c.token_out]) for (const token of tokens) touched.tokens.add(token);
}
