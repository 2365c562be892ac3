import type { Accounts } from './accounts.ts';
import { u32, u64 } from './base58.ts';
import type { RawMeta } from './raw.ts';
import { dataOf, type Step } from './steps.ts';
import { isTokenProgram, SOL, SYSTEM } from './well-known.ts';

/** System instructions that move lamports: where the receiver stands, and where the amount is. */
const moves: Readonly<Record<number, { readonly to: number; readonly amount: number }>> = {
  0: { to: 1, amount: 4 },
  2: { to: 1, amount: 4 },
  5: { to: 1, amount: 4 },
  11: { to: 2, amount: 4 },
};
const CREATE_WITH_SEED = 3;
const [TRANSFER, CLOSE, TRANSFER_CHECKED] = [3, 9, 12];

/**
 * What each account has more at the end than the instructions of the system and of tokens explain: what programs moved by themselves.
 *
 * By index of the account, in lamports.
 */
export function unexplainedLamports(
  steps: readonly Step[],
  meta: RawMeta,
  accounts: Accounts,
): (index: number) => bigint {
  const expected = meta.preBalances.map(BigInt);
  expected[0] = (expected[0] ?? 0n) - BigInt(meta.fee);
  const move = (from: number, to: number, amount: bigint): void => {
    if (expected[from] === undefined || expected[to] === undefined) return;
    expected[from] -= amount;
    expected[to] += amount;
  };
  for (const step of steps) {
    const { program, accounts: places } = step;
    if (program !== SYSTEM && !isTokenProgram(program)) continue;
    const data = dataOf(step);
    const [a = -1, b = -1, c = -1] = places;
    if (program === SYSTEM) {
      const kind = u32(data, 0);
      const known = moves[kind];
      if (known !== undefined) move(a, places[known.to] ?? -1, u64(data, known.amount));
      // The amount stands behind the base and the seed, whose length comes first.
      else if (kind === CREATE_WITH_SEED) move(a, b, u64(data, 44 + u32(data, 36)));
      continue;
    }
    if (data[0] === CLOSE) move(a, b, expected[a] ?? 0n);
    const isWrapped = accounts.get(a)?.mint === SOL;
    if (isWrapped && data[0] === TRANSFER) move(a, b, u64(data, 1));
    else if (isWrapped && data[0] === TRANSFER_CHECKED) move(a, c, u64(data, 1));
  }
  return (index) => BigInt(meta.postBalances[index] ?? 0) - (expected[index] ?? 0n);
}
