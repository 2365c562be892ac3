import type { KindName } from './event-kinds.ts';

/** A factory, or a manager of pools, that Swapfold knows by name. */
export interface KnownFactory {
  readonly protocol: string;
  readonly address: string;
  /** The kind of its pools, as docs/guides/chain.md lists them. */
  readonly kind: KindName;
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
const pancakeV3 = '@pancakeswap/v3-sdk 3.10.2';
const infinity = '@pancakeswap/infinity-sdk 1.0.11';
const velora = '@paraswap/dex-lib 5.0.6';

const known = (kind: KindName, protocol: string, address: string, source: string): KnownFactory => ({
  protocol,
  address,
  kind,
  source,
});

/** Factories and managers whose pools are decoded, on chains on which a published package gives their addresses. */
export const chains: readonly KnownChain[] = [
  {
    id: 1,
    name: 'ethereum',
    factories: [
      known('v2', 'uniswap-v2', '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', uniswap),
      known('v3', 'uniswap-v3', '0x1f98431c8ad98523631ae4a59f267346ea31f984', uniswap),
      known('v2', 'sushiswap-v2', '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac', sushiV2),
      known('v3', 'sushiswap-v3', '0xbaceb8ec6b9355dfc0269c18bac9d6e2bdc29c4f', sushiV3),
      known('v4', 'uniswap-v4', '0x000000000004444c5dc75cb358380d2e3de08a90', uniswap),
      known('pancakeswap-v3', 'pancakeswap-v3', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865', pancakeV3),
    ],
  },
  {
    id: 10,
    name: 'optimism',
    factories: [
      known('v2', 'uniswap-v2', '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf', uniswap),
      known('v3', 'uniswap-v3', '0x1f98431c8ad98523631ae4a59f267346ea31f984', uniswap),
      known('v3', 'sushiswap-v3', '0x9c6522117e2ed1fe5bdb72bb0ed5e3f2bde7dbe0', sushiV3),
      known('v4', 'uniswap-v4', '0x9a13f98cb987694c9f086b1f5eb990eea8264ec3', uniswap),
      known('solidly', 'velodrome-v1', '0x25cbddb98b35ab1ff77413456b31ec81a6b6b746', velora),
      known('velodrome-v2', 'velodrome-v2', '0xf1046053aa5682b4f9a81b5481394da16be5ff5a', velora),
      known('slipstream', 'velodrome-slipstream', '0xcc0bddb707055e04e497ab22a59c2af4391cd12f', velora),
    ],
  },
  {
    id: 56,
    name: 'bnb',
    factories: [
      known('v2', 'uniswap-v2', '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', uniswap),
      known('v3', 'uniswap-v3', '0xdb1d10011ad0ff90774d0c6bb92e5c5c8b4461f7', uniswap),
      known('v2', 'sushiswap-v2', '0xc35dadb65012ec5796536bd9864ed8773abc74c4', sushiV2),
      known('v3', 'sushiswap-v3', '0x126555dd55a39328f69400d6ae4f782bd4c34abb', sushiV3),
      known('v2', 'pancakeswap-v2', '0xca143ce32fe78f1f7019d7d551a6402fc5350c73', pancake),
      known('v2', 'traderjoe-v1', '0x4f8bdc85e3eec5b9de67097c3f59b6db025d9986', joe),
      known('v4', 'uniswap-v4', '0x28e2ea090877bf75740558f6bfb36a5ffee9e9df', uniswap),
      known('pancakeswap-v3', 'pancakeswap-v3', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865', pancakeV3),
      known('pancakeswap-infinity', 'pancakeswap-infinity', '0xa0ffb9c1ce1fe56963b0321b32e7a0302114058b', infinity),
    ],
  },
  {
    id: 130,
    name: 'unichain',
    factories: [
      known('v2', 'uniswap-v2', '0x1f98400000000000000000000000000000000002', uniswap),
      known('v3', 'uniswap-v3', '0x1f98400000000000000000000000000000000003', uniswap),
      known('v4', 'uniswap-v4', '0x1f98400000000000000000000000000000000004', uniswap),
      known('slipstream', 'velodrome-slipstream', '0x04625b046c69577efc40e6c0bb83cdbafab5a55f', velora),
    ],
  },
  {
    id: 137,
    name: 'polygon',
    factories: [
      known('v2', 'uniswap-v2', '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', uniswap),
      known('v3', 'uniswap-v3', '0x1f98431c8ad98523631ae4a59f267346ea31f984', uniswap),
      known('v2', 'sushiswap-v2', '0xc35dadb65012ec5796536bd9864ed8773abc74c4', sushiV2),
      known('v3', 'sushiswap-v3', '0x917933899c6a5f8e37f31e19f92cdbff7e8ff0e2', sushiV3),
      known('v2', 'quickswap-v2', '0x5757371414417b8c6caad45baef941abc7d3ab32', quick),
      known('v4', 'uniswap-v4', '0x67366782805870060151383f4bbff9dab53e5cd6', uniswap),
      known('algebra', 'quickswap-v3', '0x411b0facc3489691f28ad58c47006af5e3ab3a28', velora),
    ],
  },
  {
    id: 8453,
    name: 'base',
    factories: [
      known('v2', 'uniswap-v2', '0x8909dc15e40173ff4699343b6eb8132c65e18ec6', uniswap),
      known('v3', 'uniswap-v3', '0x33128a8fc17869897dce68ed026d694621f6fdfd', uniswap),
      known('v3', 'sushiswap-v3', '0xc35dadb65012ec5796536bd9864ed8773abc74c4', sushiV3),
      known('v4', 'uniswap-v4', '0x498581ff718922c3f8e6a244956af099b2652b2b', uniswap),
      known('pancakeswap-v3', 'pancakeswap-v3', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865', pancakeV3),
      known('pancakeswap-infinity', 'pancakeswap-infinity', '0xa0ffb9c1ce1fe56963b0321b32e7a0302114058b', infinity),
      known('velodrome-v2', 'aerodrome-v1', '0x420dd381b31aef6683db6b902084cb0ffece40da', velora),
      known('slipstream', 'aerodrome-slipstream', '0x5e7bb104d84c7cb9b682aac2f3d509f5f406809a', velora),
      known('slipstream', 'aerodrome-slipstream-2', '0xade65c38cd4849adba595a4323a8c7ddfe89716a', velora),
      known('slipstream', 'aerodrome-slipstream-3', '0xf8f2eb4940cfe7d13603dddd87f123820fc061ef', velora),
    ],
  },
  {
    id: 42161,
    name: 'arbitrum',
    factories: [
      known('v2', 'uniswap-v2', '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9', uniswap),
      known('v3', 'uniswap-v3', '0x1f98431c8ad98523631ae4a59f267346ea31f984', uniswap),
      known('v3', 'sushiswap-v3', '0x1af415a1eba07a4986a52b6f2e7de7003d82231e', sushiV3),
      known('v2', 'traderjoe-v1', '0xae4ec9901c3076d0ddbe76a520f9e90a6227acb7', joe),
      known('v4', 'uniswap-v4', '0x360e68faccca8ca495c1b759fd9eee466db9fb32', uniswap),
      known('pancakeswap-v3', 'pancakeswap-v3', '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865', pancakeV3),
      known('v2', 'camelot-v2', '0x6eccab422d763ac031210895c81787e87b43a652', velora),
      known('algebra', 'camelot-v3', '0x1a3c9b1d2f0529d97f2afc5136cc23e58f1fd35b', velora),
    ],
  },
  {
    id: 42220,
    name: 'celo',
    factories: [
      known('v2', 'uniswap-v2', '0x79a530c8e2fa8748b7b40dd3629c0520c2ccf03f', uniswap),
      known('v3', 'uniswap-v3', '0xafe208a311b21f13ef87e33a90049fc17a7acdec', uniswap),
      known('v4', 'uniswap-v4', '0x288dc841a52fca2707c6947b3a777c5e56cd87bc', uniswap),
    ],
  },
  {
    id: 43114,
    name: 'avalanche',
    factories: [
      known('v2', 'uniswap-v2', '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c', uniswap),
      known('v3', 'uniswap-v3', '0x740b1c1de25031c31ff4fc9a62f554a55cdc1bad', uniswap),
      known('v3', 'sushiswap-v3', '0x3e603c14af37ebdad31709c4f848fc6ad5bec715', sushiV3),
      known('v2', 'traderjoe-v1', '0x9ad6c38be94206ca50bb0d90783181662f0cfa10', joe),
      known('v4', 'uniswap-v4', '0x06380c0e0912312b5150364b9dc4542ba0dbbc85', uniswap),
    ],
  },
  {
    id: 59144,
    name: 'linea',
    factories: [
      known('v2', 'uniswap-v2', '0x114a43df6c5f54ebb8a9d70cd1951d3dd68004c7', uniswap),
      known('v3', 'uniswap-v3', '0x31fafd4889fa1269f7a13a66ee0fb458f27d72a9', uniswap),
      known('v4', 'uniswap-v4', '0x248083fb965359d82b06c1f5322480dcfc1ad857', uniswap),
    ],
  },
  {
    id: 81457,
    name: 'blast',
    factories: [
      known('v2', 'uniswap-v2', '0x5c346464d33f90babaf70db6388507cc889c1070', uniswap),
      known('v3', 'uniswap-v3', '0x792edade80af5fc680d96a2ed80a44247d2cf6fd', uniswap),
      known('v4', 'uniswap-v4', '0x1631559198a9e474033433b2958dabc135ab6446', uniswap),
    ],
  },
];
