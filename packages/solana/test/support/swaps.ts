import { decodeTransaction } from '../../src/decode.ts';
import type { SolanaTransaction } from '../../src/raw.ts';
import type { SwapRow } from '../../src/rows.ts';
import { noneUndecoded, type Undecoded } from '../../src/undecoded.ts';
import { type Call, checked, key, type Made, SOL, transactionOf, transfer, USDC } from './transaction.ts';

/** The swaps of a transaction, and what became none, the reasons with a count alone. */
export function decoded(raw: SolanaTransaction): { readonly rows: SwapRow[]; readonly undecoded: Partial<Undecoded> } {
  const undecoded = noneUndecoded();
  const rows = decodeTransaction(raw, { slot: raw.slot, time: raw.blockTime ?? null, index: 3 }, undecoded);
  return { rows, undecoded: Object.fromEntries(Object.entries(undecoded).filter(([, count]) => count > 0)) };
}

/** The addresses of a wallet that sells a token for SOL in a pool. */
export const who = {
  wallet: key('wallet'),
  token: key('token'),
  /** The wallet's accounts. */
  own: key('wallet token'),
  ownSol: key('wallet sol'),
  ownUsdc: key('wallet usdc'),
  /** The pool, and its accounts. */
  pool: key('pool'),
  vault: key('pool token'),
  vaultSol: key('pool sol'),
} as const;

/** Fillers for places of an instruction that nothing reads. */
export const fill = (count: number): string[] => Array.from({ length: count }, (_, i) => key(`filler ${i}`));

/** Token accounts of the wallet and of a pool whose accounts an owner holds. */
export const accountsOf = (poolOwner: string): Made['tokens'] => [
  { address: who.own, mint: who.token, owner: who.wallet, amount: 500_000_000n },
  { address: who.ownSol, mint: SOL, owner: who.wallet, amount: 0n },
  { address: who.ownUsdc, mint: USDC, owner: who.wallet, amount: 50_000_000n },
  { address: who.vault, mint: who.token, owner: poolOwner, amount: 9_000_000_000n },
  { address: who.vaultSol, mint: SOL, owner: poolOwner, amount: 80_000_000_000n },
];

/** 123.456789 of the token go into the pool, 1.5 SOL come out: what every protocol's sale is here. */
export function sale(poolOwner: string, isChecked: boolean): Call[] {
  const { own, vault, vaultSol, ownSol, wallet, token } = who;
  return isChecked
    ? [checked(own, token, vault, wallet, 123_456_789n), checked(vaultSol, SOL, ownSol, poolOwner, 1_500_000_000n)]
    : [transfer(own, vault, wallet, 123_456_789n), transfer(vaultSol, ownSol, poolOwner, 1_500_000_000n)];
}

export const made = (calls: readonly Call[], of: Partial<Made> = {}): SolanaTransaction =>
  transactionOf({ signers: [who.wallet], tokens: accountsOf(who.pool), calls, ...of });
