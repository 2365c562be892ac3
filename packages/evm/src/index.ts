export { chains, type KnownChain, type KnownFactory } from './chains.ts';
export type { KindName } from './event-kinds.ts';
export { type EvmSource, evmSource } from './evm-source.ts';
export type { FactoryInput } from './factories.ts';
export type { EvmSourceOptions, KnownToken } from './options.ts';
export type { WalletOf } from './swap-reader.ts';
export type { Undecoded } from './undecoded.ts';
