import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { checkSources } from '../following/follow-all.ts';
import { importChain } from '../importing/import-chain.ts';
import { wholeNumber } from '../number-options.ts';
import { type StoreOptions, withStore } from '../open-store.ts';
import { addStoreOptions, examplesHelp } from '../options/store-options.ts';
import { addEvmOptions, type EvmOptions, evmSourceOf, parseNodeUrl } from '../sources/evm.ts';

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
    .option('--transfers', 'store the transfers of tokens and wallets that the store knows, too')
    .option('--no-refresh', 'leave the profiles as they are (swapfold refresh brings them up to date)')
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold import evm http://127.0.0.1:8545 --factory uniswap-v3 --config eth.json --db dex.db',
        'swapfold import evm evm:https://node.example --pool 0x88... --to-block 19001000 --db dex.db',
      ]),
    )
    .action(async (url: string, options: Options) => {
      await checkSources([`evm:${url}`], options);
      end(
        await withStore(options, async (dex) =>
          importChain(dex, await evmSourceOf(url, dex, { ...options, to_block: 'latest' }), options),
        ),
      );
    });
}
