import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SolanaTransaction } from '@swapfold/solana';

/** A recorded transaction, and what it exchanged, worked out by hand from the balances. */
export interface Recorded {
  readonly raw: SolanaTransaction;
  /** The beginning of its signature, and what was changed of it. */
  readonly name: string;
  /** How the wallet comes to its swap. */
  readonly kind: string;
  /** `null` of one that only its hops are looked at. */
  readonly swaps: readonly RecordedSwap[] | null;
}

/** What a wallet gave and got in all hops of a transaction together, in whole tokens. */
export interface RecordedSwap {
  readonly wallet: string;
  readonly token_in: string;
  /** Or from and to: the lower end counts what lies within the instruction. */
  readonly amount_in: number | readonly [number, number];
  readonly token_out: string;
  readonly amount_out: number;
  readonly hops?: readonly (string | null)[];
}

/** Answers of nodes of the chain, without what nothing reads. */
const file = join(dirname(fileURLToPath(import.meta.url)), '../fixtures/solana-transactions.ndjson');

export const recordedTransactions = (): readonly Recorded[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded);

/** A swap of a hop, as far as it is held to what is right. */
interface HopRow {
  readonly wallet: string;
  readonly token_in: string;
  readonly token_out: string;
  readonly token_amount_in: number;
  readonly token_amount_out: number;
  readonly swap_index: number;
  readonly protocol?: string | null | undefined;
}

/** Whether two numbers are the same to one part in a thousand million. */
const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** What is wrong with the rows that a recorded transaction gave, a sentence each. */
export function faultsOf(rows: readonly HopRow[], { swaps }: Pick<Recorded, 'swaps'>): string[] {
  if (swaps === null) return [];
  const wanted = new Set(swaps.map(({ wallet }) => wallet));
  const strangers = [...new Set(rows.map(({ wallet }) => wallet))].filter((wallet) => !wanted.has(wallet));
  return [...strangers.map((wallet) => `a swap of ${wallet}`), ...swaps.flatMap((swap) => swapFaults(rows, swap))];
}

function swapFaults(rows: readonly HopRow[], { wallet, hops, ...swap }: RecordedSwap): string[] {
  const own = rows.filter((row) => row.wallet === wallet).sort((a, b) => a.swap_index - b.swap_index);
  // What a route only passes through comes to nothing.
  const sum = (token: string, side: 'in' | 'out'): number =>
    own.filter((row) => row[`token_${side}`] === token).reduce((all, row) => all + row[`token_amount_${side}`], 0);
  const least = typeof swap.amount_in === 'number' ? swap.amount_in : swap.amount_in[0];
  const [gave, got] = [sum(swap.token_in, 'in'), sum(swap.token_out, 'out')];
  const protocols = own.map(({ protocol }) => protocol);
  const isOfHops = hops?.length === own.length && hops.every((hop, i) => hop === null || hop === protocols[i]);
  return [
    ...(isClose(gave, least) ? [] : [`${wallet} gave ${gave}, not ${least}`]),
    ...(isClose(got, swap.amount_out) ? [] : [`${wallet} got ${got}, not ${swap.amount_out}`]),
    ...(hops === undefined || isOfHops ? [] : [`hops in ${protocols.join(', ')}, not in ${hops.join(', ')}`]),
  ];
}
