// Generated from packages/server/README.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { serve } from '@swapfold/server';
import { sqlite } from '@swapfold/sqlite';

const dex = await Swapfold.open({ storage: sqlite('dex.db'), config: { preset: 'solana', api_keys: ['change-me-please'] } });
const server = await serve(dex, { port: 8080 });
console.log(server.url);
export {};
