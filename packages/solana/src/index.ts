export type { SlotBlock } from './follow-stream.ts';
export type { Commitment } from './node-blocks.ts';
export type { SolanaBlocks, SolanaSourceOptions, SolanaTransport } from './options.ts';
export { type Protocol, protocols } from './protocols.ts';
export type {
  RawInstruction,
  RawMeta,
  RawTokenBalance,
  RawTransaction,
  SolanaBlock,
  SolanaTransaction,
} from './raw.ts';
export { type RecordedOptions, recordedSource } from './recorded.ts';
export { type SolanaSource, solanaSource } from './solana-source.ts';
export type { Undecoded } from './undecoded.ts';
