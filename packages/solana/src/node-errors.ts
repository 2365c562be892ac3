import { type FailureKind, failureReader } from '@swapfold/chain';

/**
 * Codes of Solana's nodes: https://github.com/anza-xyz/agave, rpc-client-api, `custom_error.rs`.
 *
 * -32001: the node has removed the block. -32004: not there yet. -32005: the node lags. -32007, -32009: the slot has no block. -32014: the
 * status of the block is not known yet. -32015: a transaction of a later version. -32016: the node is behind a slot that was asked for.
 */
const byCode: Readonly<Record<number, FailureKind>> = {
  429: 'rate-limited',
  [-32429]: 'rate-limited',
  [-32001]: 'reverted',
  [-32004]: 'unknown-block',
  [-32005]: 'unavailable',
  [-32007]: 'skipped',
  [-32009]: 'skipped',
  [-32014]: 'unknown-block',
  [-32015]: 'unsupported',
  [-32016]: 'unknown-block',
  [-32601]: 'unsupported',
};

const sentences: readonly (readonly [FailureKind, RegExp])[] = [
  ['skipped', /slot \d+ was skipped/i],
  ['unknown-block', /block not available|block status not yet available/i],
  ['unavailable', /node is (behind|unhealthy)/i],
  ['unsupported', /transaction version|method not found/i],
  ['too-much', /too large|exceed.*(size|limit)/i],
];

const firmCodes = new Set([-32001, -32004, -32005, -32007, -32009, -32014, -32015, -32016]);

/** What a transport threw, by what it means. */
export const failureOf = failureReader({ sentences, byCode, firmCodes });
