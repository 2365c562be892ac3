// Generated from docs/guides/mcp.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
import { mcpRoute } from '@swapfold/mcp';
import { serve } from '@swapfold/server';

const server = await serve(dex, { keys: ['a-long-random-key'], routes: [mcpRoute()] });
export {};
