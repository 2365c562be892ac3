import { compareText } from '../records/chain-order.ts';
import type { TransactionRow } from '../storage/reads.ts';
import { amountOf, flowOf, PairLedger, type Step, sumOf } from './pair-ledger.ts';

/** Steps of a group that are put in order by their balances at most: more stay in chain order. */
const MOST_ORDERED = 64;

/** Part of the larger of two balances within which they are the same. */
const SAME_PART = 1e-9;

/** Where a transaction stands. */
export type Place = Omit<TransactionRow, 'block_time'>;

export interface PlacedStep {
  readonly step: Step;
  readonly place: Place;
}

/** Chain order of steps of one second. */
export function comparePlaces(a: Place, b: Place): number {
  return (
    (a.block_slot || 0) - (b.block_slot || 0) ||
    (a.tx_index || 0) - (b.tx_index || 0) ||
    a.moment - b.moment ||
    a.file_place - b.file_place ||
    compareText(a.tx_hash, b.tx_hash)
  );
}

/**
 * The steps of one second of a pair, which come in chain order, in the order in which they are taken: as their places say, and where these
 * say nothing, as their balances do (docs/reference/metrics.md, "What comes and goes").
 */
export function orderSteps(steps: readonly PlacedStep[], balance: number): readonly PlacedStep[] {
  if (steps.every(({ place }) => !Number.isNaN(place.block_slot))) {
    const ordered: PlacedStep[] = [];
    let so = balance;
    for (let from = 0, to = 1; from < steps.length; from = to++) {
      while (to < steps.length && steps[to]!.place.block_slot === steps[from]!.place.block_slot) to++;
      const group = orderGroup(steps.slice(from, to), so);
      for (const { step } of group) so = balanceAfter(step, so);
      ordered.push(...group);
    }
    return ordered;
  }
  return orderGroup(steps, balance);
}

function orderGroup(steps: readonly PlacedStep[], begun: number): readonly PlacedStep[] {
  if (steps.length < 2 || steps.length > MOST_ORDERED) return steps;
  const left = [...steps];
  if (left.every((a, i) => i === 0 || isBefore(left[i - 1]!.place, a.place))) return steps;
  const ordered: PlacedStep[] = [];
  let balance = begun;
  while (left.length > 0) {
    const free = left.filter(({ place }) => !left.some((other) => isBefore(other.place, place)));
    const next = nextOf(free.length > 0 ? free : left, left, balance);
    left.splice(left.indexOf(next), 1);
    ordered.push(next);
    balance = balanceAfter(next.step, balance);
  }
  return ordered;
}

function nextOf(free: readonly PlacedStep[], left: readonly PlacedStep[], balance: number): PlacedStep {
  const trades = free.filter(({ step }) => step.legs.length > 0);
  const moves = free.filter(({ step }) => step.legs.length === 0);
  const reporting = trades.filter(({ step }) => isReporting(step));
  const fitting = reporting.find(({ step }) => isSame(PairLedger.before(step, balance), balance));
  if (fitting !== undefined) return fitting;
  const closing = moves.find(({ step }) => {
    const then = balanceAfter(step, balance);
    return reporting.some((trade) => isSame(PairLedger.before(trade.step, then), then));
  });
  if (closing !== undefined) return closing;
  const first = reporting.find(
    ({ step }) =>
      !left.some(
        (other) =>
          other.step !== step && postsOf(other.step).some((post) => presOf(step).some((pre) => isSame(pre, post))),
      ),
  );
  if (first !== undefined) return first;
  const ins = moves.find(({ step }) => amountOf(step.ins) > sumOf(step.outs));
  return ins ?? trades[0] ?? free[0]!;
}

function isReporting({ pre, post }: Step): boolean {
  return !Number.isNaN(pre) || !Number.isNaN(post);
}

/** The balances before a step that its report may mean. */
function presOf(step: Step): readonly number[] {
  const far = Number.MAX_VALUE;
  return isReporting(step) ? [PairLedger.before(step, 0), PairLedger.before(step, far)] : [];
}

/** The balances after a step that its report may mean. */
function postsOf(step: Step): readonly number[] {
  const outs = sumOf(step.outs);
  if (!Number.isNaN(step.post)) return [step.post, Math.max(0, step.post - outs)];
  return presOf(step).map((pre) => Math.max(0, pre + amountOf(step.ins) + flowOf(step) - outs));
}

/** The balance after a step, as it reports it, else as it moves. */
function balanceAfter(step: Step, balance: number): number {
  const outs = sumOf(step.outs);
  const expected = PairLedger.before(step, balance) + amountOf(step.ins) + flowOf(step) - outs;
  if (Number.isNaN(step.post)) return Math.max(0, expected);
  const other = Math.max(0, step.post - outs);
  return Math.abs(other - expected) < Math.abs(step.post - expected) ? other : step.post;
}

function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_PART * Math.max(a, b);
}

/** Whether the places alone say that one transaction comes before another of its second. */
function isBefore(a: Place, b: Place): boolean {
  const [hasSlot, hasOtherSlot] = [!Number.isNaN(a.block_slot), !Number.isNaN(b.block_slot)];
  if (hasSlot !== hasOtherSlot) return false;
  if (hasSlot && a.block_slot !== b.block_slot) return a.block_slot < b.block_slot;
  if (!Number.isNaN(a.tx_index) && !Number.isNaN(b.tx_index) && a.tx_index !== b.tx_index)
    return a.tx_index < b.tx_index;
  if (a.moment !== 0 && b.moment !== 0 && a.moment !== b.moment) return a.moment < b.moment;
  return a.file_place !== 0 && b.file_place !== 0 && a.file_place < b.file_place;
}
