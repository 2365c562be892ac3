// Generated from docs/guides/solana.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { solanaSource } from '@swapfold/solana';
import { sqlite } from '@swapfold/sqlite';

const dex = await Swapfold.open({ storage: sqlite('dex.db') });
const source = solanaSource({ url: 'http://127.0.0.1:8899', from_slot: 380_000_000, onNotice: console.warn });
const stopping = new AbortController();
await dex.follow(source, { signal: stopping.signal });
export {};
