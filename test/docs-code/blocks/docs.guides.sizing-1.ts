// Generated from docs/guides/sizing.md by test/generate-docs/blocks.ts.
import { clickhouse } from '@swapfold/clickhouse';

const storage = clickhouse({ server: 'http://host:8123', database: 'dex', cluster: { name: 'main', sharding: 'wallet' } });
export {};
