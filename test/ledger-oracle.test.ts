import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasPython } from './support/oracle.ts';
import { findFault } from './support/transfer-histories.ts';

/** A few of the histories of ledger-histories.test.ts, which `npm run test:long` tries. */
const few = { memory: [1, 4, 5], sqlite: [6], duckdb: [3] } as const;

for (const [engine, seeds] of Object.entries(few))
  test(`${engine}: balances, transfers and lots are those of an independent computation, seeds ${seeds}`, {
    skip: hasPython ? false : 'python3 is not installed',
  }, async () => {
    assert.equal(await findFault(engine, seeds), null);
  });
