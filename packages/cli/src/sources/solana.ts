import { type Swapfold, SwapfoldError } from '@swapfold/core';
import type { Command } from 'commander';
import { wholeNumber } from '../number-options.ts';
import { note } from '../output.ts';
import { type ChainSource, chainInWorker } from './chain-in-worker.ts';

/** What the command line says of Solana to read. */
export interface SolanaOptions {
  readonly fromSlot?: number | undefined;
  readonly finalized?: true | undefined;
  readonly metadata?: true | undefined;
  readonly transfers?: true | undefined;
  readonly pollMs?: number | undefined;
}

/** What only an import says. */
interface Ways {
  readonly toSlot?: number | 'latest' | undefined;
  readonly wallets?: readonly string[] | undefined;
  readonly mints?: readonly string[] | undefined;
  readonly since?: number | undefined;
  readonly onNotice?: ((message: string) => void) | undefined;
}

export const slot = wholeNumber(0, 2 ** 40);

/** Adds the options of a source of Solana. */
export function addSolanaOptions(command: Command): Command {
  return command
    .option('--from-slot <number>', 'of Solana, the first slot, if the store has nothing of the source yet', slot)
    .option('--finalized', 'of Solana, read what is final, 13 seconds later, and not what is confirmed')
    .option('--metadata', 'of Solana, read names and symbols of traded tokens from the node')
    .option('--transfers', 'store what else moved of tokens and wallets that the store knows');
}

/** Whether a SOURCE of the command line is a node of Solana. */
export const isSolanaUrl = (text: string): boolean => text.startsWith('solana:');

/** The address of a node: `solana:http://...`, or without `solana:`. Errors: `invalid-input` for another text. */
export function parseSolanaUrl(text: string): string {
  const url = text.replace(/^solana:/, '');
  if (!/^https?:\/\/[^/]/.test(url))
    throw new SwapfoldError('invalid-input', `${text} is no address of a node: give http:// or https://.`);
  return url;
}

/** Errors: `invalid-input` for a store of another chain. */
export function requireSolana({ config }: Pick<Swapfold, 'config'>): void {
  if (config.address_format === 'solana') return;
  throw new SwapfoldError(
    'invalid-input',
    `The store is of chain "${config.chain}", whose addresses are not those of Solana: give another --db, which is of Solana by default.`,
  );
}

/** A source of swaps from a node of Solana, for a store of it. Errors: `invalid-input` for wrong options. */
export async function solanaSourceOf(
  url: string,
  dex: Pick<Swapfold, 'config'>,
  {
    fromSlot,
    toSlot,
    finalized,
    metadata,
    transfers,
    pollMs,
    wallets,
    mints,
    since,
    onNotice = note,
  }: SolanaOptions & Ways,
): Promise<ChainSource> {
  requireSolana(dex);
  const options = {
    url,
    from_slot: fromSlot,
    to_slot: toSlot,
    commitment: finalized ? 'finalized' : 'confirmed',
    metadata,
    transfers,
    poll_ms: pollMs,
    wallets,
    mints,
    since,
  } as const;
  return chainInWorker({ chain: 'solana', options }, onNotice);
}
