import { existsSync, readFileSync } from 'node:fs';
import type { SolanaTransaction } from '@swapfold/solana';

/** A recorded transaction, and what it exchanged, worked out by hand from the balances. */
export interface Recorded {
  readonly raw: SolanaTransaction;
  readonly name: string;
  /** `null` of one that only its hops are looked at. */
  readonly swaps: readonly RecordedSwap[] | null;
}

export interface RecordedSwap {
  readonly wallet: string;
  readonly token_in: string;
  /** Or from and to: the lower end counts what lies within the instruction. */
  readonly amount_in: number | readonly [number, number];
  readonly token_out: string;
  readonly amount_out: number;
  readonly hops?: readonly (string | null)[];
}

/** Recorded answers of nodes (MetaMask snap-solana-wallet, rotki test-caching); they lie beside the project, if at all. */
const recorded = new URL('../../../shared/data/solana-transactions/transactions.ndjson', import.meta.url).pathname;

/** The file of the recorded transactions; `undefined` where it is not there. */
export const recordedFile: string | undefined = existsSync(recorded) ? recorded : undefined;

export function recordedTransactions(): readonly Recorded[] {
  if (recordedFile === undefined) return [];
  const lines = readFileSync(recordedFile, 'utf8').trim().split('\n');
  const expected = JSON.parse(readFileSync(recordedFile.replace('transactions.ndjson', 'expected.json'), 'utf8'));
  return lines.map((line, i) => ({ ...expected[i], raw: JSON.parse(line) }));
}
