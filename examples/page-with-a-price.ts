// A page that shows a price as it changes: a server of your own that gives the page (price.html), the routes and the WebSocket, and a
// generated market that goes on trading. Run it with: npx tsx examples/page-with-a-price.ts, and open what it prints. Ctrl-C ends it.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { columnsToObjects, memory, Swapfold } from '@swapfold/core';
import { createHandler } from '@swapfold/server';
import { generateMarket } from '@swapfold/testing';

const market = generateMarket({ seed: 7, swaps: 20_000 });
const swaps = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
const dex = await Swapfold.open({ storage: memory(), config: market.config });

// Anybody may ask: a public server would ask for keys, which a page sends as its first message (docs/guides/subscriptions.md).
const { listener, upgrade } = createHandler(dex, { keys: 'none' });
const page = readFileSync(join(import.meta.dirname, 'price.html'));
const server = createServer((request, response) => {
  if (request.url === '/') response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
  else listener(request, response);
});
server.on('upgrade', upgrade);
await once(server.listen(0, '127.0.0.1'), 'listening');

// The token that is traded most.
await dex.ingest(swaps.slice(0, 2000));
await dex.refresh();
const sort = { field: 'metrics.7d.trade_count', direction: 'desc' } as const;
const [busiest] = (await dex.tokens.search({ sort, limit: 1 })).data;
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/#${busiest!.token_address}`);

let isOver = false;
process.once('SIGINT', () => {
  isOver = true;
});
for (let from = 2000; from < swaps.length && !isOver; from += 20) {
  await dex.ingest(swaps.slice(from, from + 20));
  await pause(100);
}
server.closeAllConnections();
server.close();
await dex.close();
