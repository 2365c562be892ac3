import { checkOptions, type OptionNames } from '@swapfold/core/host';
import type { Transport } from 'viem';
import { chains } from './chains.ts';
import type { FactoryInput, GivenFactory } from './factories.ts';
import type { WalletOf } from './swap-reader.ts';
import type { Token } from './tokens.ts';
import { wrongOption } from './wrong-option.ts';

/** A token that need not be read from its contract. */
export interface KnownToken {
  readonly address: string;
  readonly decimals: number;
  readonly symbol?: string | undefined;
  readonly name?: string | undefined;
}

/** Options of `evmSource`. */
export interface EvmSourceOptions {
  /** Address of a JSON-RPC node: http, https, ws or wss. Give it or `transport`. */
  readonly url?: string | undefined;
  /** A transport of viem, such as `fallback([http(a), http(b)])`, with settings of your own. */
  readonly transport?: Transport | undefined;
  /** Addresses of pools to follow. Give them or `factories`. */
  readonly pools?: readonly string[] | undefined;
  /** Factories, whose pools are all followed: addresses, or names that Swapfold knows on the chain, such as `uniswap-v3`. */
  readonly factories?: readonly (string | FactoryInput)[] | undefined;
  /** Managers of pools, such as the PoolManager of Uniswap V4 and of its forks: addresses, or names. Give them beside `factories`, or alone. */
  readonly managers?: readonly (string | FactoryInput)[] | undefined;
  /** The token that the native one counts as, such as WETH. Default: that of the chain's preset, else the address of zeros. */
  readonly native_token?: string | undefined;
  /** The first block to read, when the store has nothing of the source yet. Default: the one behind the newest. */
  readonly from_block?: number | 'latest' | undefined;
  /** The last block to read, after which the source ends; `latest` is the newest one at the beginning. Default: none. */
  readonly to_block?: number | 'latest' | undefined;
  /** Blocks that must follow one until it is read. Default 0: reorganisations are rolled back. */
  readonly confirmations?: number | undefined;
  /** The id that the chain must have. Default: any, and then that of the first read. */
  readonly chain_id?: number | undefined;
  /** Calls that go to the node in one message. Default 50, of a transport 10; 1 sends each alone. It shrinks where a node takes fewer. */
  readonly batch?: number | undefined;
  /** Blocks that one `eth_getLogs` asks for at most. Default 10,000. It shrinks where a node takes fewer. */
  readonly max_range?: number | undefined;
  /** Milliseconds between looks at the newest block. Default 1,000. */
  readonly poll_ms?: number | undefined;
  /**
   * Who counts as the wallet: the `trader` (default), whose tokens were exchanged, also through a smart account or a solver; the `sender` of
   * the transaction; or the `recipient` that the event names.
   */
  readonly wallet?: WalletOf | undefined;
  /**
   * Whether transfers are read, too: `Transfer` logs of the tokens of the pools that are followed, of which the store takes those of tokens and
   * wallets that have a swap in it. Default: no.
   */
  readonly transfers?: boolean | undefined;
  /** Tokens whose contracts are not asked, above all those that do not tell their decimals. */
  readonly tokens?: readonly KnownToken[] | undefined;
  /** What the store remembers the source by. Default: `evm`, and a sum of what is followed, so that other pools are another source. */
  readonly name?: string | undefined;
  /** Told of what an operator should know, once each: a node that does not answer, a reorganisation. Default: a warning of the process. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

const names: OptionNames<EvmSourceOptions> = {
  url: true,
  transport: true,
  pools: true,
  factories: true,
  managers: true,
  native_token: true,
  from_block: true,
  to_block: true,
  confirmations: true,
  chain_id: true,
  batch: true,
  max_range: true,
  poll_ms: true,
  wallet: true,
  transfers: true,
  tokens: true,
  name: true,
  onNotice: true,
};

/** Options as they are used. */
export interface Settings {
  readonly pools: readonly string[] | undefined;
  readonly factories: readonly GivenFactory[];
  readonly managers: readonly GivenFactory[];
  readonly nativeToken: string | undefined;
  readonly fromBlock: number | 'latest';
  readonly toBlock: number | 'latest' | undefined;
  readonly confirmations: number;
  readonly chainId: number | undefined;
  readonly batch: number;
  readonly maxRange: number;
  readonly pollMs: number;
  readonly wallet: WalletOf;
  readonly transfers: boolean;
  readonly tokens: readonly Token[];
  readonly onNotice: (message: string) => void;
}

const wallets: readonly WalletOf[] = ['trader', 'sender', 'recipient'];

/** Errors: `invalid-input`, naming the option, the value and what would do. */
export function settingsOf(options: EvmSourceOptions): Settings {
  checkOptions('evmSource', options, names, 'invalid-input');
  const { url, transport, pools, factories, managers, wallet = 'trader' } = options;
  if ((url === undefined) === (transport === undefined)) throw wrongOption('url', 'give either "url" or "transport"');
  if (url !== undefined && !(/^(https?|wss?):\/\/[^/]/.test(url) && URL.canParse(url)))
    throw wrongOption('url', 'expected an address that begins with http://, https://, ws:// or wss://');
  if (transport !== undefined && typeof transport !== 'function')
    throw wrongOption('transport', 'expected a transport of viem, such as http(url)');
  if ((pools === undefined) === (factories === undefined && managers === undefined))
    throw wrongOption(
      'pools',
      'give either "pools" or "factories" and "managers": addresses of pools, or of contracts whose pools are all followed',
    );
  for (const [name, list] of Object.entries({ pools, factories, managers }))
    if (list !== undefined && !(Array.isArray(list) && list.length > 0))
      throw wrongOption(name, 'expected a list that is not empty');
  if (!wallets.includes(wallet))
    throw wrongOption('wallet', `expected "trader", "sender" or "recipient", received ${JSON.stringify(wallet)}`);
  return {
    pools: pools && [...new Set(pools.map((pool, i) => addressOf(`pools.${i}`, pool)))],
    factories: (factories ?? []).map((factory, i) => factoryOf(factory, `factories.${i}`)),
    managers: (managers ?? []).map((manager, i) => factoryOf(manager, `managers.${i}`)),
    nativeToken: options.native_token === undefined ? undefined : addressOf('native_token', options.native_token),
    fromBlock: options.from_block === 'latest' ? 'latest' : (whole(options, 'from_block', 0) ?? 'latest'),
    toBlock: options.to_block === 'latest' ? 'latest' : whole(options, 'to_block', 0),
    confirmations: whole(options, 'confirmations', 0) ?? 0,
    chainId: whole(options, 'chain_id', 1),
    batch: whole(options, 'batch', 1) ?? (transport === undefined ? 50 : 10),
    maxRange: whole(options, 'max_range', 1) ?? 10_000,
    pollMs: whole(options, 'poll_ms', 1) ?? 1000,
    wallet,
    transfers: options.transfers ?? false,
    tokens: (options.tokens ?? []).map(tokenOf),
    onNotice: options.onNotice ?? ((message) => process.emitWarning(message, { type: 'EvmSource' })),
  };
}

function factoryOf(factory: string | FactoryInput, path: string): GivenFactory {
  if (typeof factory === 'string' && !factory.startsWith('0x')) {
    if (!chains.some((chain) => chain.factories.some(({ protocol }) => protocol === factory)))
      throw wrongOption(
        path,
        `expected an address of 0x and 40 hexadecimal digits, or one of ${knownNames().join(', ')}; received ${JSON.stringify(factory)}`,
      );
    return { name: factory };
  }
  const { address, protocol } =
    typeof factory === 'string' ? { address: factory, protocol: undefined } : Object(factory);
  if (protocol !== undefined && !(typeof protocol === 'string' && /^.{1,256}$/.test(protocol)))
    throw wrongOption(`${path}.protocol`, 'expected a text of 1 to 256 characters');
  return { address: addressOf(path, address), protocol };
}

const knownNames = (): string[] => [
  ...new Set(chains.flatMap((chain) => chain.factories.map(({ protocol }) => protocol))),
];

function tokenOf({ address, decimals, symbol, name }: KnownToken, i: number): Token {
  if (!(Number.isInteger(decimals) && decimals >= 0 && decimals <= 255))
    throw wrongOption(
      `tokens.${i}.decimals`,
      `expected a whole number from 0 to 255, received ${JSON.stringify(decimals)}`,
    );
  return { address: addressOf(`tokens.${i}.address`, address), decimals, symbol: symbol ?? null, name: name ?? null };
}

function addressOf(path: string, value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)) return value.toLowerCase();
  throw wrongOption(path, `expected an address of 0x and 40 hexadecimal digits, received ${JSON.stringify(value)}`);
}

type WholeOption = 'from_block' | 'to_block' | 'confirmations' | 'chain_id' | 'batch' | 'max_range' | 'poll_ms';

function whole(options: EvmSourceOptions, name: WholeOption, least: number): number | undefined {
  const value = options[name];
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= least))
    return value as number | undefined;
  throw wrongOption(name, `expected a whole number from ${least}, received ${JSON.stringify(value)}`);
}
