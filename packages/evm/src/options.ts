import { checkOptions, type OptionNames, SwapfoldError } from '@swapfold/core';
import type { Transport } from 'viem';
import { chains } from './chains.ts';
import type { NamedFactory } from './pools.ts';
import type { WalletOf } from './swap-reader.ts';
import type { Token } from './tokens.ts';

/** A factory whose pools are followed. */
export interface FactoryInput {
  readonly address: string;
  /** What swaps of its pools have as `protocol`. Default: the name that Swapfold knows the factory by, else `v2-fork` or `v3-fork`. */
  readonly protocol?: string | undefined;
}

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
  /** Who counts as the wallet: the `sender` of the transaction (default), or the `recipient` that the event names. */
  readonly wallet?: WalletOf | undefined;
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
  from_block: true,
  to_block: true,
  confirmations: true,
  chain_id: true,
  batch: true,
  max_range: true,
  poll_ms: true,
  wallet: true,
  tokens: true,
  name: true,
  onNotice: true,
};

/** Options as they are used. */
export interface Settings {
  readonly pools: readonly string[] | undefined;
  readonly factories: readonly (FactoryInput | { readonly name: string })[];
  readonly fromBlock: number | 'latest';
  readonly toBlock: number | 'latest' | undefined;
  readonly confirmations: number;
  readonly chainId: number | undefined;
  readonly batch: number;
  readonly maxRange: number;
  readonly pollMs: number;
  readonly wallet: WalletOf;
  readonly tokens: readonly Token[];
  readonly onNotice: (message: string) => void;
}

/** Errors: `invalid-input`, naming the option, the value and what would do. */
export function settingsOf(options: EvmSourceOptions): Settings {
  checkOptions('evmSource', options, names, 'invalid-input');
  const { url, transport, pools, factories, wallet = 'sender' } = options;
  if ((url === undefined) === (transport === undefined)) throw wrong('url', 'give either "url" or "transport"');
  if (url !== undefined && !(/^(https?|wss?):\/\/[^/]/.test(url) && URL.canParse(url)))
    throw wrong('url', 'expected an address that begins with http://, https://, ws:// or wss://');
  if (transport !== undefined && typeof transport !== 'function')
    throw wrong('transport', 'expected a transport of viem, such as http(url)');
  if ((pools === undefined) === (factories === undefined))
    throw wrong(
      'pools',
      'give either "pools" or "factories": addresses of pools, or of factories whose pools are all followed',
    );
  for (const [name, list] of Object.entries({ pools, factories }))
    if (list !== undefined && !(Array.isArray(list) && list.length > 0))
      throw wrong(name, 'expected a list that is not empty');
  if (wallet !== 'sender' && wallet !== 'recipient')
    throw wrong('wallet', `expected "sender" or "recipient", received ${JSON.stringify(wallet)}`);
  return {
    pools: pools && [...new Set(pools.map((pool, i) => addressOf(`pools.${i}`, pool)))],
    factories: (factories ?? []).map(factoryOf),
    fromBlock: options.from_block === 'latest' ? 'latest' : (whole(options, 'from_block', 0) ?? 'latest'),
    toBlock: options.to_block === 'latest' ? 'latest' : whole(options, 'to_block', 0),
    confirmations: whole(options, 'confirmations', 0) ?? 0,
    chainId: whole(options, 'chain_id', 1),
    batch: whole(options, 'batch', 1) ?? (transport === undefined ? 50 : 10),
    maxRange: whole(options, 'max_range', 1) ?? 10_000,
    pollMs: whole(options, 'poll_ms', 1) ?? 1000,
    wallet,
    tokens: (options.tokens ?? []).map(tokenOf),
    onNotice: options.onNotice ?? ((message) => process.emitWarning(message, { type: 'EvmSource' })),
  };
}

function factoryOf(factory: string | FactoryInput, i: number): FactoryInput | { readonly name: string } {
  if (typeof factory === 'string' && !factory.startsWith('0x')) {
    if (!chains.some((chain) => chain.factories.some(({ protocol }) => protocol === factory)))
      throw wrong(
        `factories.${i}`,
        `expected an address of 0x and 40 hexadecimal digits, or one of ${knownNames().join(', ')}; received ${JSON.stringify(factory)}`,
      );
    return { name: factory };
  }
  const { address, protocol } =
    typeof factory === 'string' ? { address: factory, protocol: undefined } : Object(factory);
  if (protocol !== undefined && !(typeof protocol === 'string' && /^.{1,256}$/.test(protocol)))
    throw wrong(`factories.${i}.protocol`, 'expected a text of 1 to 256 characters');
  return { address: addressOf(`factories.${i}`, address), protocol };
}

const knownNames = (): string[] => [
  ...new Set(chains.flatMap((chain) => chain.factories.map(({ protocol }) => protocol))),
];

/** The factories that names and addresses mean on a chain. Errors: `invalid-input` for a name that the chain does not have. */
export function factoriesOn(chainId: number, given: Settings['factories']): NamedFactory[] {
  const known = chains.find((chain) => chain.id === chainId)?.factories ?? [];
  return given.map((factory, i) => {
    if ('address' in factory) {
      const protocol = factory.protocol ?? known.find(({ address }) => address === factory.address)?.protocol;
      return { address: factory.address, protocol };
    }
    const found = known.find(({ protocol }) => protocol === factory.name);
    if (found !== undefined) return found;
    const names = known.map(({ protocol }) => protocol).join(', ') || 'none';
    throw wrong(`factories.${i}`, `chain ${chainId} has no known factory "${factory.name}"; known are: ${names}`);
  });
}

function tokenOf({ address, decimals, symbol, name }: KnownToken, i: number): Token {
  if (!(Number.isInteger(decimals) && decimals >= 0 && decimals <= 255))
    throw wrong(`tokens.${i}.decimals`, `expected a whole number from 0 to 255, received ${JSON.stringify(decimals)}`);
  return { address: addressOf(`tokens.${i}.address`, address), decimals, symbol: symbol ?? null, name: name ?? null };
}

function addressOf(path: string, value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)) return value.toLowerCase();
  throw wrong(path, `expected an address of 0x and 40 hexadecimal digits, received ${JSON.stringify(value)}`);
}

type WholeOption = 'from_block' | 'to_block' | 'confirmations' | 'chain_id' | 'batch' | 'max_range' | 'poll_ms';

function whole(options: EvmSourceOptions, name: WholeOption, least: number): number | undefined {
  const value = options[name];
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= least))
    return value as number | undefined;
  throw wrong(name, `expected a whole number from ${least}, received ${JSON.stringify(value)}`);
}

function wrong(path: string, message: string): SwapfoldError {
  return new SwapfoldError('invalid-input', `"${path}" of evmSource: ${message}.`, { details: [{ path, message }] });
}
