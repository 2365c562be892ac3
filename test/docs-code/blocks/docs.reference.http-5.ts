// Generated from docs/reference/http.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
declare function pino(): import('@swapfold/server').Logger;
import { serve } from '@swapfold/server';

const server = await serve(dex, { host: '127.0.0.1', port: 8080, keys: ['a-long-random-key'], logger: pino() });
// ...
await server.close(); // lets running requests end
await dex.close();
export {};
