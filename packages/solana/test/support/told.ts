import type { SolanaTransaction } from '../../src/raw.ts';
import type { SwapRow } from '../../src/rows.ts';
import { accountsOf, who } from './swaps.ts';
import { key, type Made, SOL, USDC } from './transaction.ts';

const names: ReadonlyMap<string, string> = new Map([
  [who.wallet, 'wallet'],
  ...['maker', 'keeper', 'escrow', 'member'].map((name) => [key(name), name] as const),
]);
const mints: ReadonlyMap<string, string> = new Map([
  [SOL, 'SOL'],
  [USDC, 'USDC'],
  [who.token, 'token'],
]);

/** Who gave what for what, of each row. */
export const short = (rows: readonly SwapRow[]) =>
  rows.map((row) => [
    names.get(row.wallet) ?? row.wallet,
    row.token_amount_in,
    mints.get(row.token_in),
    row.token_amount_out,
    mints.get(row.token_out),
  ]);

export const [tokenOf, solOf] = [(owner: string) => key(`${owner} token`), (owner: string) => key(`${owner} SOL`)];

/** Accounts of a wallet, of a pool, and of everybody who is named, in the token and in SOL. */
export const tokensOf = (...owners: readonly string[]): Made['tokens'] => [
  ...accountsOf(who.pool),
  ...owners.flatMap((owner) => [
    { address: tokenOf(owner), mint: who.token, owner, amount: 900_000_000n },
    { address: solOf(owner), mint: SOL, owner, amount: 9_000_000_000n },
  ]),
];

/** A transaction of which the node does not say how deep instructions were called, or does not of some. */
export function withoutHeights(
  raw: SolanaTransaction,
  isLeftOut: (i: number) => boolean = () => true,
): SolanaTransaction {
  const innerInstructions = raw.meta!.innerInstructions!.map(({ index, instructions }) => ({
    index,
    instructions: instructions.map((one, i) => (isLeftOut(i) ? { ...one, stackHeight: null } : one)),
  }));
  return { ...raw, meta: { ...raw.meta!, innerInstructions } };
}

/** A transaction of which the node does not say who owns the token accounts of somebody. */
export function withoutOwner(raw: SolanaTransaction, whose: string): SolanaTransaction {
  const unnamed = (balances: NonNullable<SolanaTransaction['meta']>['preTokenBalances']) =>
    balances!.map(({ owner, ...rest }) => (owner === whose ? rest : { ...rest, owner: owner! }));
  const { preTokenBalances, postTokenBalances } = raw.meta!;
  const balances = { preTokenBalances: unnamed(preTokenBalances), postTokenBalances: unnamed(postTokenBalances) };
  return { ...raw, meta: { ...raw.meta!, ...balances } };
}
