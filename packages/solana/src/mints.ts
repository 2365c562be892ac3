import type { TokenInput } from '@swapfold/core';
import type { RawTransaction } from './raw.ts';
import { dataOf, keysOf, type Step, stepsOf } from './steps.ts';
import { isTokenProgram, SYSTEM } from './well-known.ts';

const [INITIALIZE_MINT, INITIALIZE_MINT_2] = [0, 20];
/**
 * Characters in base 58 that the data of both have at least, if the token has decimals: a byte, the decimals, an address, and whether another
 * follows. Instructions that open an account have 45, and stand in many swaps.
 */
const SHORTEST = 47;

/** Whether a transaction may make a token: nearly none does, which its texts tell sooner than its bytes. */
function mayMake({ transaction, meta }: RawTransaction): boolean {
  if (transaction.message.instructions.some(({ data }) => isLong(data))) return true;
  return meta?.innerInstructions?.some(({ instructions }) => instructions.some(({ data }) => isLong(data))) ?? false;
}

const isLong = (data: string): boolean => data.length >= SHORTEST && data.length <= 95;

/**
 * Tokens that a transaction made, for the registry: when, and by whom: who paid for the account, else for the transaction.
 *
 * Tokens without decimals are left out: pieces that are single, and receipts of positions.
 */
export function madeTokens(raw: RawTransaction, time: number): TokenInput[] {
  if (raw.meta === null || raw.meta.err !== null || !mayMake(raw)) return [];
  const keys = keysOf(raw);
  const steps = stepsOf(raw, keys);
  return steps.flatMap((step) => {
    const [mint = -1] = step.accounts;
    if (!isTokenProgram(step.program) || !isLong(step.data)) return [];
    const data = dataOf(step);
    if ((data[0] !== INITIALIZE_MINT && data[0] !== INITIALIZE_MINT_2) || data[1] === 0) return [];
    const creator = keys[payerOf(steps, mint) ?? 0]!;
    return [{ address: keys[mint]!, decimals: data[1]!, created_at: time, creator_address: creator }];
  });
}

/** Who paid for an account. */
function payerOf(steps: readonly Step[], account: number): number | undefined {
  const made = steps.find(({ program, accounts }) => program === SYSTEM && accounts[1] === account);
  return made?.accounts[0];
}
