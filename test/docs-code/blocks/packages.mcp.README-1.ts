// Generated from packages/mcp/README.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { serveStdio } from '@swapfold/mcp';
import { sqlite } from '@swapfold/sqlite';

const dex = await Swapfold.open({ storage: sqlite({ path: 'dex.db', read_only: true }) });
await serveStdio(dex); // until standard input ends
await dex.close();
export {};
