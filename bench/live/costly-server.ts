/** The server of `bench/live/costly.ts`: a small store, asked by two keys. */
import { mcpRoute } from '@swapfold/mcp';
import { serve } from '@swapfold/server';
import { markSeldom } from '../../packages/cli/src/collector.ts';
import { openStore } from '../../packages/server/test/service.ts';
import { ATTACKER, VICTIM } from './costly.ts';

markSeldom();
const server = await serve(await openStore(), { port: 0, keys: [VICTIM, ATTACKER], routes: [mcpRoute()] });
process.send!({ url: server.url });
