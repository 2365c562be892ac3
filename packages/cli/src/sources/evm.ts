import { type Source, type Swapfold, SwapfoldError } from '@swapfold/core';
import type { EvmSourceOptions } from '@swapfold/evm';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../number-options.ts';
import { note } from '../output.ts';
import { type ChainSource, chainInWorker } from './chain-in-worker.ts';

/** What the command line says of a chain to read. */
export interface EvmOptions {
  readonly factory?: readonly string[] | undefined;
  readonly manager?: readonly string[] | undefined;
  readonly pool?: readonly string[] | undefined;
  readonly fromBlock?: number | undefined;
  readonly toBlock?: number | undefined;
  readonly confirmations?: number | undefined;
  readonly wallet?: 'trader' | 'sender' | 'recipient' | undefined;
  readonly transfers?: true | undefined;
  readonly pollMs?: number | undefined;
}

/** Where the source ends, and what receives notices of it: by default standard error. */
type Ways = Pick<EvmSourceOptions, 'to_block' | 'onNotice'>;

const collect = (value: string, before: readonly string[] = []): string[] => [...before, value];
const block = wholeNumber(0, 2 ** 40);

/** Adds the options of a source of EVM. */
export function addEvmOptions(command: Command): Command {
  return command
    .option(
      '--factory <factory>',
      'follow all pools of a factory: its address, or a name such as uniswap-v3; repeat it for more',
      collect,
    )
    .option(
      '--manager <manager>',
      'follow all pools of a manager of Uniswap V4 or of a fork: its address, or a name; repeat it for more',
      collect,
    )
    .option('--pool <address>', 'follow this pool alone; repeat it for more', collect)
    .option('--from-block <number>', 'the first block, if the store has nothing of the source yet', block)
    .option('--confirmations <blocks>', 'blocks that must follow one until it is read (default: 0)', block)
    .option(
      '--poll-ms <ms>',
      'milliseconds between looks at the newest block (default: 1000; of Solana 400)',
      wholeNumber(1, 3_600_000),
    )
    .addOption(
      new Option('--wallet <who>', 'who counts as the wallet of a swap (default: trader)').choices([
        'trader',
        'sender',
        'recipient',
      ]),
    );
}

/** Whether a SOURCE of the command line is a node. */
export const isNodeUrl = (text: string): boolean => text.startsWith('evm:');

/** The address of a node: `evm:http://...`, or without `evm:`. Errors: `invalid-input` for another text. */
export function parseNodeUrl(text: string): string {
  const url = text.replace(/^evm:/, '');
  if (!/^(https?|wss?):\/\/[^/]/.test(url))
    throw new SwapfoldError(
      'invalid-input',
      `${text} is no address of a node: give http://, https://, ws:// or wss://.`,
    );
  return url;
}

/** Errors: `invalid-input` for a store of another kind of chain. */
export function requireEvm({ chain, address_format }: Swapfold['config']): void {
  if (address_format === 'evm') return;
  throw new SwapfoldError(
    'invalid-input',
    `The store is of chain "${chain}", whose addresses are not those of an EVM chain: give a --config with a preset such as "ethereum" to a new store.`,
  );
}

/**
 * A source of swaps from a node, for a store: the chain must be the one that the store's configuration names, if its id is known.
 *
 * - Errors: `invalid-input` for wrong options.
 */
export async function evmSourceOf(
  url: string,
  { config }: Pick<Swapfold, 'config'>,
  {
    factory,
    manager,
    pool,
    fromBlock,
    toBlock,
    confirmations,
    wallet,
    transfers,
    pollMs,
    to_block,
    onNotice = note,
  }: EvmOptions & Ways,
): Promise<ChainSource> {
  requireEvm(config);
  const { chains } = await import('@swapfold/evm');
  const options = {
    url,
    ...(factory !== undefined && { factories: factory }),
    ...(manager !== undefined && { managers: manager }),
    ...(pool !== undefined && { pools: pool }),
    native_token: config.quote_tokens.find(({ kind }) => kind === 'native')?.address,
    from_block: fromBlock,
    to_block: toBlock ?? to_block,
    confirmations,
    wallet,
    transfers,
    poll_ms: pollMs,
    chain_id: chains.find(({ name }) => name === config.chain)?.id,
  };
  return chainInWorker({ chain: 'evm', options }, onNotice);
}

/** What touches an exchange of a chain and became no swap, and whose wallet is assumed, or nothing if there is none. */
export function undecodedLine(source: Source): string | undefined {
  const { undecoded = {} } = source as Partial<ChainSource>;
  const { assumed_wallets: assumed = 0, ...reasons } = undecoded;
  const said = Object.entries(reasons).filter(([, count]) => count > 0);
  const page = 'other_pools' in undecoded ? 'chain' : 'solana';
  const lines = [
    ...(said.length === 0
      ? []
      : [`Not taken: ${said.map(([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`).join(', ')}`]),
    ...(assumed === 0 ? [] : [`Of the sender, because nothing says whose they are: ${assumed} swaps`]),
  ];
  return lines.length === 0 ? undefined : `${lines.join('. ')} (docs/guides/${page}.md).`;
}
