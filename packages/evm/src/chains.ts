/** A factory that Swapfold knows by name. */
export interface KnownFactory {
  readonly protocol: string;
  readonly address: string;
  /** The published package that gives the address, and its version. */
  readonly source: string;
}

/** A chain by its id, with the factories that are known on it. */
export interface KnownChain {
  readonly id: number;
  /** As `chain` of a configuration. */
  readonly name: string;
  readonly factories: readonly KnownFactory[];
}

const uniswap = '@uniswap/sdk-core 7.19.4';
const sushiV2 = '@sushiswap/core-sdk 0.1.2';
const sushiV3 = '@sushiswap/v3-sdk 1.0.12';
const pancake = '@pancakeswap-libs/sdk-v2 2.2.0';
const quick = 'quickswap-sdk 3.0.43';
const joe = '@traderjoe-xyz/sdk 5.0.16';

/** Factories whose pools have the events of Uniswap V2 or V3, on chains on which a published package gives their addresses. */
export const chains: readonly KnownChain[] = [
  {
    id: 1,
    name: 'ethereum',
    factories: [
      { protocol: 'uniswap-v2', address: '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', source: uniswap },
      { protocol: 'uniswap-v3', address: '0x1f98431c8ad98523631ae4a59f267346ea31f984', source: uniswap },
      { protocol: 'sushiswap-v2', address: '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac', source: sushiV2 },
      { protocol: 'sushiswap-v3', address: '0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f', source: sushiV3 },
    ],
  },
  {
    id: 10,
    name: 'optimism',
    factories: [
      { protocol: 'uniswap-v2', address: '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf', source: uniswap },
      { protocol: 'uniswap-v3', address: '0x1f98431c8ad98523631ae4a59f267346ea31f984', source: uniswap },
      { protocol: 'sushiswap-v3', address: '0x9c6522117e2ed1fe5bdb72bb0ed5e3f2bde7dbe0', source: sushiV3 },
    ],
  },
  {
    id: 56,
    name: 'bnb',
    factories: [
      { protocol: 'uniswap-v2', address: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', source: uniswap },
      { protocol: 'uniswap-v3', address: '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7', source: uniswap },
      { protocol: 'sushiswap-v2', address: '0xc35dadb65012ec5796536bd9864ed8773abc74c4', source: sushiV2 },
      { protocol: 'sushiswap-v3', address: '0x126555dd55a39328f69400d6ae4f782bd4c34abb', source: sushiV3 },
      { protocol: 'pancakeswap-v2', address: '0xca143ce32fe78f1f7019d7d551a6402fc5350c73', source: pancake },
      { protocol: 'traderjoe-v1', address: '0x4f8bdc85e3eec5b9de67097c3f59b6db025d9986', source: joe },
    ],
  },
  {
    id: 130,
    name: 'unichain',
    factories: [
      { protocol: 'uniswap-v2', address: '0x1f98400000000000000000000000000000000002', source: uniswap },
      { protocol: 'uniswap-v3', address: '0x1f98400000000000000000000000000000000003', source: uniswap },
    ],
  },
  {
    id: 137,
    name: 'polygon',
    factories: [
      { protocol: 'uniswap-v2', address: '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', source: uniswap },
      { protocol: 'uniswap-v3', address: '0x1f98431c8ad98523631ae4a59f267346ea31f984', source: uniswap },
      { protocol: 'sushiswap-v2', address: '0xc35dadb65012ec5796536bd9864ed8773abc74c4', source: sushiV2 },
      { protocol: 'sushiswap-v3', address: '0x917933899c6a5f8e37f31e19f92cdbff7e8ff0e2', source: sushiV3 },
      { protocol: 'quickswap-v2', address: '0x5757371414417b8c6caad45baef941abc7d3ab32', source: quick },
    ],
  },
  {
    id: 8453,
    name: 'base',
    factories: [
      { protocol: 'uniswap-v2', address: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', source: uniswap },
      { protocol: 'uniswap-v3', address: '0x33128a8fc17869897dce68ed026d694621f6fdfd', source: uniswap },
      { protocol: 'sushiswap-v3', address: '0xc35dadb65012ec5796536bd9864ed8773abc74c4', source: sushiV3 },
    ],
  },
  {
    id: 42161,
    name: 'arbitrum',
    factories: [
      { protocol: 'uniswap-v2', address: '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9', source: uniswap },
      { protocol: 'uniswap-v3', address: '0x1f98431c8ad98523631ae4a59f267346ea31f984', source: uniswap },
      { protocol: 'sushiswap-v3', address: '0x1af415a1eba07a4986a52b6f2e7de7003d82231e', source: sushiV3 },
      { protocol: 'traderjoe-v1', address: '0xae4ec9901c3076d0ddbe76a520f9e90a6227acb7', source: joe },
    ],
  },
  {
    id: 42220,
    name: 'celo',
    factories: [
      { protocol: 'uniswap-v2', address: '0x79a530c8e2fa8748b7b40dd3629c0520c2ccf03f', source: uniswap },
      { protocol: 'uniswap-v3', address: '0xafe208a311b21f13ef87e33a90049fc17a7acdec', source: uniswap },
    ],
  },
  {
    id: 43114,
    name: 'avalanche',
    factories: [
      { protocol: 'uniswap-v2', address: '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', source: uniswap },
      { protocol: 'uniswap-v3', address: '0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad', source: uniswap },
      { protocol: 'sushiswap-v3', address: '0x3e603c14af37ebdad31709c4f848fc6ad5bec715', source: sushiV3 },
      { protocol: 'traderjoe-v1', address: '0x9ad6c38be94206ca50bb0d90783181662f0cfa10', source: joe },
    ],
  },
  {
    id: 59144,
    name: 'linea',
    factories: [
      { protocol: 'uniswap-v2', address: '0x114a43df6c5f54ebb8a9d70cd1951d3dd68004c7', source: uniswap },
      { protocol: 'uniswap-v3', address: '0x31fafd4889fa1269f7a13a66ee0fb458f27d72a9', source: uniswap },
    ],
  },
  {
    id: 81457,
    name: 'blast',
    factories: [
      { protocol: 'uniswap-v2', address: '0x5c346464d33f90babaf70db6388507cc889c1070', source: uniswap },
      { protocol: 'uniswap-v3', address: '0x792edade80af5fc680d96a2ed80a44247d2cf6fd', source: uniswap },
    ],
  },
];
