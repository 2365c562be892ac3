import type { AddressFormat } from './addresses/address.ts';

/** A token that others are quoted in. */
interface PresetToken {
  readonly address: string;
  readonly symbol: string;
  readonly kind: 'stable' | 'native';
  readonly aliases?: readonly string[];
}

/** What a preset says of a chain. docs/reference/configuration.md names the source of each address. */
interface Preset {
  readonly chain: string;
  readonly address_format: AddressFormat;
  readonly quote_tokens: readonly PresetToken[];
}

const stable = <A extends string, S extends string>(symbol: S, address: A) =>
  ({ address, symbol, kind: 'stable' }) as const;

/** What feeds write for the native token of a chain, where it has no contract, by the format of addresses. */
const nativeNames = {
  solana: ['11111111111111111111111111111111'],
  evm: ['0x0000000000000000000000000000000000000000', '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'],
  tron: ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
} as const satisfies Readonly<Partial<Record<AddressFormat, readonly string[]>>>;

const native = <A extends string, S extends string, const N extends readonly string[]>(
  symbol: S,
  address: A,
  aliases: N,
) => ({ address, symbol, kind: 'native', aliases }) as const;

/** Ready-made configurations; a field given beside `preset` replaces the preset's. */
export const presets = {
  solana: {
    chain: 'solana',
    address_format: 'solana',
    quote_tokens: [
      stable('USDC', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
      stable('USDT', 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'),
      native('SOL', 'So11111111111111111111111111111111111111112', nativeNames.solana),
    ],
  },
  ethereum: {
    chain: 'ethereum',
    address_format: 'evm',
    quote_tokens: [
      stable('USDC', '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'),
      stable('USDT', '0xdac17f958d2ee523a2206206994597c13d831ec7'),
      native('WETH', '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', nativeNames.evm),
    ],
  },
  base: {
    chain: 'base',
    address_format: 'evm',
    quote_tokens: [
      stable('USDC', '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'),
      stable('USDbC', '0xd9aaec86b65d86f6a7b5b1b0c42ffa531710b6ca'),
      native('WETH', '0x4200000000000000000000000000000000000006', nativeNames.evm),
    ],
  },
  arbitrum: {
    chain: 'arbitrum',
    address_format: 'evm',
    quote_tokens: [
      stable('USDC', '0xaf88d065e77c8cc2239327c5edb3a432268e5831'),
      stable('USDC.e', '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8'),
      stable('USDT0', '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9'),
      native('WETH', '0x82af49447d8a07e3bd95bd0d56f35241523fbab1', nativeNames.evm),
    ],
  },
  bnb: {
    chain: 'bnb',
    address_format: 'evm',
    quote_tokens: [
      stable('USDT', '0x55d398326f99059ff775485246999027b3197955'),
      stable('USDC', '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d'),
      native('WBNB', '0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c', nativeNames.evm),
    ],
  },
  polygon: {
    chain: 'polygon',
    address_format: 'evm',
    quote_tokens: [
      stable('USDC', '0x3c499c542cef5e3811e1192ce70d8cc03d5c3359'),
      stable('USDC.e', '0x2791bca1f2de4661ed88a30c99a7a9449aa84174'),
      stable('USDT', '0xc2132d05d31c914a87c6611c10748aeb04b58e8f'),
      native('WPOL', '0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270', [
        ...nativeNames.evm,
        '0x0000000000000000000000000000000000001010',
      ]),
    ],
  },
  avalanche: {
    chain: 'avalanche',
    address_format: 'evm',
    quote_tokens: [
      stable('USDC', '0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e'),
      stable('USDT', '0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7'),
      native('WAVAX', '0xb31f66aa3c1e785363f0875a1b74e27b85fd66c7', nativeNames.evm),
    ],
  },
  tron: {
    chain: 'tron',
    address_format: 'tron',
    quote_tokens: [
      stable('USDT', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
      stable('USDC', 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8'),
      native('WTRX', 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR', nativeNames.tron),
    ],
  },
  sui: {
    chain: 'sui',
    address_format: 'sui',
    quote_tokens: [
      stable('USDC', '0xdba34672e30cb065b1f93e3ab55318768fd6fef66c15942c9f7cb846e2f900e7::usdc::USDC'),
      stable('USDT', '0x375f70cf2ae4c00bf37117d0c85a2c71545e6ee05c4a5c7d282cd66a4504b068::usdt::USDT'),
      stable('wUSDC', '0x5d4b302506645c37ff133b98c4b50a5ae14841659738d6d733d59d0d217a93bf::coin::COIN'),
      stable('wUSDT', '0xc060006111016b8a020ad5b33834984a437aaa7d3c74c18e09a95d48aceab08c::coin::COIN'),
      { address: '0x2::sui::SUI', symbol: 'SUI', kind: 'native' },
    ],
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

export const presetNames = Object.keys(presets) as PresetName[];

/** How long blocks of a chain take, or once took, as a rule. */
export const blockSeconds: ReadonlyMap<string, number> = new Map(
  Object.entries({
    solana: 0.4,
    ethereum: 12,
    base: 2,
    arbitrum: 0.25,
    bnb: 3,
    polygon: 2,
    avalanche: 2,
    tron: 3,
    sui: 0.25,
  } satisfies Record<PresetName, number>),
);

const presetTokens: readonly PresetToken[] = presetNames.flatMap(
  (name): readonly PresetToken[] => presets[name].quote_tokens,
);

/** The aliases of a native token for which none are configured: what its preset says of it, else what feeds write on any chain of the format. */
export function nativeAliases(address: string, format: AddressFormat): readonly string[] {
  const ofFormat: Readonly<Partial<Record<AddressFormat, readonly string[]>>> = nativeNames;
  return presetTokens.find((token) => token.address === address)?.aliases ?? ofFormat[format] ?? [];
}
