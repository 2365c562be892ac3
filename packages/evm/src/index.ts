export { chains, type KnownChain, type KnownFactory } from './chains.ts';
export { type EvmSource, evmSource } from './evm-source.ts';
export type { EvmSourceOptions, FactoryInput, KnownToken } from './options.ts';
export type { Undecoded, WalletOf } from './swap-reader.ts';
