import { type FollowResult, SwapfoldError } from '@swapfold/core';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { watchInterruption } from '../interruption.ts';
import { type StoreOptions, withStore } from '../open-store.ts';
import { wholeNumber } from '../options/numbers.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { note, print } from '../output.ts';
import { createProgress } from '../progress/progress.ts';
import { refreshAloud } from '../refreshing.ts';
import { addEvmOptions, type EvmOptions, evmSourceOf, parseNodeUrl, undecodedLine } from '../sources/evm.ts';
import { formatCount, formatElapsed } from '../text/numbers.ts';

interface Options extends StoreOptions, EvmOptions {
  readonly refresh: boolean;
}

/** `swapfold import evm URL` */
export function addImportEvm(group: Command, end: (code: ExitCode) => void): void {
  const command = group
    .command('evm')
    .summary('store the swaps of pools of an EVM chain, from a node')
    .description(
      'Stores the swaps of Uniswap V2, V3 and V4 and of other exchanges (docs/guides/chain.md) block by block from a JSON-RPC node, up to a block, and refreshes the profiles. Run again, it goes on behind the last block that is stored, over reorganisations.',
    )
    .argument('<url>', 'the address of the node: evm:http://127.0.0.1:8545, https:// or wss://', parseNodeUrl);
  addEvmOptions(addStoreOptions(command))
    .option('--to-block <number>', 'the last block (default: the newest one)', wholeNumber(0, 2 ** 40))
    .option('--no-refresh', 'leave the profiles as they are (swapfold refresh brings them up to date)')
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold import evm http://127.0.0.1:8545 --factory uniswap-v3 --db dex.db',
        'swapfold import evm evm:https://node.example --pool 0x88... --to-block 19001000 --db dex.db',
      ]),
    )
    .action(async (url: string, options: Options) => {
      end(await withStore(options, (dex) => importChain(dex, url, options)));
    });
}

async function importChain(
  dex: Parameters<Parameters<typeof withStore>[1]>[0],
  url: string,
  options: Options,
): Promise<ExitCode> {
  const source = await evmSourceOf(url, dex, { ...options, to_block: 'latest' });
  const stopping = new AbortController();
  const interruption = watchInterruption(() => {
    note('\nStopping ...');
    stopping.abort();
  });
  const progress = createProgress();
  progress.begin('blocks', 'swaps');
  const begun = performance.now();
  let result: FollowResult | undefined;
  try {
    result = await dex.follow(source, {
      signal: stopping.signal,
      onItem: (sofar) => {
        result = sofar;
        progress.advance(0, sofar.added + sofar.duplicate);
      },
    });
  } catch (error) {
    if (!(error instanceof SwapfoldError && error.code === 'aborted')) throw error;
  } finally {
    interruption.dispose();
    progress.end();
  }
  const { added, duplicate, conflicting, rejected, rolled_back } = result ?? none;
  const rest = Object.entries({ known: duplicate, conflicting, rejected, 'rolled back': rolled_back })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `, ${formatCount(count)} ${what}`)
    .join('');
  print(`Stored ${formatCount(added)} swaps${rest} in ${formatElapsed((performance.now() - begun) / 1000)}.`);
  const undecoded = undecodedLine(source);
  if (undecoded !== undefined) print(undecoded);
  if (stopping.signal.aborted) {
    note('Interrupted. The counts above are of what is stored; run the same command again to go on.');
    return exitCodes.interrupted;
  }
  if (options.refresh) await refreshAloud(dex, { progress });
  return exitCodes.ok;
}

const none = { added: 0, duplicate: 0, conflicting: 0, rejected: 0, rolled_back: 0 };
