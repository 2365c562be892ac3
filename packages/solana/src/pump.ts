import { u64 } from './base58.ts';
import { dataOf, type Step } from './steps.ts';

const EVENT = 'e445a52e51cb9a1d';
/** `TradeEvent` of pump.fun. */
const TRADE = 'bddb7fd34ee661ee';
/** Where its fields stand: those behind the reserves came with later versions of the program. */
const at = { sol: 48, isBuy: 64, fee: 177, creatorFee: 225 } as const;

/**
 * What the trade event below an instruction of pump.fun says that the seller was paid: the lamports of the curve without the fees.
 *
 * - Shape: `undefined` if there is none.
 */
export function paidByEvent(steps: readonly Step[], from: number, to: number): bigint | undefined {
  const own = steps[from]!.program;
  for (const step of steps.slice(from + 1, to)) {
    if (step.program !== own) continue;
    const data = dataOf(step);
    const beginning = data.toString('hex', 0, 16);
    if (beginning !== EVENT + TRADE || data[at.isBuy] !== 0) continue;
    return u64(data, at.sol) - u64(data, at.fee) - u64(data, at.creatorFee);
  }
  return undefined;
}
