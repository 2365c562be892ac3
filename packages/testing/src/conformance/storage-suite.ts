import { testAside } from './storage-aside.ts';
import { testClosing } from './storage-closing.ts';
import { testIndexes } from './storage-indexes.ts';
import { testLatest } from './storage-latest.ts';
import { testOrders } from './storage-orders.ts';
import { testPredicates } from './storage-predicates.ts';
import { testRandomPredicates } from './storage-random.ts';
import { testReopening } from './storage-reopening.ts';
import { testScale } from './storage-scale.ts';
import type { StorageSuite } from './storage-test.ts';
import { testTransactions } from './storage-transactions.ts';
import { testValues } from './storage-values.ts';
import { testWrites } from './storage-writes.ts';

/**
 * The tests that every `StorageAdapter` passes, as a function of the test runner and of a way to get a fresh store.
 *
 * @example
 * import test from 'node:test';
 * describeStorage({ test, open: async () => ({ adapter: memory(), reopen: undefined, dispose: async () => {} }) });
 */
export function describeStorage(suite: StorageSuite): void {
  testPredicates(suite);
  testRandomPredicates(suite);
  testOrders(suite);
  testIndexes(suite);
  testLatest(suite);
  testValues(suite);
  testWrites(suite);
  testTransactions(suite);
  testAside(suite);
  testScale(suite);
  testClosing(suite);
  testReopening(suite);
}
