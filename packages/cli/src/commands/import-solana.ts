import { resolve } from 'node:path';
import type { Swapfold } from '@swapfold/core';
import { recordedSource } from '@swapfold/solana';
import { type Command, InvalidArgumentError } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { importChain } from '../importing/import-chain.ts';
import { type StoreOptions, withStore } from '../open-store.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { readAnswers } from '../sources/read-answers.ts';
import {
  addSolanaOptions,
  parseSolanaUrl,
  requireSolana,
  type SolanaOptions,
  slot,
  solanaSourceOf,
} from '../sources/solana.ts';

interface Options extends StoreOptions, SolanaOptions {
  readonly toSlot?: number | undefined;
  readonly wallet?: readonly string[] | undefined;
  readonly mint?: readonly string[] | undefined;
  readonly since?: number | undefined;
  readonly refresh: boolean;
}

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];

/** `swapfold import solana URL|FILE...` */
export function addImportSolana(group: Command, end: (code: ExitCode) => void): void {
  const command = group
    .command('solana')
    .summary('store the swaps of Solana, from a node or from recorded answers of one')
    .description(
      'Stores the swaps of Solana: slot by slot from a JSON-RPC node, up to a slot, the transactions of wallets or tokens alone, or recorded answers of a node, one result of getBlock or getTransaction a line (also .gz). Refreshes the profiles. Run again, it goes on behind what is stored.',
    )
    .argument('<source...>', 'the address of a node: solana:http://127.0.0.1:8899 or https://; or files');
  addSolanaOptions(addStoreOptions(command))
    .option('--to-slot <number>', 'the last slot (default: the newest one)', slot)
    .option('--wallet <address>', 'the swaps of this wallet alone, the newest first; repeat it for more', collect)
    .option('--mint <address>', 'the transactions that name this token alone; repeat it for more', collect)
    .option('--since <time>', 'with --wallet and --mint: nothing before this date or Unix second', parseTime)
    .option('--no-refresh', 'leave the profiles as they are (swapfold refresh brings them up to date)')
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold import solana http://127.0.0.1:8899 --from-slot 380000000 --db sol.db',
        'swapfold import solana https://node.example --wallet 7T8c... --db mine.db',
        'swapfold import solana blocks-*.ndjson.gz --db dex.db',
      ]),
    )
    .action(async (sources: string[], options: Options) => {
      end(await withStore(options, (dex) => importSolana(dex, sources, options)));
    });
}

async function importSolana(dex: Swapfold, sources: readonly string[], options: Options): Promise<ExitCode> {
  const { wallet: wallets, mint: mints, toSlot = 'latest', transfers, refresh } = options;
  if (sources.length === 1 && /^(solana:|\w+:\/\/)/.test(sources[0]!)) {
    const url = parseSolanaUrl(sources[0]!);
    return importChain(dex, await solanaSourceOf(url, dex, { ...options, wallets, mints, toSlot }), { refresh });
  }
  requireSolana(dex);
  for (const [i, file] of sources.entries()) {
    const source = recordedSource({ name: `solana ${resolve(file)}`, records: () => readAnswers(file), transfers });
    const code = await importChain(dex, source, { refresh: refresh && i === sources.length - 1 });
    if (code !== exitCodes.ok) return code;
  }
  return exitCodes.ok;
}

function parseTime(text: string): number {
  const seconds = /^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000;
  if (Number.isFinite(seconds) && seconds >= 0) return Math.floor(seconds);
  throw new InvalidArgumentError('Give a date such as 2025-01-01 or a Unix second.');
}
