export { describeStorage } from './conformance/storage-suite.ts';
export type { StorageSuite, StoreUnderTest } from './conformance/storage-test.ts';
