export { describeStorage } from './conformance/storage-suite.ts';
export type { StorageSuite, StoreUnderTest } from './conformance/storage-test.ts';
export { generateMarket } from './market/generate.ts';
export type { Market, MarketTransfer } from './market/market.ts';
export type { ScenarioName } from './market/mix.ts';
export type { MarketOptions, MarketShape } from './market/options.ts';
export type { MarketToken, MarketWallet } from './market/registry.ts';
export { writeRecordsNdjson, writeSwapsCsv, writeSwapsNdjson } from './market/write.ts';
