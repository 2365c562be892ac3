// Swapfold's HTTP server in a program of your own: opens a store, serves it, sends one request and closes.
// Run it with: npx tsx examples/self-hosted-server.ts
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Swapfold } from '@swapfold/core';
import { serve } from '@swapfold/server';
import { sqlite } from '@swapfold/sqlite';
import { generateMarket } from '@swapfold/testing';

const folder = await mkdtemp(join(tmpdir(), 'swapfold-example-'));
const dex = await Swapfold.open({
  storage: sqlite(join(folder, 'dex.db')),
  config: { preset: 'solana', api_keys: ['a-long-random-key'] },
});
await dex.ingest(generateMarket({ seed: 3, swaps: 5000 }).swaps());
await dex.refresh();

// Callers need one of the keys of the configuration; port 0 takes a free one. A service would stay here until it is told to stop.
const server = await serve(dex, { host: '127.0.0.1', port: 0 });
console.log(`Serving at ${server.url}`);

try {
  const response = await fetch(`${server.url}/v1/solana/dex/profiles/tokens/search-profiles`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': 'a-long-random-key' },
    body: JSON.stringify({
      sort: { field: 'metrics.1d.volume', direction: 'desc' },
      options: { include_metadata: true },
      limit: 3,
    }),
  });
  const { count, data } = (await response.json()) as { count: number; data: unknown[] };
  console.log(`${response.status}: ${count} tokens, the most traded ones:`);
  console.log(JSON.stringify(data, null, 2));
} finally {
  // Running requests are answered, then the connections close; the store is closed by who opened it.
  await server.close();
  await dex.close();
  await rm(folder, { recursive: true });
}
