import { createHash } from 'node:crypto';
import type { SolanaTransaction } from '@swapfold/solana';
import { base58, call, key, SOL, transactionOf, transfer } from '../../packages/solana/test/support/transaction.ts';
import type { StandInBlock } from './solana-node.ts';

const CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
const SWAP = 'f8c69e91e17587c8';
/** When slot 0 was, in Unix seconds. */
const BEGUN = 1_730_000_000;

/** A swap in one of some pools, by one of some wallets, that a number decides. */
export function swapTransaction(n: number, slot: number): SolanaTransaction {
  const [wallet, pool, token] = [key(`wallet ${n % 7}`), key(`pool ${n % 5}`), key(`token ${n % 5}`)];
  const [own, ownSol, vault, vaultSol] = ['own', 'own sol', 'vault', 'vault sol'].map((name) =>
    key(`${name} ${n % 35}`),
  ) as [string, string, string, string];
  const [amount, price] = [BigInt(1_000_000 + 1000 * (n % 977)), BigInt(10_000_000 + 100 * (n % 613))];
  const legs = [transfer(own, vault, wallet, amount), transfer(vaultSol, ownSol, pool, price)];
  const back = [transfer(ownSol, vaultSol, wallet, price), transfer(vault, own, pool, amount)];
  return transactionOf({
    signers: [wallet],
    tokens: [
      { address: own, mint: token, owner: wallet, amount: 5_000_000_000n },
      { address: ownSol, mint: SOL, owner: wallet, amount: 5_000_000_000n },
      { address: vault, mint: token, owner: pool, amount: 9_000_000_000_000n },
      { address: vaultSol, mint: SOL, owner: pool, amount: 9_000_000_000_000n },
    ],
    calls: [call(CLMM, [wallet, key('config'), pool], SWAP, ...(n % 3 === 0 ? back : legs))],
    slot,
    signature: base58(createHash('sha512').update(`${n} in ${slot}`).digest()),
  });
}

/** A chain from a seed: some slots have no block, each block some swaps. */
export interface ChainOf {
  readonly from: number;
  readonly slots: number;
  readonly swaps: number;
  /** Numbers from 0 to 1. */
  readonly next: () => number;
  /** The block that it follows. */
  readonly parent?: StandInBlock | undefined;
}

export function chainOf({ from, slots, swaps, next, parent }: ChainOf): StandInBlock[] {
  const blocks: StandInBlock[] = [];
  for (let slot = from; slot < from + slots; slot++) {
    const isLast = slot === from + slots - 1;
    if (next() < 0.1 && !isLast) continue;
    const before = blocks.at(-1) ?? parent;
    const count = Math.floor(next() * (swaps + 1));
    const transactions = Array.from({ length: count }, () => swapTransaction(Math.floor(next() * 1e6), slot));
    blocks.push({
      slot,
      blockhash: base58(createHash('sha256').update(`${before?.blockhash} ${slot} ${next()}`).digest()),
      previousBlockhash: before?.blockhash ?? key('before'),
      parentSlot: before?.slot ?? from - 1,
      blockTime: BEGUN + Math.floor(slot * 0.4),
      transactions,
    });
  }
  return blocks;
}

/** A branch that leaves a chain above a slot. */
export function branchOf(
  chain: readonly StandInBlock[],
  above: number,
  of: Omit<ChainOf, 'from' | 'parent'>,
): StandInBlock[] {
  const kept = chain.filter(({ slot }) => slot <= above);
  return [...kept, ...chainOf({ ...of, from: above + 1, parent: kept.at(-1) })];
}
