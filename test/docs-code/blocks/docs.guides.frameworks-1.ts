// Generated from docs/guides/frameworks.md by test/generate-docs/blocks.ts.
import { memory, Swapfold } from '@swapfold/core';
import { createHandler } from '@swapfold/server';

const dex = await Swapfold.open({ storage: memory() });
const handler = createHandler(dex, { keys: ['a-long-random-key'] });
export {};
