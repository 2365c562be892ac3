import { createHash } from 'node:crypto';
import type { SolanaBlock } from '@swapfold/solana';
import { base58, key } from '../../packages/solana/test/support/transaction.ts';
import { swapTransaction } from '../../test/support/solana-chain.ts';
import { type Recorded, recordedTransactions } from '../../test/support/solana-transactions.ts';

/** Transactions of a block, and those of them that swap, as the chain has on a busy day. */
export const [TRANSACTIONS, SWAPS] = [1500, 400];

const recorded = recordedTransactions();
const isSwap = ({ swaps }: Recorded): boolean => swaps === null || swaps.length > 0;
const kinds = {
  swaps: recorded.filter(isSwap).map(({ raw }) => JSON.stringify(raw)),
  others: recorded.filter((one) => !isSwap(one)).map(({ raw }) => JSON.stringify(raw)),
};

/** What blocks are made of: recorded transactions, or made-up ones where these are not beside the project. */
export const madeOf = recorded.length > 0 ? 'recorded transactions' : 'made-up transactions';

/** A transaction whose signers, signature and accounts nobody else has. */
function changed(text: string, n: number): string {
  const { transaction } = JSON.parse(text) as {
    transaction: {
      signatures: string[];
      message: { accountKeys: string[]; header: { numRequiredSignatures: number } };
    };
  };
  let made = text.replaceAll(transaction.signatures[0]!, base58(createHash('sha512').update(String(n)).digest()));
  for (const signer of transaction.message.accountKeys.slice(0, transaction.message.header.numRequiredSignatures))
    made = made.replaceAll(signer, key(`${signer} ${n % 2000}`));
  return made;
}

const vote = (n: number): object => ({
  transaction: {
    signatures: [base58(createHash('sha512').update(`vote ${n}`).digest())],
    message: {
      accountKeys: [key(`voter ${n}`), key(`vote ${n}`), 'Vote111111111111111111111111111111111111111'],
      header: { numRequiredSignatures: 1 },
      instructions: [{ programIdIndex: 2, accounts: [1, 0], data: base58(Buffer.alloc(140, n)), stackHeight: 1 }],
    },
  },
  meta: {
    err: null,
    fee: 5000,
    preBalances: [9e9, 2e7, 1],
    postBalances: [9e9, 2e7, 1],
    preTokenBalances: [],
    postTokenBalances: [],
    innerInstructions: [],
    loadedAddresses: { writable: [], readonly: [] },
  },
});

/** A block as JSON: four in fifteen transactions swap, as many are others, the rest votes. */
export function blockText(
  slot: number,
  parent: { readonly slot: number; readonly blockhash: string } | undefined,
): string {
  const transactions = Array.from({ length: TRANSACTIONS }, (_, i) => {
    const n = slot * TRANSACTIONS + i;
    if (i % 15 < 4 && madeOf === 'recorded transactions') return changed(kinds.swaps[n % kinds.swaps.length]!, n);
    if (i % 15 < 4) return JSON.stringify(swapTransaction(n, slot));
    if (i % 15 < 8 && kinds.others.length > 0) return changed(kinds.others[n % kinds.others.length]!, n);
    return JSON.stringify(vote(n));
  });
  const header: Omit<SolanaBlock, 'transactions'> = {
    blockhash: key(`bench ${slot}`),
    previousBlockhash: parent?.blockhash ?? key('before'),
    parentSlot: parent?.slot ?? slot - 1,
    blockTime: 1_760_000_000 + Math.floor(slot * 0.4),
  };
  return `${JSON.stringify(header).slice(0, -1)},"transactions":[${transactions.join(',')}]}`;
}
