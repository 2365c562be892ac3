import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailureKind } from '@swapfold/chain';
import { failureOf } from '../src/node-errors.ts';

/** As agave's `custom_error.rs` writes them, and providers. */
const rows: readonly (readonly [FailureKind, object])[] = [
  ['reverted', { code: -32001, message: 'Block 100 cleaned up, does not exist on node. First available block: 200' }],
  ['unknown-block', { code: -32004, message: 'Block not available for slot 100' }],
  ['unavailable', { code: -32005, message: 'Node is behind by 42 slots' }],
  ['unavailable', { code: -32005, message: 'Node is unhealthy' }],
  ['skipped', { code: -32007, message: 'Slot 100 was skipped, or missing due to ledger jump to recent snapshot' }],
  ['skipped', { code: -32009, message: 'Slot 100 was skipped, or missing in long-term storage' }],
  ['unknown-block', { code: -32014, message: 'Block status not yet available for slot 100' }],
  [
    'unsupported',
    {
      code: -32015,
      message:
        'Transaction version (1) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 1',
    },
  ],
  ['unknown-block', { code: -32016, message: 'Minimum context slot has not been reached' }],
  ['rate-limited', { code: -32007, message: '50/second request limit reached - reduce calls per second by upgrading' }],
  ['rate-limited', { code: 429, message: 'Too many requests for a specific RPC call' }],
  ['rate-limited', { code: -32429, message: 'max usage reached' }],
  ['rate-limited', { status: 429, details: '{}' }],
  ['timeout', { status: 504, details: 'gateway' }],
  ['unavailable', { status: 502, details: 'bad gateway' }],
  ['unavailable', { code: -32603, message: 'Internal error' }],
];

test('what nodes of Solana and providers say is understood', () => {
  for (const [kind, said] of rows) assert.equal(failureOf(said).kind, kind, JSON.stringify(said));
});
